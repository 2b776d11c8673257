"""`binder.Concepts`: some concepts of a model, in an order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _html
from ._arrays import is_one
from ._concept import Concept
from .errors import UnknownConcept

if TYPE_CHECKING:
    from ._model import Model

#: How many names a repr shows.
_SHOWN = 10


class Concepts(Sequence[Concept]):
    """Some concepts of a model, such as ``dog.hyponyms`` or ``model[["cat", "dog"]]``.

    It is a sequence of `Concept` objects, which are made when they are asked for. It equals lists
    of the same concepts or names, and `numpy.asarray` makes it an array of bits.

    >>> import binder, numpy
    >>> pets = binder.encode([("cat", "pet"), ("dog", "pet"), ("puppy", "dog")])
    >>> pets[["cat", "puppy"]]
    Concepts(['cat', 'puppy'])
    >>> pets["pet"].hyponyms.names
    ['cat', 'dog', 'puppy']
    >>> numpy.asarray(pets["pet"].children).shape
    (2, 3)
    """

    __slots__ = ("ids", "model")

    def __init__(self, model: Model, ids: NDArray[Any]) -> None:
        #: The model that they belong to.
        self.model = model
        #: Their rows in ``model.codes``.
        self.ids: NDArray[Any] = ids

    @property
    def names(self) -> list[str]:
        """Their names."""
        return self.model._named(self.ids)

    @property
    def labels(self) -> list[str | None]:
        """What people call them, None where the source does not say."""
        return [self.model.hierarchy.label(int(id)) for id in self.ids]

    @property
    def bits(self) -> NDArray[np.uint8]:
        """Their bits, uint8 [n, bits]."""
        return self.model.bits(self.ids)

    @property
    def codes(self) -> NDArray[np.uint64]:
        """The words of their codes, uint64 [n, words]."""
        codes: NDArray[np.uint64] = self.model.codes[self.ids]
        return codes

    @overload
    def __getitem__(self, index: int) -> Concept: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | list[int]) -> Concepts: ...
    def __getitem__(self, index: Any) -> Concept | Concepts:
        chosen = self.ids[index]
        if np.ndim(chosen) == 0:
            return self.model._concept(int(chosen))
        return Concepts(self.model, chosen)

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Concept]:
        ids: list[int] = self.ids.tolist()
        return (Concept(self.model, id, name) for id, name in zip(ids, self.names))

    def __contains__(self, concept: object) -> bool:
        if not is_one(concept):
            return False
        try:
            return bool((self.ids == self.model.id(concept)).any())
        except UnknownConcept:
            return False

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Concepts):
            return self.names == other.names
        if isinstance(other, (list, tuple)):
            return self.names == [str(one) for one in other]
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.bits.astype(dtype or np.uint8, copy=False)

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self[:_SHOWN].names))
        more = f", … {len(self) - _SHOWN:,} more" if len(self) > _SHOWN else ""
        return f"Concepts([{names}{more}])"

    def _repr_html_(self) -> str:
        shown = self[:_SHOWN]
        rows = [[one.name, one.label or "", one.definition or ""] for one in shown]
        return _html.table(["name", "label", "definition"], rows, more=len(self) - len(shown))
