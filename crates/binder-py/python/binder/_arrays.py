"""Concepts and pairs in any form to ids; arrays without a Python loop."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._optional import need
from .errors import InputError

if TYPE_CHECKING:
    from ._concept import Concept

#: One concept: a name or alias, an id, or a `Concept` such as ``model[name]``.
ConceptLike = Union[str, int, "np.integer[Any]", "Concept"]

#: Many concepts: an array or a list of names or ids, a pandas or polars series, an Arrow array.
ConceptsLike = Union[Sequence[ConceptLike], NDArray[Any], Any]

#: Pairs (child, parent): rows of names or ids, an array [m, 2], a frame with two columns, or the
#: path of an edge list.
PairsLike = Union[
    Iterable[tuple[ConceptLike, ConceptLike]], NDArray[Any], str, "os.PathLike[str]", Any
]

Ids = NDArray[Any]


#: Stands for an unknown concept in arrays of ids from the native module.
_NOBODY = (1 << 32) - 1


def is_name(concept: object) -> bool:
    """Whether this is a name, or a concept, which has one."""
    from ._concept import Concept

    return isinstance(concept, (str, Concept))


def is_one(concept: object) -> TypeGuard[ConceptLike]:
    """Whether this is one concept, not many."""
    return isinstance(concept, (int, np.integer)) or is_name(concept)


def one_id(hierarchy: _core.Hierarchy, concept: ConceptLike) -> int:
    """The id of one concept; the native module checks that there is such an id."""
    if isinstance(concept, str):
        return hierarchy.id(concept)
    from ._concept import Concept

    if isinstance(concept, Concept):
        if concept.hierarchy._native is hierarchy:
            return concept.id
        # By name, because the concept is of another hierarchy.
        return hierarchy.id(concept.name)
    try:
        number = operator.index(concept)
    except TypeError:
        kind = type(concept).__name__
        raise InputError(f"a concept is a name, a number or a Concept, not {kind}") from None
    if not isinstance(concept, np.uint32) and hierarchy.names_are_numbers():
        raise InputError(
            f'the names here are numbers, so {number} may be a name or an id; write "{number}" '
            f"for the name, or numpy.uint32({number}) for the id"
        )
    return number


def known_ids(
    hierarchy: _core.Hierarchy, concepts: ConceptsLike
) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
    """The ids of one or many concepts, and which of them are known; the ids of others are 0."""
    if is_one(concepts):
        concepts = [concepts]
        ids = many_ids(hierarchy, concepts, lenient=True).reshape(())
    elif concepts is None:
        ids = np.array(-1)
    else:
        ids = many_ids(hierarchy, concepts, lenient=True)
    known = (ids >= 0) & (ids < len(hierarchy))
    return np.where(known, ids, 0).astype(np.uint32), known


def many_ids(hierarchy: _core.Hierarchy, concepts: ConceptsLike, lenient: bool = False) -> Ids:
    """The ids of many concepts as uint32 or int64, in the same shape.

    Numbers are neither copied nor checked. If lenient, a number that is no concept's stands for
    unknown and missing names; otherwise they are errors.
    """
    from ._concepts import Concepts

    if isinstance(concepts, (bytes, bytearray, memoryview)):
        kind = type(concepts).__name__
        raise InputError(f"names are str, and this is {kind}; decode it first, as in b.decode()")
    if isinstance(concepts, Concepts):
        is_own = concepts.hierarchy._native is hierarchy
        concepts = concepts.ids if is_own else concepts.names
    if isinstance(concepts, np.ma.MaskedArray):
        if np.ma.is_masked(concepts) and not lenient:
            raise InputError("some concepts are masked; leave them out with .compressed()")
        ids = many_ids(hierarchy, concepts.data, lenient)
        return np.where(np.ma.getmaskarray(concepts), _NOBODY, ids) if lenient else ids
    if not isinstance(concepts, np.ndarray):
        if not hasattr(concepts, "__iter__") and not hasattr(concepts, "__array__"):
            kind = type(concepts).__name__
            raise InputError(f"a concept is a name, a number or a Concept, not {kind}")
        if hasattr(concepts, "__arrow_c_stream__") or hasattr(concepts, "__arrow_c_array__"):
            return _ids_of_column(hierarchy, concepts, lenient)
        concepts = _as_array(list(concepts) if not hasattr(concepts, "__array__") else concepts)
    kind = concepts.dtype.kind
    if kind in "uif" and concepts.dtype != np.uint32 and concepts.size:
        _refuse_numbers(hierarchy)
    if kind in "ui":
        as_it_is = concepts.dtype in (np.uint32, np.int64) and concepts.flags.aligned
        return concepts if as_it_is else concepts.astype(np.int64)
    if kind == "f" and lenient:
        return _whole(concepts)
    if kind == "U":
        flat = np.ascontiguousarray(
            concepts.astype(concepts.dtype.newbyteorder("="), copy=False)
        ).reshape(-1)
        width = flat.dtype.itemsize // 4
        characters = (
            flat.view(np.uint32).reshape(len(flat), width)
            if width
            else np.zeros((len(flat), 1), np.uint32)
        )
        return hierarchy.ids_of_characters(characters, lenient).reshape(concepts.shape)
    if kind in "OT":
        flat = np.ascontiguousarray(concepts.astype(object, copy=False)).reshape(-1)
        return hierarchy.ids_of_objects(flat, lenient).reshape(concepts.shape)
    if concepts.size == 0:
        return np.zeros(concepts.shape, np.uint32)
    raise InputError(f"concepts are names or whole numbers, and this array is {concepts.dtype}")


def _refuse_numbers(hierarchy: _core.Hierarchy) -> None:
    """Numbers that may be meant as names are no ids, unless they have the type of ours."""
    if hierarchy.names_are_numbers():
        raise InputError(
            "the names here are numbers, so these numbers may be names or ids; convert them with "
            '.astype(str) if they are names, and with .astype("uint32") if they are ids'
        )


def _whole(numbers: NDArray[Any]) -> Ids:
    """Ids that became floating point because some are missing, which pandas writes as NaN."""
    known = ~np.isnan(numbers)
    if (numbers[known] % 1).any():
        raise InputError("concepts are names or whole numbers, and some of these have fractions")
    return np.where(known, numbers, -1).astype(np.int64)


def _as_array(concepts: Any) -> NDArray[Any]:
    """A list as an array.

    Names become objects: with a fixed width, each would take as much memory as the longest.
    """
    if not isinstance(concepts, list):
        return np.asarray(concepts)
    from ._concept import Concept

    named = [concept.name if isinstance(concept, Concept) else concept for concept in concepts]
    if any(isinstance(concept, str) or concept is None for concept in named):
        array = np.empty(len(named), dtype=object)
        array[:] = named
        return array
    return np.asarray(named) if named else np.zeros(0, np.uint32)


def _ids_of_column(hierarchy: _core.Hierarchy, column: Any, lenient: bool) -> Ids:
    """The ids of a series or an Arrow array: text through Arrow's stream, numbers through NumPy."""
    kind = str(getattr(column, "dtype", getattr(column, "type", ""))).lower()
    if "int" in kind or "float" in kind:
        return many_ids(hierarchy, np.asarray(column), lenient)
    try:
        table = column.to_frame() if hasattr(column, "to_frame") else _table(column)
        stream = table.__arrow_c_stream__()
    except ImportError:
        return many_ids(hierarchy, np.asarray(column, dtype=object), lenient)
    return hierarchy.ids_of_arrow(stream, lenient)


