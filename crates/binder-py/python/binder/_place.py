"""`binder.Place`: where a code stands among the concepts, and how places are combined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _html
from ._arrays import ConceptLike
from ._concepts import Concepts

if TYPE_CHECKING:
    from ._model import Model


@dataclass(frozen=True)
class Place:
    """The place of a code among the concepts: of a meet, a join or the value of an expression.

    The code need not belong to a concept. Places and concepts are combined further by ``&`` and
    ``|``. A place is true if something is there: ``if dog & cat: …``

    >>> import binder
    >>> pairs = [("puppy", "dog"), ("puppy", "young"), ("kitten", "cat"), ("kitten", "young")]
    >>> pets = binder.encode([*pairs, ("dog", "pet"), ("cat", "pet")])
    >>> dog, cat, young = pets["dog"], pets["cat"], pets["young"]
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
    named: Concepts
    #: The most specific concepts at or above it: of a join, the lowest common hypernyms.
    nearest_above: Concepts
    #: Every concept at or below it, the most general first.
    below: Concepts
    #: The most general of those.
    most_general_below: Concepts
    #: The model that it belongs to.
    model: Model = field(repr=False, compare=False)

    @classmethod
    def _of(cls, model: Model, standing: dict[str, Any], below: NDArray[np.uint32]) -> Place:
        def concepts(key: str) -> Concepts:
            return Concepts(model, model.ids(standing[key]))

        return cls(
            bits=standing["bits"],
            named=concepts("named"),
            nearest_above=concepts("nearest_above"),
            below=Concepts(model, below),
            most_general_below=concepts("most_general_below"),
            model=model,
        )

    def __or__(self, other: ConceptLike | Place) -> Place:
        return joined(self.model, self, other)

    __ror__ = __or__

    def __and__(self, other: ConceptLike | Place) -> Place:
        return met(self.model, self, other)

    __rand__ = __and__

    def __le__(self, other: ConceptLike | Place) -> bool:
        return _bits(self.model, other) <= set(self.bits)

    def __ge__(self, other: ConceptLike | Place) -> bool:
        return set(self.bits) <= _bits(self.model, other)

    def __contains__(self, concept: ConceptLike) -> bool:
        return self >= concept

    def __bool__(self) -> bool:
        return len(self.below) > 0

    def _repr_html_(self) -> str:
        rows = [
            ("named", self.named),
            ("nearest above", self.nearest_above),
            ("most general below", self.most_general_below),
        ]
        listed = [(what, ", ".join(some.names[:10])) for what, some in rows]
        below = ("below", f"{len(self.below):,} concepts")
        return _html.titled("Place", _html.table(["", "concepts"], [*listed, below]))


def _bits(model: Model, one: ConceptLike | Place) -> set[int]:
    if isinstance(one, Place):
        return set(one.bits)
    return set(np.flatnonzero(model.bits(one)).tolist())


def met(model: Model, one: ConceptLike | Place, other: ConceptLike | Place) -> Place:
    """What is both at once."""
    return _derived(model, _bits(model, one) | _bits(model, other))


def joined(model: Model, one: ConceptLike | Place, other: ConceptLike | Place) -> Place:
    """What both have in common."""
    return _derived(model, _bits(model, one) & _bits(model, other))


def _derived(model: Model, bits: set[int]) -> Place:
    return Place._of(model, *model._native.derived(sorted(bits)))
