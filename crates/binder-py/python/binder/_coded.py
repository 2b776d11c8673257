"""`binder.CodedConcept` and `binder.CodedConcepts`: concepts of a model, which have codes."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from ._answers import Description, Explanation, Neighbour, bits_of
from ._combining import Combining
from ._concept import Concept
from ._concepts import Concepts

if TYPE_CHECKING:
    from ._arrays import ConceptLike
    from ._model import Model
    from ._place import Place

#: Bits in a row of the drawing.
_ROW = 32


class CodedConcept(Combining, Concept):
    """A concept of a model: ``model["dog.n.01"]``. It is a `Concept` that has a code.

    >>> import binder
    >>> animals = binder.encode("wordnet-animals")
    >>> dog, cat = animals["dog"], animals["cat"]
    >>> dog.parents
    Concepts(['canine.n.02', 'domestic_animal.n.01'])
    >>> dog.code.dtype, dog.bits.shape
    (dtype('uint64'), (25,))

    ``a | b`` is what both have in common (their join), ``a & b`` what is both at once (their meet),
    each a `Place`. All answers come from the codes.

    >>> (dog | cat).nearest_above
    Concepts(['carnivore.n.01'])
    >>> bool(dog & cat)
    False
    """

    __slots__ = ("model",)

    def __init__(self, model: Model, id: int, name: str) -> None:
        super().__init__(model.hierarchy, id, name)
        #: The model that it belongs to; `id` is its row in ``model.codes``.
        self.model = model

    @property
    def code(self) -> NDArray[np.uint64]:
        """The words of its code; a view, not a copy."""
        code: NDArray[np.uint64] = self.model.codes[self.id]
        return code

    @property
    def bits(self) -> NDArray[np.uint8]:
        """Its bits, 0 or 1 each."""
        return bits_of(self.code, self.model.n_bits)

    @property
    def parents(self) -> CodedConcepts:
        """The nearest concepts above it."""
        return self._some(self.model._native.hypernyms(self.id, True))

    @property
    def children(self) -> CodedConcepts:
        """The nearest concepts below it."""
        return self._some(self.model._native.hyponyms(self.id, True))

    @property
    def hypernyms(self) -> CodedConcepts:
        """Everything above, the most general first."""
        return self._some(self.model._native.hypernyms(self.id, False))

    @property
    def hyponyms(self) -> CodedConcepts:
        """Everything below, the most general first."""
        return self._some(self.model._native.hyponyms(self.id, False))

    @property
    def siblings(self) -> CodedConcepts:
        """The other children of its parents, by id."""
        return self._some(super().siblings.ids)

    @property
    def path(self) -> CodedConcepts:
        """A shortest path from a root down to it, with both ends."""
        return self._some(super().path.ids)

    def explain(self, parent: ConceptLike) -> Explanation:
        """Why it is, or is not, a `parent`."""
        return self.model.explain(self.id, parent)

    def similarity(self, other: ConceptLike, by: str = "jaccard") -> float:
        """How similar another concept is; see `Model.similarity`."""
        return self.model.similarity(self.id, other, by)

    def nearest(self, n: int = 10, *, by: str = "jaccard") -> list[Neighbour]:
        """The most similar concepts; see `Model.nearest`."""
        return self.model.nearest(self.id, n, by=by)

    def describe(self) -> Description:
        """All about it."""
        return self.model.describe(self.id)

    def __le__(self, other: ConceptLike | Place) -> bool:
        from ._place import Place

        return other >= self if isinstance(other, Place) else super().__le__(other)

    def __ge__(self, other: ConceptLike | Place) -> bool:
        from ._place import Place

        return other <= self if isinstance(other, Place) else super().__ge__(other)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.bits.astype(dtype or np.uint8, copy=False)

    def __repr__(self) -> str:
        circles = "".join("●" if bit else "○" for bit in self.bits)
        return f"Concept({self.name!r}, {circles})"

    def _drawing(self) -> list[str]:
        """A circle for each bit, with its meaning as a tooltip."""
        origins = {meaning.bit: ", ".join(meaning.origin) for meaning in self.describe().bits}
        size, width = 14, self.model.n_bits
        circles = []
        for bit in range(width):
            x, y = size * (bit % _ROW) + size // 2, size * (bit // _ROW) + size // 2
            fill = "currentColor" if bit in origins else "none"
            title = html.escape(f"bit {bit}" + (f": {origins[bit]}" if bit in origins else ""))
            shape = f'<circle cx="{x}" cy="{y}" r="5" fill="{fill}" stroke="currentColor"/>'
            circles.append(f"<g><title>{title}</title>{shape}</g>")
        across, down = size * min(width, _ROW), size * -(-width // _ROW)
        label = html.escape(repr(self))
        svg = f'<svg width="{across}" height="{down}" role="img" aria-label="{label}"'
        return [f'{svg} pointer-events="all">{"".join(circles)}</svg>']

    def _bit_set(self) -> set[int]:
        return set(np.flatnonzero(self.bits).tolist())

    def _is_a(self, child: int, parent: int) -> bool:
        return self.model._native.is_a(child, parent)

    def _some(self, ids: NDArray[np.uint32]) -> CodedConcepts:
        return CodedConcepts(self.model, ids)


class CodedConcepts(Concepts):
    """Some concepts of a model: `Concepts` that have codes.

    `numpy.asarray` makes an array of bits of them.

    >>> import binder, numpy
    >>> pets = binder.encode([("cat", "pet"), ("dog", "pet"), ("puppy", "dog")])
    >>> pets[["cat", "puppy"]].bits.tolist()
    [[1, 0, 0], [0, 1, 1]]
    >>> numpy.asarray(pets["pet"].children).shape
    (2, 3)
    """

    __slots__ = ("model",)

    def __init__(self, model: Model, ids: NDArray[Any]) -> None:
        super().__init__(model.hierarchy, ids)
        #: The model that they belong to; `ids` are their rows in ``model.codes``.
        self.model = model

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
    def __getitem__(self, index: int) -> CodedConcept: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | list[int]) -> CodedConcepts: ...
    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(index)

    def __iter__(self) -> Iterator[CodedConcept]:
        return map(self._one, self.ids.tolist(), self.names)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.bits.astype(dtype or np.uint8, copy=False)

    def _one(self, id: int, name: str | None = None) -> CodedConcept:
        return CodedConcept(self.model, id, name or self.hierarchy.name(id))

    def _some(self, ids: NDArray[Any]) -> CodedConcepts:
        return CodedConcepts(self.model, ids)
