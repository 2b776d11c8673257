"""`binder.Concept`: one concept of a hierarchy, which leads to others."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._arrays import ConceptLike
    from ._concepts import Concepts
    from ._hierarchy import Hierarchy


class Concept:
    """A concept of a hierarchy: ``hierarchy["dog.n.01"]``. What is related to it are concepts, too.

    >>> import binder
    >>> animals = binder.Hierarchy("wordnet-animals")
    >>> dog = animals["dog"]
    >>> dog.name, dog.parents.names
    ('dog.n.01', ['domestic_animal.n.01', 'canine.n.02'])
    >>> dog.parents[1].parents[0].label
    'carnivore'
    >>> puppy, cat = animals["puppy"], animals["cat"]
    >>> puppy <= dog, dog <= puppy, puppy in dog
    (True, False, True)

    ``a <= b`` is "a is-a b", ``a < b`` the same of two different concepts, and ``a in b`` reads b
    as the set of everything below it. A concept of a model, ``model["dog.n.01"]``, can do more: see
    `CodedConcept`.

    A concept equals every concept of the same name, and its name, so that it can be looked up in
    sets and dictionaries of either.

    >>> dog == "dog.n.01", "dog.n.01" in {dog}
    (True, True)
    """

    __slots__ = ("hierarchy", "id", "name")

    def __init__(self, hierarchy: Hierarchy, id: int, name: str) -> None:
        #: The hierarchy that it belongs to.
        self.hierarchy = hierarchy
        #: Its number in the hierarchy.
        self.id = id
        #: Its unique name.
        self.name = name

    @property
    def label(self) -> str | None:
        """What people call it, if the source says so."""
        return self.hierarchy.label(self.id)

    @property
    def synonyms(self) -> list[str]:
        """What else people call it, the closest first; ``hierarchy.synonyms`` has the scopes."""
        return [text for text, _ in self.hierarchy.synonyms(self.id)]

    @property
    def definition(self) -> str | None:
        """What it means, if the source says so."""
        return self.hierarchy.definition(self.id)

    @property
    def depth(self) -> int:
        """The length of the longest path up; 0 for a root."""
        return self.hierarchy._native.depth(self.id)

    @property
    def parents(self) -> Concepts:
        """The nearest concepts above it."""
        return self._some(self.hierarchy._native.parents(self.id))

    @property
    def children(self) -> Concepts:
        """The nearest concepts below it."""
        return self._some(self.hierarchy._native.children(self.id))

    @property
    def hypernyms(self) -> Concepts:
        """Everything above, parents before children."""
        return self._some(self.hierarchy._native.ancestors(self.id))

    @property
    def hyponyms(self) -> Concepts:
        """Everything below, parents before children."""
        return self._some(self.hierarchy._native.descendants(self.id))

    @property
    def siblings(self) -> Concepts:
        """The other children of its parents, by id."""
        native = self.hierarchy._native
        parents = native.parents(self.id).tolist()
        ids = {child for parent in parents for child in native.children(parent).tolist()}
        return self._some(np.array(sorted(ids - {self.id}), dtype=np.uint32))

    @property
    def path(self) -> Concepts:
        """A shortest path from a root down to it, with both ends.

        >>> import binder
        >>> binder.Hierarchy([("puppy", "dog"), ("dog", "pet")])["puppy"].path.names
        ['pet', 'dog', 'puppy']
        """
        return self._some(_path(self.hierarchy, self.id))

    @property
    def is_root(self) -> bool:
        """Whether nothing is above it."""
        return len(self.hierarchy._native.parents(self.id)) == 0

    @property
    def is_leaf(self) -> bool:
        """Whether nothing is below it."""
        return len(self.hierarchy._native.children(self.id)) == 0

    def is_a(self, parent: ConceptLike) -> bool:
        """Whether it is a `parent`; so is everything of itself. ``self <= parent`` is the same."""
        return self._is_a(self.id, self.hierarchy.id(parent))

    def __le__(self, other: ConceptLike) -> bool:
        return self.is_a(other)

    def __ge__(self, other: ConceptLike) -> bool:
        return self._is_a(self.hierarchy.id(other), self.id)

    def __lt__(self, other: ConceptLike) -> bool:
        return self.hierarchy.id(other) != self.id and self <= other

    def __gt__(self, other: ConceptLike) -> bool:
        return self.hierarchy.id(other) != self.id and self >= other

    def __contains__(self, other: ConceptLike) -> bool:
        return self >= other

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Concept):
            return self.name == other.name
        return self.name == other if isinstance(other, str) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Concept({self.name!r})"

    def _repr_html_(self) -> str:
        """Its name, label, definition and place, and what a subclass draws."""
        label = f' <span style="opacity:.7">{html.escape(self.label)}</span>' if self.label else ""
        lines = [f"<b>{html.escape(self.name)}</b>{label}"]
        if self.definition:
            lines.append(f"<i>{html.escape(self.definition)}</i>")
        counts = f"{len(self.hypernyms):,} above, {len(self.hyponyms):,} below"
        lines.append(f"<small>{counts}; parents: {_listed(self.parents.names)}</small>")
        lines += self._drawing()
        return f'<div style="line-height:1.5">{"<br>".join(lines)}</div>'

    def _drawing(self) -> list[str]:
        return []

    def _is_a(self, child: int, parent: int) -> bool:
        return self.hierarchy._native.is_a(child, parent)

    def _some(self, ids: NDArray[np.uint32]) -> Concepts:
        from ._concepts import Concepts

        return Concepts(self.hierarchy, ids)


def _path(hierarchy: Hierarchy, concept: int) -> NDArray[np.uint32]:
    """A shortest path down to a concept, found breadth first from below."""
    parents = hierarchy._native.parents
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