def _table(column: Any) -> Any:
    return need("pyarrow", what="an Arrow array").table({"names": column})


def pairs_ids(hierarchy: _core.Hierarchy, pairs: PairsLike) -> NDArray[np.uint32]:
    """Pairs as an array [m, 2] of ids; an error if an id is not a concept's."""
    if isinstance(pairs, (str, os.PathLike)):
        return _core.known_pairs(os.fspath(pairs), hierarchy)
    frame: Any = pairs
    if isinstance(pairs, np.ndarray):
        ids = many_ids(hierarchy, pairs)
    elif hasattr(frame, "columns"):
        ids = np.stack([many_ids(hierarchy, frame[name]) for name in frame.columns], axis=1)
    else:
        rows = [tuple(pair) for pair in pairs]
        if any(len(row) != 2 for row in rows):
            raise InputError("pairs are (child, parent); give two concepts for each")
        ids = many_ids(hierarchy, [concept for row in rows for concept in row]).reshape(-1, 2)
    if ids.ndim != 2 or ids.shape[1] != 2:
        raise InputError(
            f"pairs have two columns, child and parent; this has the shape {ids.shape}"
        )
    return checked(hierarchy, ids)


def checked(hierarchy: _core.Hierarchy, ids: Ids) -> NDArray[np.uint32]:
    """The same ids as uint32; an error if one is not a concept's."""
    wrong = ids[(ids < 0) | (ids >= len(hierarchy))]
    if wrong.size:
        hierarchy.name(int(wrong[0]))
    return np.ascontiguousarray(ids, dtype=np.uint32)
