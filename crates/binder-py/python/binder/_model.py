"""`binder.Model`: concepts and a code for each, ready for questions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _convert, _core
from ._answers import Complement, Description, Explanation, Hit, Neighbour, Place
from ._arrays import ConceptLike, ConceptsLike, checked, is_one, many_ids, one_id
from ._concept import Concept
from ._hierarchy import Hierarchy
from .errors import InputError


class Model:
    """Concepts and a bit code for each: *a* is-a *b* exactly when *a* has every bit of *b*.

    `binder.encode`, `binder.train` and `Model.load` make models. A concept is given by its name, an
    alias, its id, or a `Concept`.

    >>> import binder
    >>> pairs = [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet")]
    >>> model = binder.encode(binder.Hierarchy([*pairs, ("puppy", "dog")]))
    >>> model
    Model(5 concepts, 3 bits)
    >>> model.is_a("puppy", "pet"), model.is_a("cat", "dog")
    (True, False)
    >>> model.is_a(["puppy", "cat"], "dog")
    array([ True, False])
    >>> model.join("cat", "puppy").nearest_above
    ['pet']

    A model never changes: `add` returns a new one. So NumPy can see `codes` without a copy.
    """

    __slots__ = ("__weakref__", "_hierarchy", "_native")

    _native: _core.Model
    _hierarchy: Hierarchy

    def __init__(self) -> None:
        raise TypeError(
            "make a model with binder.encode(hierarchy), binder.train(hierarchy) or "
            "Model.load(path)"
        )

    @classmethod
    def _of(cls, core: _core.Model) -> Model:
        self = object.__new__(cls)
        self._native, self._hierarchy = core, Hierarchy._of(core.hierarchy)
        return self

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Opens a model file. Everything is checked and copied into memory."""
        return cls._of(_core.Model.open(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, a safetensors file.

        It is written in one step: at any time, `path` is the old file or the new.
        """
        self._native.save(path)

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        """A model from the bytes of its file."""
        return cls._of(_core.Model.from_bytes(data))

    def to_bytes(self) -> bytes:
        """The bytes of the model's file."""
        return self._native.to_bytes()

    @property
    def hierarchy(self) -> Hierarchy:
        """The concepts, and the direct pairs that the model keeps; shared, not copied."""
        return self._hierarchy

    @property
    def names(self) -> list[str]:
        """All names, in the order of the ids and of the rows of `codes`."""
        return self._hierarchy.names

    @property
    def notes(self) -> dict[str, str]:
        """How the codes were made: everything that is needed to make them again."""
        return self._native.notes

    @property
    def n_bits(self) -> int:
        """How many bits a code has."""
        return self._native.n_bits

    @property
    def codes(self) -> NDArray[np.uint64]:
        """All codes, uint64 [n, words]: a read-only view of the model's memory, not a copy.

        Bit ``j`` of concept ``i`` is bit ``j % 64`` of ``codes[i, j // 64]``.

        >>> import binder
        >>> codes = binder.encode(binder.Hierarchy("toy")).codes
        >>> codes.dtype, codes.shape, codes.flags.writeable, codes.flags.owndata
        (dtype('uint64'), (15, 1), False, False)
        """
        return self._native.codes

    def bits(self, concepts: ConceptsLike | None = None) -> NDArray[np.uint8]:
        """A 0 or 1 for each bit, uint8 [n, bits], of all concepts or of some.

        >>> import binder
        >>> model = binder.encode(binder.Hierarchy([("cat", "pet"), ("dog", "pet")]))
        >>> model.bits(["pet", "cat", "dog"])
        array([[0, 0],
               [1, 0],
               [0, 1]], dtype=uint8)
        """
        if concepts is None:
            return self._native.bits()
        if is_one(concepts):
            ids = np.array([self._id(concepts)])
            return self._native.bits(ids)[0]  # type: ignore[no-any-return]
        return self._native.bits(_flat(many_ids(self._hierarchy._native, concepts)))

    def id(self, concept: ConceptLike) -> int:
        """The id of a concept: its row in `codes`."""
        return self._hierarchy.id(concept)

    def ids(self, concepts: ConceptsLike) -> NDArray[np.uint32]:
        """The ids of many concepts."""
        return self._hierarchy.ids(concepts)

    def find(self, text: str) -> str:
        """The concept that a text stands for.

        The text is a name, another spelling of an identifier (a CURIE or an IRI), a label, a
        synonym, or the unique beginning of one. Where several concepts share a word, it is the
        likeliest; `senses` has the others. All other methods take only whole names and ids.

        >>> import binder
        >>> animals = binder.encode(binder.Hierarchy("wordnet-animals"))
        >>> animals.find("Golden Retrievers")
        'golden_retriever.n.01'
        """
        return self._hierarchy.name(self._native.find(text))

    def senses(self, text: str) -> list[str]:
        """The concepts that a text may stand for, the likeliest first.

        >>> import binder
        >>> animals = binder.encode(binder.Hierarchy("wordnet-animals"))
        >>> animals.senses("cat")
        ['cat.n.01', 'big_cat.n.01']
        """
        return [self._hierarchy.name(id) for id in self._native.senses(text)]

    def search(self, text: str, n: int = 10) -> list[Hit]:
        """Concepts that are called much like a text, the most similar first.

        Words may be in any order, and typing errors are tolerated.
        """
        return [Hit._of(found) for found in self._native.search(text, n)["concepts"]]

    @overload
    def is_a(  # type: ignore[overload-overlap]
        self, child: ConceptLike, parent: ConceptLike
    ) -> bool: ...
    @overload
    def is_a(self, child: ConceptsLike, parent: ConceptsLike) -> NDArray[np.bool_]: ...
    def is_a(self, child: Any, parent: Any) -> bool | NDArray[np.bool_]:
        """Whether `child` is a `parent`; true of a concept and itself.

        With arrays of ids or names on either side, an array of answers: element by element, as
        NumPy broadcasts. It runs on all cores, without a Python loop, while other Python threads go
        on.

        >>> import binder
        >>> model = binder.encode(binder.Hierarchy("wordnet-animals"))
        >>> model.is_a("golden_retriever.n.01", "dog.n.01")
        True
        >>> model.is_a(model.ids(["dog.n.01", "cat.n.01"]), model.id("carnivore.n.01"))
        array([ True,  True])
        """
        if is_one(child) and is_one(parent):
            return self._native.is_a(self._id(child), self._id(parent))
        children, parents = self._ids(child), self._ids(parent)
        if children.shape != parents.shape:
            try:
                children, parents = np.broadcast_arrays(children, parents)
            except ValueError as error:
                raise InputError(f"children and parents do not go together: {error}") from None
        return self._native.is_a_arrays(_flat(children), _flat(parents)).reshape(children.shape)

    def hypernyms(self, concept: ConceptLike, *, nearest: bool = False) -> list[str]:
        """Everything above a concept, the most general first; or only the nearest."""
        return self._named(self._native.hypernyms(self._id(concept), nearest))

    def hyponyms(self, concept: ConceptLike, *, nearest: bool = False) -> list[str]:
        """Everything below a concept, the most general first; or only the nearest.

        >>> import binder
        >>> model = binder.encode(binder.Hierarchy("wordnet-animals"))
        >>> model.hyponyms("spaniel.n.01", nearest=True)[:2]
        ['brittany_spaniel.n.01', 'springer_spaniel.n.01']
        """
        return self._named(self._native.hyponyms(self._id(concept), nearest))

    def ranges(self, concept: ConceptLike) -> list[tuple[int, int]]:
        """The ranks of a concept and everything below it, as few ranges from first to last.

        A table that stores the rank of a concept (see `ranks`) finds "everything that is a dog"
        with an ordinary index: `rank BETWEEN first AND last` for each range.

        >>> import binder
        >>> model = binder.encode([("cat", "pet"), ("dog", "pet")])
        >>> model.ranges("pet")
        [(0, 2)]
        """
        return self._native.ranges(self._id(concept))

    @property
    def ranks(self) -> NDArray[np.uint32]:
        """The rank of each concept, in the order of ids: an order in which everything below a
        concept is few ranges.

        >>> import binder
        >>> sorted(binder.encode([("cat", "pet"), ("dog", "pet")]).ranks.tolist())
        [0, 1, 2]
        """
        return self._native.ranks()

    def meet(self, *concepts: ConceptLike) -> Place:
        """What is all of these at once: the bits that at least one of them has."""
        return self._place(*self._native.meet([self._id(concept) for concept in concepts]))

    def join(self, *concepts: ConceptLike) -> Place:
        """What these have in common: the bits that all of them have.

        ``nearest_above`` are their lowest common hypernyms.
        """
        return self._place(*self._native.join([self._id(concept) for concept in concepts]))

    def expr(self, expression: str) -> Place:
        """The value of an expression.

        ``a & b`` is the meet, ``a | b`` the join, ``!a`` the complement. There are parentheses, and
        names can be in double quotes.

        >>> import binder
        >>> pairs = [("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")]
        >>> binder.encode(binder.Hierarchy(pairs)).expr("pet & dog").below
        ['puppy']
        """
        return self._place(*self._native.expression(expression))

    def complement(self, concept: ConceptLike) -> Complement:
        """What a concept is not."""
        bits, unlike, disjoint = self._native.complement(self._id(concept))
        return Complement(bits, self._named(unlike), self._named(disjoint))

    def nearest(self, concept: ConceptLike, n: int = 10, *, by: str = "jaccard") -> list[Neighbour]:
        """The concepts that are most similar to one, and how similar they are.

        `by` is "jaccard", "path", "wu-palmer" or "lin" (similarities up to 1), or "hamming" (the
        number of bits that differ).
        """
        return [
            Neighbour._of(scored)
            for scored in self._native.nearest(self._id(concept), n, by)["concepts"]
        ]

    def explain(self, child: ConceptLike, parent: ConceptLike) -> Explanation:
        """Why a concept is, or is not, another.

        >>> import binder
        >>> model = binder.encode(binder.Hierarchy("wordnet-animals"))
        >>> print(model.explain("puppy.n.01", "carnivore.n.01"))
        yes: puppy.n.01 is-a carnivore.n.01
          puppy.n.01 → dog.n.01 → canine.n.02 → carnivore.n.01
          carnivore.n.01 has 8 bits, and puppy.n.01 has them all
        """
        return Explanation._of(*self._native.explain(self._id(child), self._id(parent)))

    def describe(self, concept: ConceptLike) -> Description:
        """All about a concept: its place, its bits and what each of them means."""
        return Description._of(*self._native.describe(self._id(concept)))

    def add(
        self,
        name: str,
        parents: ConceptLike | Iterable[ConceptLike] = (),
        *,
        expression: str | None = None,
    ) -> Model:
        """The model with one more concept, under its parents or with the value of an expression.

        No bit of an old code changes.

        >>> import binder
        >>> pets = binder.encode(binder.Hierarchy([("cat", "pet"), ("dog", "pet")]))
        >>> model = pets.add("puppy", ["dog"])
        >>> model.is_a("puppy", "pet"), model.is_a("puppy", "cat")
        (True, False)
        """
        above = [parents] if is_one(parents) else list(parents)  # type: ignore[arg-type]
        if expression is not None and above:
            raise InputError(
                "a concept is added under parents or by an expression; give one of them"
            )
        names = [
            parent if isinstance(parent, str) else self._name(self._id(parent)) for parent in above
        ]
        return Model._of(self._native.add(name, names, expression))

    def add_all(self, pairs: Iterable[tuple[str, str]]) -> Model:
        """The model with more concepts, from pairs (child, parent).

        The children are new; the parents are concepts of the model or new, too.
        """
        new: dict[str, list[str]] = {}
        for child, parent in pairs:
            new.setdefault(child, []).append(parent)
        return Model._of(self._native.add_all(list(new.items())))

    def to_pandas(self, *, bits: bool = False) -> Any:
        """A frame with the columns name, label and the words of the code, c0, c1, …

        With `bits` it has a column for each bit instead, b0, b1, …
        """
        return _convert.model_to_pandas(self, bits)

    def to_arrow(self) -> Any:
        """A pyarrow table with the columns id, name, label and the words of the code, c0, c1, …"""
        return _convert.model_to_arrow(self)

    def to_networkx(self) -> Any:
        """A NetworkX DiGraph with an edge from each child to each direct parent.

        The attribute ``code`` of a node has its bits.
        """
        return _convert.model_to_networkx(self)

    def to_keyed_vectors(self) -> Any:
        """gensim's KeyedVectors, with the bits as numbers."""
        return _convert.model_to_keyed_vectors(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __getitem__(self, concept: ConceptLike) -> Concept:
        id = self._id(concept)
        return Concept(self, id, self._name(id))

    def __len__(self) -> int:
        return len(self._native)

    def __iter__(self) -> Iterator[Concept]:
        return (Concept(self, id, name) for id, name in enumerate(self.names))

    def __contains__(self, concept: object) -> bool:
        return (
            concept.name in self._hierarchy
            if isinstance(concept, Concept)
            else concept in self._hierarchy
        )

    def __eq__(self, other: object) -> bool:
        return self._native == other._native if isinstance(other, Model) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: object) -> Model:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        return f"Model({len(self):,} concepts, {self.n_bits} bits)"

    def _repr_html_(self) -> str:
        import html

        notes = "".join(
            f"<tr><td>{html.escape(key)}</td><td>{html.escape(value)}</td></tr>"
            for key, value in self.notes.items()
        )
        title = f"<summary><b>{html.escape(repr(self))}</b></summary>"
        return f"<details>{title}<table>{notes}</table></details>"

    def _id(self, concept: ConceptLike) -> int:
        return one_id(self._hierarchy._native, concept)

    def _ids(self, concepts: Any) -> NDArray[Any]:
        if is_one(concepts):
            return checked(self._hierarchy._native, np.array(self._id(concepts)))
        return many_ids(self._hierarchy._native, concepts)

    def _name(self, id: int) -> str:
        return self._hierarchy._native.name(id)

    def _named(self, ids: NDArray[Any]) -> list[str]:
        return self._hierarchy._named(ids)

    def _place(self, standing: dict[str, Any], below: NDArray[np.uint32]) -> Place:
        return Place._of(standing, self._named(below))


def _flat(ids: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(ids).reshape(-1)
