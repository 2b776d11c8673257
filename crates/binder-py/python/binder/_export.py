"""Which format a path means, and which options a format has."""

from __future__ import annotations

import os
from typing import Any

from .errors import InputError

#: The endings of files, and the formats of the codes that they mean.
CODES = {
    ".tsv": "tsv",
    ".npy": "npy",
    ".vec": "word2vec",
    ".w2v": "word2vec",
    ".word2vec": "word2vec",
    ".parquet": "parquet",
    ".sql": "sql",
}

#: The same for a hierarchy itself.
HIERARCHIES = {
    ".csv": "csv",
    ".json": "json",
    ".obo": "obo",
    ".ttl": "ttl",
    ".dot": "dot",
    ".gv": "dot",
    ".graphml": "graphml",
}

#: Endings of edge lists. For a model, ``.tsv`` means its codes.
EDGES = {".tsv": "edges", ".txt": "edges", ".edges": "edges"}

#: The options of the formats.
OPTIONS = {
    "unpacked": "npy",
    "signed": "parquet",
    "dialect": "sql",
    "table": "sql",
    "bit_column": "sql",
}


def format_of(path: str | os.PathLike[str], told: str | None, known: dict[str, str]) -> str:
    """The format that was told, or the one that the ending of a path means."""
    formats = sorted({*known.values(), *(["edges"] if ".csv" in known else [])})
    if told is not None:
        if told not in formats:
            raise InputError(f"format is {told!r}; choose one of {', '.join(formats)}")
        return told
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending not in known:
        raise InputError(
            f"{os.fspath(path)}: unknown ending; choose format= and one of {', '.join(formats)}"
        )
    return known[ending]


def checked_options(format: str, options: dict[str, Any]) -> dict[str, Any]:
    """All options, those that were not given with their defaults."""
    for name, value in options.items():
        if name not in OPTIONS:
            raise InputError(f"there is no option {name}; the options are {', '.join(OPTIONS)}")
        if value and OPTIONS[name] != format:
            raise InputError(f"{name} is for {OPTIONS[name]}, not for {format}; leave it out")
    defaults = {"unpacked": False, "signed": False, "bit_column": False}
    return {**dict.fromkeys(OPTIONS), **defaults, **options}
