"""`binder.reproduce`: the experiments of the paper, run again."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import _core, _progress
from ._settings import checked_settings

EXPERIMENTS: dict[str, str] = dict(_core.experiments())
"""The names of all experiments, each with a line of help."""


@dataclass(frozen=True)
class Report:
    """What an experiment gave. Printed, it is its tables in Markdown."""

    #: The legend and the tables, in Markdown.
    text: str
    #: The same results as plain data.
    values: dict[str, Any]
    #: The files written: Markdown, CSV, drawings.
    files: list[pathlib.Path]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Report({', '.join(file.name for file in self.files)})"

    def _repr_markdown_(self) -> str:
        return self.text


def reproduce(
    experiment: str,
    output: str | os.PathLike[str],
    *,
    data: str | os.PathLike[str] | None = None,
    sets: Sequence[str] = (),
    recipes: Sequence[str] = (),
    methods: Sequence[str] = (),
    visits: int | None = None,
    seeds: int | None = None,
    quick: bool = False,
    finished: bool = False,
    progress: bool = True,
) -> Report:
    """Repeats an experiment of the paper, with the published numbers beside ours.

    It is ``binder reproduce``. Every run is recorded as it ends, so the same call goes on where it
    was interrupted.

    Args:
        experiment: one of ``binder.EXPERIMENTS``.
        output: the folder for the report, the raw results and the drawings.
        data: the folder of the data sets; without it, the built-ins.
        sets: the data sets to use; by default those of the paper's experiment.
        recipes: the recipes to train with.
        methods: other embeddings to run, too.
        visits: how many training pairs a run of another embedding sees; by default two million.
        seeds: how many runs a cell of the table has.
        quick: a trial with few epochs; the scores mean little.
        finished: run nothing, and write the report of the runs that are there.
        progress: show a progress bar, in terminals and notebooks, after a second.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = reproduce("edges", folder, sets=["toy"])
    >>> report
    Report(edges.md, edges.csv, edges.svg)
    >>> report.values["rows"][0]["closure"]
    33
    """
    asked = {
        "data": data,
        "sets": list(sets),
        "recipes": list(recipes),
        "methods": list(methods),
        "visits": visits,
        "seeds": seeds,
        "quick": quick,
        "finished": finished,
    }
    with _progress.bar(progress) as bar:
        text, values, files = _core.reproduce(experiment, output, checked_settings(asked), bar)
    return Report(text, values, [pathlib.Path(file) for file in files])
