"""`binder.Update`: a model that was brought up to date with a new version of its hierarchy."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core, _export, _html
from ._diff import Diff
from .errors import InputError

if TYPE_CHECKING:
    from ._model import Model


class Change(NamedTuple):
    """A code that differs between a model and its update."""

    #: The concept. A renamed one is gone under its old name and new under the other.
    concept: str
    #: The words of its code in the old model; None if it is new.
    before: NDArray[np.uint64] | None
    #: The words of its code in the new model; None if it is gone.
    after: NDArray[np.uint64] | None


class Update:
    """A model of a new version, and what became of the old codes; `Model.update` makes it.

    Printed, it is the text of ``binder update``.

    >>> import binder
    >>> pairs = [("dog", "pet"), ("cat", "pet"), ("puppy", "dog")]
    >>> update = binder.encode(pairs).update([*pairs[:2], ("kitten", "cat")])
    >>> update.model, update.diff.removed
    (Model(4 concepts, 3 bits), ['puppy'])
    >>> [change.concept for change in update.changes], update.stayed, update.kept
    (['puppy', 'kitten'], 3, 3)
    """

    def __init__(self, core: _core.Update, model: Model) -> None:
        self._native = core
        figures, self._text = core.report()
        #: The model of the new version.
        self.model: Model = model
        #: What differs between the versions.
        self.diff: Diff = Diff._of(*core.diff())
        #: How many concepts both versions have.
        self.kept: int = figures["kept"]
        #: How many of them have the code that they had.
        self.stayed: int = figures["stayed"]
        #: How many bits were appended to every code.
        self.appended_bits: int = figures["appended_bits"]

    @property
    def changes(self) -> list[Change]:
        """The codes that differ: first of concepts that are gone, then of the others."""
        return [
            Change(concept, _words(before), _words(after))
            for concept, before, after in self._native.changes()
        ]

    def save_patch(
        self,
        path: str | os.PathLike[str],
        format: str | None = None,
        *,
        table: str | None = None,
        key: str | None = None,
    ) -> None:
        """Writes the codes that differ, for those who store codes elsewhere.

        Args:
            path: the file; it appears whole or not at all. Its ending tells the format.
            format: "tsv" has the columns concept, old code and new code; "sql" is a script that
                changes the codes in a table.
            table: of sql, the table with the words of codes in columns c0, c1, …; "concepts" if it
                is left out.
            key: of sql, its column of concepts' names; "name" if it is left out.
        """
        format = _export.format_of(path, format, {".tsv": "tsv", ".sql": "sql"})
        if format == "sql":
            self._native.save_patch(path, (table or "concepts", key or "name"))
        elif table is not None or key is not None:
            raise InputError("table and key are for sql, not for tsv; leave them out")
        else:
            self._native.save_patch(path)

    def __repr__(self) -> str:
        return (
            f"Update({len(self.model):,} concepts, {self.model.n_bits} bits, {self.appended_bits} "
            f"appended; {self.stayed:,} of {self.kept:,} codes stay)"
        )

    def __str__(self) -> str:
        return f"{self!r}\n{self._text}"

    def _repr_html_(self) -> str:
        return _html.text(str(self))


def _words(code: list[int] | None) -> NDArray[np.uint64] | None:
    return None if code is None else np.array(code, dtype=np.uint64)
