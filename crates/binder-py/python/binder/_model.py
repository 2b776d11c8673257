"""`binder.Model`: concepts and a code for each, ready for questions."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _convert, _core, _export, _hub, _plot, _progress
from ._answers import Complement, Description, Explanation, Picture
from ._arrays import ConceptLike, ConceptsLike, is_one
from ._coded import CodedConcept, CodedConcepts
from ._diff import Diff
from ._hierarchy import Hierarchy
from ._keyed import Keyed
from ._place import Place
from ._settings import whole_number
from ._update import Update
from .errors import InputError


class Model(Keyed):
    """Concepts and a bit code for each: *a* is-a *b* exactly when *a* has every bit of *b*.

    `binder.encode`, `binder.train` and `Model.load` make models. A concept is given by its name, an
    alias, a label or a synonym (whatever the case, with ``_``, ``-`` or a space, in the singular or
    the plural), by its id, which is its row in `codes`, or as a `Concept`. The same holds of every
    name in an array. Methods of a model answer with names; ``model[name]`` is a `CodedConcept`,
    whose relations are concepts.

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
    def roots(self) -> list[str]:
        """Concepts without a parent, as in `hierarchy.roots`.

        >>> import binder
        >>> binder.encode([("cat", "pet"), ("dog", "pet")]).roots
        ['pet']
        """
        return self._hierarchy.roots

    @property
    def notes(self) -> dict[str, str]:
        """How the codes were made: everything that is needed to make them again."""
        return self._native.notes

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
        definition: str | None = None,
    ) -> Model:
        """The model with one more concept, under its parents or with the value of an expression.

        No bit of an old code changes.

        Args:
            name: what it is called.
            parents: the concepts that it is directly below, one or several.
            expression: what it is instead, such as "dog & young".
            definition: what it means, for the model to keep.

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
        return Model._of(self._native.add(name, names, expression, definition))

    def _parent(self, parent: ConceptLike) -> str:
        """The name of a parent. An unknown one stays as it is: the library says what is wrong."""
        if isinstance(parent, str) and parent not in self:
            return parent
        return self._lookup.name(self._id(parent))

    def add_all(self, pairs: Iterable[tuple[str, str]]) -> Model:
        """The model with more concepts, from pairs (child, parent).

        The children are new; the parents are concepts of the model or new, too.
        """
        new: dict[str, list[str]] = {}
        for child, parent in pairs:
            new.setdefault(child, []).append(parent)
        return Model._of(self._native.add_all(list(new.items())))

    def diff(self, new: Any, *, progress: bool = True) -> Diff:
        """What differs in a new version of the model's hierarchy; see `Hierarchy.diff`."""
        return self._hierarchy.diff(new, progress=progress)

    def update(self, new: Any, *, progress: bool = True) -> Update:
        """Exact codes for a new version of the hierarchy; as few codes as possible change.

        Codes sit in people's tables. A concept that has the same concepts above it as before keeps
        its code, unless another needs room; new and relocated ones are fitted in. Every pair is
        checked. The new model is the same as that of ``binder update``, byte for byte.

        Args:
            new: a `Hierarchy`, or any source that it takes.
            progress: show a progress bar, in terminals and notebooks, after a second.

        >>> import binder
        >>> pairs = [("dog", "pet"), ("cat", "pet"), ("puppy", "dog")]
        >>> update = binder.encode(pairs).update([*pairs, ("kitten", "cat")])
        >>> update
        Update(5 concepts, 3 bits, 0 appended; 4 of 4 codes stay)
        >>> update.model.is_a("kitten", "pet")
        True
        """
        version = Hierarchy(new, progress=progress)
        with _progress.bar(progress) as bar:
            updated = _core.update(self._native, version._native, bar)
        return Update(updated, Model._of(updated.model()))

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

    def __iter__(self) -> Iterator[CodedConcept]:
        return iter(self[:])

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

    def _one(self, id: int, name: str) -> CodedConcept:
        return CodedConcept(self, id, name)

    def _some(self, ids: NDArray[Any]) -> CodedConcepts:
        return CodedConcepts(self, ids)

    def _derived(self, bits: set[int]) -> Place:
        return self._place(*self._native.derived(sorted(bits)))

    def _place(self, standing: dict[str, Any], below: NDArray[np.uint32]) -> Place:
        return Place._of(self, standing, below)
