"""`binder.Concepts`: some concepts of a hierarchy, in an order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from numpy.typing import NDArray

from . import _html
from ._arrays import is_one
from ._concept import Concept
from .errors import UnknownConcept

if TYPE_CHECKING:
    from ._hierarchy import Hierarchy

#: How many names a repr shows.
_SHOWN = 10


class Concepts(Sequence[Concept]):
    """Some concepts of a hierarchy, such as ``dog.hyponyms`` or ``hierarchy[["cat", "dog"]]``.

    It is a sequence of `Concept` objects, which are made when they are asked for. It equals lists
    of the same concepts or names.

    >>> import binder
    >>> pets = binder.Hierarchy([("cat", "pet"), ("dog", "pet"), ("puppy", "dog")])
    >>> pets[["cat", "puppy"]]
    Concepts(['cat', 'puppy'])
    >>> pets["pet"].hyponyms.names
    ['cat', 'dog', 'puppy']
    """

    __slots__ = ("hierarchy", "ids")

    def __init__(self, hierarchy: Hierarchy, ids: NDArray[Any]) -> None:
        #: The hierarchy that they belong to.
        self.hierarchy = hierarchy
        #: Their numbers in the hierarchy.
        self.ids: NDArray[Any] = ids

    @property
    def names(self) -> list[str]:
        """Their names."""
        return self.hierarchy._named(self.ids)

    @property
    def labels(self) -> list[str | None]:
        """What people call them, None where the source does not say."""
        return [self.hierarchy.label(id) for id in self.ids.tolist()]

    @overload
    def __getitem__(self, index: int) -> Concept: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | list[int]) -> Concepts: ...
    def __getitem__(self, index: Any) -> Concept | Concepts:
        chosen = self.ids[index]
        return self._some(chosen) if chosen.ndim else self._one(int(chosen))

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Concept]:
        return map(self._one, self.ids.tolist(), self.names)

    def __contains__(self, concept: object) -> bool:
        if not is_one(concept):
            return False
        try:
            return bool((self.ids == self.hierarchy.id(concept)).any())
        except UnknownConcept:
            return False

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Concepts):
            return self.names == other.names
        if isinstance(other, (list, tuple)):
            return self.names == [str(one) for one in other]
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self[:_SHOWN].names))
        more = f", … {len(self) - _SHOWN:,} more" if len(self) > _SHOWN else ""
        return f"Concepts([{names}{more}])"

    def _repr_html_(self) -> str:
        shown = self[:_SHOWN]
        rows = [[one.name, one.label or "", one.definition or ""] for one in shown]
        return _html.table(["name", "label", "definition"], rows, more=len(self) - len(shown))

    def _one(self, id: int, name: str | None = None) -> Concept:
        return Concept(self.hierarchy, id, name or self.hierarchy.name(id))

    def _some(self, ids: NDArray[Any]) -> Concepts:
        return Concepts(self.hierarchy, ids)
