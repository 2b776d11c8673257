"""Vectors that others have learnt, in the forms that people have them in, for `binder.Placer`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .errors import InputError

#: Vectors of concepts: a file, an array with a row for each concept, a table, or rows by name.
EmbeddingsLike = Any


def given(
    vectors: str | os.PathLike[str] | None,
    embeddings: EmbeddingsLike,
    encoder: str | os.PathLike[str] | None,
    names: Callable[[], list[str]],
) -> _core.Embeddings:
    """What a placer is fitted with. An array has a row for each of `names`."""
    if embeddings is not None and encoder is not None:
        raise InputError("embeddings and encoder are both given; an encoder makes the embeddings")
    _path("vectors", vectors)
    _path("encoder", encoder)
    if embeddings is None or isinstance(embeddings, (str, os.PathLike)):
        return _core.Embeddings(vectors, embeddings, None, encoder)
    return _core.Embeddings(vectors, None, _rows(embeddings, names), None)


def _rows(
    embeddings: EmbeddingsLike, names: Callable[[], list[str]]
) -> tuple[list[str], NDArray[np.float32]]:
    if isinstance(embeddings, Mapping):
        return _texts(list(embeddings)), _matrix(list(embeddings.values()))
    if hasattr(embeddings, "index") and hasattr(embeddings, "to_numpy"):
        return _texts(list(embeddings.index)), _matrix(embeddings.to_numpy())
    rows, concepts = _matrix(embeddings), names()
    if len(rows) != len(concepts):
        raise InputError(
            f"embeddings has {len(rows)} rows for {len(concepts)} concepts; give one for each, in "
            "the order of names, or a dict from names to rows"
        )
    return concepts, rows


def _texts(names: list[Any]) -> list[str]:
    strange = next((name for name in names if not isinstance(name, str)), None)
    if strange is not None:
        raise InputError(f"embeddings has a row called {strange!r}; names are strings")
    return names


def _matrix(rows: Any) -> NDArray[np.float32]:
    """Rows of numbers, all of one length."""
    try:
        matrix = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"embeddings are not rows of as many numbers: {error}") from error
    if matrix.ndim != 2:
        raise InputError(f"embeddings have {matrix.ndim} dimensions; give rows of numbers")
    return matrix


def one(name: str, value: Any) -> NDArray[np.float32] | None:
    """The vector of a concept that is asked for, or None."""
    if value is None:
        return None
    try:
        vector = np.asarray(value, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not numbers: {error}") from error
    if vector.ndim != 1:
        raise InputError(f"{name} has {vector.ndim} dimensions; give a row of numbers")
    return vector


def _path(name: str, value: object) -> None:
    if value is not None and not isinstance(value, (str, os.PathLike)):
        raise InputError(f"{name} is {value!r}; give a path")
