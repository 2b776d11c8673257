"""`binder.Model`: concepts and a code for each, ready for questions."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from . import _convert, _core, _export, _hub, _plot
from ._answers import Complement, Description, Explanation, Hit, Neighbour, Picture
from ._arrays import (
    ConceptLike,
    ConceptsLike,
    checked,
    is_one,
    known_ids,
    many_ids,
    one_id,
)
from ._concept import Concept
from ._concepts import Concepts
from ._hierarchy import Hierarchy
from ._place import Place
from ._settings import whole_number
from .errors import InputError, UnknownConcept

T = TypeVar("T")


class Model:
    """Concepts and a bit code for each: *a* is-a *b* exactly when *a* has every bit of *b*.

    `binder.encode`, `binder.train` and `Model.load` make models. A concept is given by its name, an
    alias, a label or a synonym (whatever the case, with ``_``, ``-`` or a space, in the singular or
    the plural), by its id, which is its row in `codes`, or as a `Concept`. The same holds of every
    name in an array. Methods of a model answer with names; ``model[name]`` is a `Concept`, whose
    relations are concepts.

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
    Concepts(['pet'])
    >>> model["puppy"].parents
    Concepts(['dog', 'pet'])

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

    def ids(
        self, concepts: ConceptsLike, *, missing: Literal["raise"] | int = "raise"
    ) -> NDArray[Any]:
        """The ids of many concepts; a number as `missing` stands for unknown ones."""
        return self._hierarchy.ids(concepts, missing=missing)

    @property
    def index_to_key(self) -> list[str]:
        """All names, in the order of the rows of `vectors`; the same as `names`."""
        return self.names

    @property
    def key_to_index(self) -> dict[str, int]:
        """From each name to its row in `vectors`."""
        return {name: id for id, name in enumerate(self._hierarchy.names)}

    @property
    def vectors(self) -> NDArray[np.uint8]:
        """A 0 or 1 for each bit of each concept, uint8 [n, bits]. It is made when it is asked for.

        `codes` has the same bits in an eighth of the memory, without a copy.
        """
        return self._native.bits()

    def find(self, text: str) -> str:
        """The concept that a text stands for.

        The text is a name, another spelling of an identifier (a CURIE or an IRI), a label, a
        synonym, or the unique beginning of one. Where several concepts share a word, it is the
        likeliest; `senses` has the others. All other methods take whole names, labels and synonyms,
        but no beginnings.

        >>> import binder
        >>> animals = binder.encode(binder.Hierarchy("wordnet-animals"))
        >>> animals.find("Golden Retrievers")
        'golden_retriever.n.01'
        """
        return self._hierarchy.find(text)

    def senses(self, text: str) -> list[str]:
        """The concepts that a text may stand for, the likeliest first.

        >>> import binder
        >>> animals = binder.encode(binder.Hierarchy("wordnet-animals"))
        >>> animals.senses("cat")
        ['cat.n.01', 'big_cat.n.01']
        """
        return self._hierarchy.senses(text)

    def search(self, text: str, n: int = 10) -> list[Hit]:
        """Concepts that are called much like a text, the most similar first.

        Words may be in any order, and typing errors are tolerated.
        """
        return self._hierarchy.search(text, n)

    @overload
    def is_a(  # type: ignore[overload-overlap]
        self,
        child: ConceptLike,
        parent: ConceptLike,
        *,
        missing: Literal["raise", False] = "raise",
    ) -> bool: ...
    @overload
    def is_a(  # type: ignore[overload-overlap]
        self, child: ConceptLike, parent: ConceptLike, *, missing: Literal["nan"]
    ) -> float: ...
    @overload
    def is_a(
        self, child: ConceptsLike, parent: ConceptsLike, *, missing: Literal["nan"]
    ) -> NDArray[np.float64]: ...
    @overload
    def is_a(
        self,
        child: ConceptsLike,
        parent: ConceptsLike,
        *,
        missing: Literal["raise", False] = "raise",
    ) -> NDArray[np.bool_]: ...
    def is_a(self, child: Any, parent: Any, *, missing: Any = "raise") -> Any:
        """Whether `child` is a `parent`; true of a concept and itself.

        With arrays of ids or names on either side, an array of answers: element by element, as
        NumPy broadcasts. It runs on all cores, without a Python loop, while other Python threads go
        on.

        Args:
            child: one concept or many.
            parent: one concept or many.
            missing: what an unknown concept, or a missing one (None, NaN), means: "raise" an error,
                False the answer False, and "nan" NaN, with 1.0 and 0.0 for yes and no.

        >>> import binder
        >>> model = binder.encode(binder.Hierarchy("wordnet-animals"))
        >>> model.is_a("golden retriever", "dog")
        True
        >>> model.is_a(model.ids(["dog.n.01", "cat.n.01"]), model.id("carnivore.n.01"))
        array([ True,  True])
        >>> model.is_a(["dog", "spaceship", None, "cat"], "carnivore", missing="nan")
        array([ 1., nan, nan,  1.])
        """
        if missing != "raise":
            return self._is_a_or(child, parent, missing)
        if is_one(child) and is_one(parent):
            return self._native.is_a(self._id(child), self._id(parent))
        children, parents = _together(self._ids(child), self._ids(parent))
        return self._native.is_a_arrays(_flat(children), _flat(parents)).reshape(children.shape)

    def _is_a_or(self, child: Any, parent: Any, missing: object) -> Any:
        """The same where unknown concepts are no error."""
        if missing is not False and missing != "nan":
            raise InputError(f"missing is {missing!r}; choose 'raise', 'nan' or False")
        core = self._hierarchy._native
        (children, known), (parents, known_too) = known_ids(core, child), known_ids(core, parent)
        children, parents = _together(children, parents)
        known = known & known_too
        answers = self._native.is_a_arrays(_flat(children), _flat(parents)) & _flat(known)
        if missing == "nan":
            found = np.where(_flat(known), answers.astype(np.float64), np.nan)
        else:
            found = answers
        found = found.reshape(children.shape)
        return found if found.ndim or not is_one(child) or not is_one(parent) else found.item()

    @overload
    def similarity(  # type: ignore[overload-overlap]
        self, a: ConceptLike, b: ConceptLike, by: str = ...
    ) -> float: ...
    @overload
    def similarity(
        self, a: ConceptsLike, b: ConceptsLike, by: str = ...
    ) -> NDArray[np.float64]: ...
    def similarity(self, a: Any, b: Any, by: str = "jaccard") -> Any:
        """How similar concepts are, from 0 to 1; with arrays on either side, an array.

        Args:
            a: one concept or many.
            b: one concept or many.
            by: "jaccard" (shared bits, of all bits of the two), "hamming" (equal bits, of all),
                "path" (1 / (1 + steps)), "wu-palmer" or "lin". The last three are those of WordNet
                tools, and walk the hierarchy.

        >>> import binder
        >>> animals = binder.encode("wordnet-animals")
        >>> round(animals.similarity("dog", "wolf", by="wu-palmer"), 2)
        0.88
        >>> animals.similarity(["dog", "cat"], "dog").round(2)
        array([1. , 0.5])
        """
        found = self._scores(a, b, by)
        similar = 1 - found / self.n_bits if by == "hamming" else found
        return similar if np.ndim(similar) else float(similar)

    @overload
    def distance(  # type: ignore[overload-overlap]
        self, a: ConceptLike, b: ConceptLike, by: str = ...
    ) -> float: ...
    @overload
    def distance(self, a: ConceptsLike, b: ConceptsLike, by: str = ...) -> NDArray[np.float64]: ...
    def distance(self, a: Any, b: Any, by: str = "jaccard") -> Any:
        """How far concepts are from each other: 1 − similarity, and bits that differ for "hamming".

        >>> import binder
        >>> binder.encode([("cat", "pet"), ("dog", "pet")]).distance("cat", "dog", by="hamming")
        2.0
        """
        found = self._scores(a, b, by)
        far = found if by == "hamming" else 1 - found
        return far if np.ndim(far) else float(far)

    def _scores(self, a: Any, b: Any, by: str) -> NDArray[np.float64]:
        ones, others = _together(self._ids(a), self._ids(b))
        found = self._native.similarities(_flat(ones), _flat(others), by)
        return found.reshape(ones.shape)

    def most_similar(
        self, concept: ConceptLike, topn: int = 10, *, by: str = "jaccard"
    ) -> list[Neighbour]:
        """`nearest` by the name it has in gensim: pairs of a name and its similarity."""
        return self.nearest(concept, topn, by=by)

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
        >>> binder.encode(binder.Hierarchy(pairs)).expr("pet & dog").below.names
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
        found = self._native.nearest(self._id(concept), whole_number("n", n), by)
        return [Neighbour._of(scored) for scored in found["concepts"]]

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
        names = [self._parent(parent) for parent in above]
        return Model._of(self._native.add(name, names, expression))

    def _parent(self, parent: ConceptLike) -> str:
        """The name of a parent. An unknown one stays as it is: the library says what is wrong."""
        if isinstance(parent, str) and parent not in self:
            return parent
        return self._name(self._id(parent))

    def add_all(self, pairs: Iterable[tuple[str, str]]) -> Model:
        """The model with more concepts, from pairs (child, parent).

        The children are new; the parents are concepts of the model or new, too.
        """
        new: dict[str, list[str]] = {}
        for child, parent in pairs:
            new.setdefault(child, []).append(parent)
        return Model._of(self._native.add_all(list(new.items())))

    def picture(self, concept: ConceptLike, *, children: int = 8) -> Picture:
        """A drawing of a concept, what is above it and what is directly below, with their bits.

        A notebook shows it; ``print`` writes it as text, and ``save`` as an SVG file.

        Args:
            concept: the one in the middle.
            children: the most children to draw.

        >>> import binder
        >>> print(binder.encode([("cat", "pet"), ("dog", "pet"), ("puppy", "dog")]).picture("dog"))
        pet          ○○○
        └─ dog       ○●○
           └─ puppy  ○●●
        """
        return Picture(*self._native.picture(self._id(concept), whole_number("children", children)))

    def plot_bits(self, concepts: ConceptsLike | None = None, *, ax: Any = None) -> Any:
        """Draws the bits of concepts with matplotlib, a row each, and returns the axes."""
        return _plot.bits(self, concepts, ax)

    def plot_tree(self, concept: ConceptLike, *, depth: int = 2, ax: Any = None) -> Any:
        """Draws a concept and what is below it, as deep as `depth`, and returns the axes."""
        return _plot.tree(self, concept, depth, ax)

    def export(
        self, path: str | os.PathLike[str], format: str | None = None, **options: Any
    ) -> list[pathlib.Path]:
        """Writes the codes, or the hierarchy itself, in the format of another tool.

        Args:
            path: the file; its ending tells the format. Files appear whole or not at all.
            format: for the codes "tsv", "npy", "word2vec", "parquet" or "sql"; for the hierarchy
                "csv", "json", "obo", "ttl", "dot", "graphml" or "edges" (docs/export.md).
            **options: ``unpacked`` of npy, ``signed`` of parquet; ``dialect`` ("postgres" or
                "duckdb"), ``table`` and ``bit_column`` of sql.

        Returns:
            The files: an array has its names in a second one.

        >>> import pathlib, tempfile
        >>> import binder
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     files = binder.encode("toy").export(pathlib.Path(folder) / "toy.npy")
        ...     [file.name for file in files]
        ['toy.npy', 'toy.names.txt', 'toy.sfv']
        """
        format = _export.format_of(path, format, {**_export.HIERARCHIES, **_export.CODES})
        checked_options = _export.checked_options(format, options)
        if format not in _export.CODES.values():
            self._hierarchy.save(path, format)
            return [pathlib.Path(path)]
        files = _core.export(self._native, path, format, checked_options)
        return [pathlib.Path(file) for file in files]

    def save_pretrained(self, folder: str | os.PathLike[str], **card: str) -> None:
        """Writes a folder in the manner of model hubs: the model, ``config.json``, a model card.

        Args:
            folder: it is made if it is not there.
            **card: lines for the head of the card, such as ``license="mit"`` or ``language="en"``.

        >>> import tempfile
        >>> import binder
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     binder.encode("toy").save_pretrained(folder, license="mit")
        ...     binder.Model.from_pretrained(folder)
        Model(15 concepts, 8 bits)
        """
        _hub.save(self, folder, card)

    @classmethod
    def from_pretrained(cls, folder: str | os.PathLike[str]) -> Model:
        """Opens a folder that `save_pretrained` wrote. Nothing is downloaded."""
        return cls.load(_hub.model_in(folder))

    def to_polars(self, *, bits: bool = False) -> Any:
        """The same as `to_pandas`, for polars, with a column id."""
        return _convert.model_to_polars(self, bits)

    def to_torch(self, concepts: ConceptsLike | None = None) -> Any:
        """The bits of all concepts, or of some, as a PyTorch tensor, uint8 [n, bits]."""
        return _convert.model_to_torch(self, concepts)

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

    @overload
    def __getitem__(self, concept: ConceptLike) -> Concept: ...  # type: ignore[overload-overlap]
    @overload
    def __getitem__(self, concept: slice | ConceptsLike) -> Concepts: ...
    def __getitem__(self, concept: Any) -> Concept | Concepts:
        """One concept by name or id; several by a list, an array, a mask or a slice."""
        if is_one(concept):
            return self._concept(self._id(concept))
        if isinstance(concept, slice):
            return Concepts(self, np.arange(len(self), dtype=np.uint32)[concept])
        if isinstance(concept, float):
            raise InputError("a concept is a name, a number or a Concept, not float")
        if isinstance(concept, np.ndarray) and concept.dtype == bool:
            return Concepts(self, np.flatnonzero(concept).astype(np.uint32))
        return Concepts(self, _flat(self.ids(concept)))

    @overload
    def get(self, concept: ConceptLike) -> Concept | None: ...
    @overload
    def get(self, concept: ConceptLike, default: T) -> Concept | T: ...
    def get(self, concept: ConceptLike, default: Any = None) -> Any:
        """The concept of that name, label or synonym, or a default.

        >>> import binder
        >>> binder.encode("toy").get("spaceship", "none")
        'none'
        """
        try:
            return self[concept]
        except UnknownConcept:
            return default

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.vectors.astype(dtype or np.uint8, copy=False)

    def __len__(self) -> int:
        return len(self._native)

    def __iter__(self) -> Iterator[Concept]:
        return (Concept(self, id, name) for id, name in enumerate(self.names))

    def __contains__(self, concept: object) -> bool:
        return concept in self._hierarchy

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
            return checked(self._hierarchy._native, np.array(self._id(concepts))).reshape(())
        return many_ids(self._hierarchy._native, concepts)

    def _name(self, id: int) -> str:
        return self._hierarchy._native.name(id)

    def _named(self, ids: NDArray[Any]) -> list[str]:
        return self._hierarchy._named(ids)

    def _concept(self, id: int) -> Concept:
        return Concept(self, id, self._name(id))

    def _concepts(self, ids: NDArray[np.uint32]) -> Concepts:
        return Concepts(self, ids)

    def _place(self, standing: dict[str, Any], below: NDArray[np.uint32]) -> Place:
        return Place._of(self, standing, below)


def _together(a: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both in the shape that NumPy gives them together."""
    if a.shape == b.shape:
        return a, b
    try:
        a, b = np.broadcast_arrays(a, b)
    except ValueError as error:
        raise InputError(f"children and parents do not go together: {error}") from None
    return a, b


def _flat(ids: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(ids).reshape(-1)
