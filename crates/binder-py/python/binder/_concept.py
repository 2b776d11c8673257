"""`binder.Concept`: one concept of a model, which notebooks show as a drawing."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._answers import Description, Explanation, Neighbour, bits_of

if TYPE_CHECKING:
    from ._arrays import ConceptLike
    from ._concepts import Concepts
    from ._model import Model
    from ._place import Place

#: Bits in a row of the drawing.
_ROW = 32


class Concept:
    """A concept of a model: ``model["dog.n.01"]``. What is related to it are concepts, too.

    >>> import binder
    >>> animals = binder.encode("wordnet-animals")
    >>> dog = animals["dog"]
    >>> dog.name, dog.parents.names
    ('dog.n.01', ['canine.n.02', 'domestic_animal.n.01'])
    >>> dog.parents[0].parents[0].label
    'carnivore'
    >>> puppy, cat = animals["puppy"], animals["cat"]
    >>> puppy <= dog, dog <= puppy, puppy in dog
    (True, False, True)

    ``a <= b`` is "a is-a b", ``a < b`` the same of two different concepts, and ``a in b`` reads b
    as the set of everything below it. ``a | b`` is what both have in common (their join), ``a & b``
    what is both at once (their meet), each a `Place`.

    >>> (dog | cat).nearest_above
    Concepts(['carnivore.n.01'])

    A concept equals every concept of the same name, and its name, so that it can be looked up in
    sets and dictionaries of either.

    >>> dog == "dog.n.01", "dog.n.01" in {dog}
    (True, True)
    """

    __slots__ = ("id", "model", "name")

    def __init__(self, model: Model, id: int, name: str) -> None:
        #: The model that it belongs to.
        self.model = model
        #: Its row in ``model.codes``.
        self.id = id
        #: Its unique name.
        self.name = name

    @property
    def label(self) -> str | None:
        """What people call it, if the source says so."""
        return self.model.hierarchy.label(self.id)

    @property
    def synonyms(self) -> list[str]:
        """What else people call it, the closest first; ``hierarchy.synonyms`` has the scopes."""
        return [text for text, _ in self.model.hierarchy.synonyms(self.id)]

    @property
    def definition(self) -> str | None:
        """What it means, if the source says so."""
        return self.model.hierarchy.definition(self.id)

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
    def depth(self) -> int:
        """The length of the longest path up; 0 for a root."""
        return int(self.model.hierarchy.depths[self.id])

    @property
    def parents(self) -> Concepts:
        """The nearest concepts above it."""
        return self.model._concepts(self.model._native.hypernyms(self.id, True))

    @property
    def children(self) -> Concepts:
        """The nearest concepts below it."""
        return self.model._concepts(self.model._native.hyponyms(self.id, True))

    @property
    def hypernyms(self) -> Concepts:
        """Everything above, the most general first."""
        return self.model._concepts(self.model._native.hypernyms(self.id, False))

    @property
    def hyponyms(self) -> Concepts:
        """Everything below, the most general first."""
        return self.model._concepts(self.model._native.hyponyms(self.id, False))

    @property
    def siblings(self) -> Concepts:
        """The other children of its parents, by id."""
        native = self.model._hierarchy._native
        parents = native.parents(self.id)
        ids = {int(child) for parent in parents for child in native.children(parent)}
        return self.model._concepts(np.array(sorted(ids - {self.id}), dtype=np.uint32))

    @property
    def path(self) -> Concepts:
        """A shortest path from a root down to it, with both ends.

        >>> import binder
        >>> binder.encode([("puppy", "dog"), ("dog", "pet")])["puppy"].path.names
        ['pet', 'dog', 'puppy']
        """
        return self.model._concepts(_path(self.model._hierarchy._native.parents, self.id))

    @property
    def is_root(self) -> bool:
        """Whether nothing is above it."""
        return len(self.model._hierarchy._native.parents(self.id)) == 0

    @property
    def is_leaf(self) -> bool:
        """Whether nothing is below it."""
        return len(self.model._hierarchy._native.children(self.id)) == 0

    def is_a(self, parent: ConceptLike) -> bool:
        """Whether it is a `parent`; so is everything of itself. ``self <= parent`` is the same."""
        return self.model.is_a(self.id, parent)

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

        if isinstance(other, Place):
            return self in other
        return self.is_a(other)

    def __lt__(self, other: ConceptLike) -> bool:
        return self != other and self.is_a(other)

    def __ge__(self, other: ConceptLike) -> bool:
        return self.model.is_a(other, self.id)

    def __gt__(self, other: ConceptLike) -> bool:
        return self != other and self >= other

    def __contains__(self, other: ConceptLike) -> bool:
        return self >= other

    def __or__(self, other: ConceptLike | Place) -> Place:
        from ._place import joined

        return joined(self.model, self, other)

    __ror__ = __or__

    def __and__(self, other: ConceptLike | Place) -> Place:
        from ._place import met

        return met(self.model, self, other)

    __rand__ = __and__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Concept):
            return self.name == other.name
        return self.name == other if isinstance(other, str) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.bits.astype(dtype or np.uint8, copy=False)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        circles = "".join("●" if bit else "○" for bit in self.bits)
        return f"Concept({self.name!r}, {circles})"

    def _repr_html_(self) -> str:
        """Its name, label and place, and a circle for each bit with its meaning as a tooltip."""
        about = self.describe()
        label = (
            f' <span style="opacity:.7">{html.escape(about.label)}</span>' if about.label else ""
        )
        counts = f"{about.hypernyms:,} above, {about.hyponyms:,} below"
        lines = [
            f"<b>{html.escape(self.name)}</b>{label}",
            f"<small>{counts}; parents: {_listed(about.parents)}</small>",
        ]
        if about.definition:
            lines.insert(1, f"<i>{html.escape(about.definition)}</i>")
        origins = {meaning.bit: ", ".join(meaning.origin) for meaning in about.bits}
        return (
            f'<div style="line-height:1.5">{"<br>".join(lines)}<br>{self._circles(origins)}</div>'
        )

    def _circles(self, origins: dict[int, str]) -> str:
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
        return f'{svg} pointer-events="all">{"".join(circles)}</svg>'


def _path(parents: Callable[[int], NDArray[np.uint32]], concept: int) -> NDArray[np.uint32]:
    """A shortest path down to a concept, found breadth first from below."""
    below, here = {concept: concept}, [concept]
    while here:
        for one in here:
            if len(parents(one)) == 0:
                path = [one]
                while path[-1] != concept:
                    path.append(below[path[-1]])
                return np.array(path, dtype=np.uint32)
        above = []
        for one in here:
            for parent in parents(one).tolist():
                if parent not in below:
                    below[parent] = one
                    above.append(parent)
        here = above
    return np.array([concept], dtype=np.uint32)


def _listed(names: list[str], most: int = 5) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return (html.escape(", ".join(names[:most])) or "none") + more
