"""`binder.Place`: where a code stands among the concepts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _html
from ._coded import CodedConcepts
from ._combining import Combining

if TYPE_CHECKING:
    from ._arrays import ConceptLike
    from ._model import Model


#: So many names of each kind are shown.
_SHOWN = 3


def _and_more(count: int) -> str:
    return f" and {count - _SHOWN:,} more" if count > _SHOWN else ""


@dataclass(frozen=True, repr=False)
class Place(Combining):
    """The place of a code among the concepts: of a meet, a join or the value of an expression.

    The code need not belong to a concept. Places and concepts are combined further by ``&`` and
    ``|``. A place is true if something is there: ``if dog & cat: …``

    >>> import binder
    >>> pairs = [("puppy", "dog"), ("puppy", "young"), ("kitten", "cat"), ("kitten", "young")]
    >>> pets = binder.encode([*pairs, ("dog", "pet"), ("cat", "pet")])
    >>> dog, cat, young = pets["dog"], pets["cat"], pets["young"]
    >>> dog & young
    Place(named=['puppy'], 1 below, bits=[0, 1, 2])
    >>> dog & cat
    Place(nearest_above=['cat', 'dog'], 0 below, bits=[1, 2, 3])
    >>> (dog & young).below
    Concepts(['puppy'])
    >>> ((dog | cat) & young).below.names
    ['puppy', 'kitten']
    >>> bool(dog & cat)
    False
    """

    #: The bits that are set, ascending.
    bits: list[int]
    #: Concepts with exactly this code; at most one if the codes are exact.
    named: CodedConcepts
    #: The most specific concepts at or above it: of a join, the lowest common hypernyms.
    nearest_above: CodedConcepts
    #: Every concept at or below it, the most general first.
    below: CodedConcepts
    #: The most general of those.
    most_general_below: CodedConcepts
    #: The model that it belongs to.
    model: Model = field(repr=False, compare=False)

    @classmethod
    def _of(cls, model: Model, standing: dict[str, Any], below: NDArray[np.uint32]) -> Place:
        def concepts(key: str) -> CodedConcepts:
            return CodedConcepts(model, model.ids(standing[key]))

        return cls(
            bits=standing["bits"],
            named=concepts("named"),
            nearest_above=concepts("nearest_above"),
            below=CodedConcepts(model, below),
            most_general_below=concepts("most_general_below"),
            model=model,
        )

    def __le__(self, other: ConceptLike | Place) -> bool:
        return self._bits_of(other) <= self._bit_set()

    def __ge__(self, other: ConceptLike | Place) -> bool:
        return self._bit_set() <= self._bits_of(other)

    def __contains__(self, concept: ConceptLike) -> bool:
        return self >= concept

    def __bool__(self) -> bool:
        return len(self.below) > 0

    def __repr__(self) -> str:
        # What is next to a named place is that concept itself.
        telling = self._relations()[:1] if len(self.named) else self._relations()[1:]
        shown = [
            f"{what}={some.names[:_SHOWN]!r}{_and_more(len(some))}"
            for what, some in telling
            if len(some)
        ]
        return f"Place({', '.join([*shown, f'{len(self.below):,} below'])}, bits={self.bits!r})"

    def _relations(self) -> list[tuple[str, CodedConcepts]]:
        """What a place has to show, the most telling first."""
        return [
            ("named", self.named),
            ("nearest_above", self.nearest_above),
            ("most_general_below", self.most_general_below),
        ]

    def _bit_set(self) -> set[int]:
        return set(self.bits)

    def _repr_html_(self) -> str:
        rows = self._relations()
        listed = [(what.replace("_", " "), ", ".join(some.names[:10])) for what, some in rows]
        below = ("below", f"{len(self.below):,} concepts")
        return _html.titled("Place", _html.table(["", "concepts"], [*listed, below]))
