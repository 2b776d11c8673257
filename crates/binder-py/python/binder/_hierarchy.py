"""`binder.Hierarchy`: concepts and their direct parents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _convert, _core, _export, _html, _progress
from ._arrays import ConceptLike, checked, is_one
from ._concept import Concept
from ._concepts import Concepts
from ._diff import Diff
from ._named import Named
from ._settings import checked_settings, whole_number
from ._source import from_graph, from_object
from ._split import Split
from .errors import InputError

#: How many pairs a notebook shows.
_SHOWN = 10


class Hierarchy(Named[Concept, Concepts]):
    """Concepts and their direct parents. Every pair is (child, parent): "child is-a parent".

    The source can be:

    - a path: edge lists (TSV, CSV, spaces), WordNet folders, OBO, RDF; plain, ``.gz`` or ``.zst``;
    - a built-in: ``"wordnet-nouns"``, ``"wordnet-animals"``, ``"toy"``;
    - an open file, or anything with a method ``read``;
    - a pandas or polars frame, or anything with Arrow's C stream. Columns with usual names such as
      id, parent, label, synonyms and definition are known by them, and ``child=``, ``parent=`` and
      so on choose others. An empty parent means a root, and a list of parents means all of them;
    - a NetworkX graph whose edges lead **from child to parent**; ``reverse=True`` if they lead from
      parent to child. Nodes may be anything, and ``label``, ``definition`` and ``synonyms`` of a
      node are kept;
    - a dictionary from each child to its parent or a list of them (None or [] for a root), or a
      nested one from parents to what is below them: ``{"animal": {"dog": {"puppy": {}}}}``;
    - an iterable of (child, parent) names, or of dictionaries, which are the rows of a table:
      ``[{"id": "dog", "parent": "pet", "label": "Dog"}, …]``.

    Whole numbers as ids become names: 7 is called "7". (Where a concept is asked for, the number 7
    is a row of the arrays, as in ``names[7]``, and ``"7"`` is the name.)

    >>> pairs = [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet")]
    >>> pets = Hierarchy([*pairs, ("puppy", "dog")])
    >>> pets
    Hierarchy(5 concepts, 5 direct pairs)
    >>> pets.parents("puppy")
    ['pet', 'dog']
    >>> pets.is_a("puppy", "animal")
    True

    Methods of a hierarchy answer with names; ``hierarchy[name]`` is a `Concept`, whose relations
    are concepts.

    >>> pets["puppy"].parents[0].parents
    Concepts(['animal'])

    A hierarchy never changes. Only direct pairs are kept; ``dropped`` counts the others.
    """

    __slots__ = ("_names", "_native")

    _native: _core.Hierarchy
    _names: list[str] | None

    def __init__(
        self,
        source: Any,
        *,
        columns: tuple[str, str] | tuple[int, int] | None = None,
        reverse: bool = False,
        cycles: str = "refuse",
        format: str | None = None,
        header: bool | None = None,
        child: str | int | None = None,
        parent: str | int | None = None,
        label: str | int | None = None,
        aliases: str | int | Sequence[str | int] = (),
        definition: str | int | None = None,
        relation_column: tuple[str | int, str] | None = None,
        cell_separator: str | None = None,
        delimiter: str | None = None,
        lenient: bool = False,
        comment: str | None = None,
        relations: str | Sequence[str] = (),
        language: str | None = None,
        verbs: bool = False,
        progress: bool = True,
    ) -> None:
        """Makes a hierarchy from a source.

        Args:
            source: see the class.
            columns: child and parent by name; in files also by number, from 1.
            reverse: the parent comes first.
            cycles: "refuse" makes a cycle an error that names it; "merge" makes it one concept.
            format: the format of a file, if its name and content do not tell; docs/formats.md has
                the names.
            header: whether the first row of a table is a header; the rows tell it otherwise.
            child: the column of the child, by name or by number from 1; also ``parent``, ``label``
                and ``definition``. The last two name properties where the file is RDF.
            aliases: columns of synonyms.
            relation_column: a column and the value of the rows to take.
            cell_separator: what separates several parents or synonyms in one cell.
            delimiter: the character between columns; the first lines tell it otherwise.
            lenient: leave out lines that are not valid OBO.
            comment: lines of a table that start with this are left out.
            relations: relations that count as is-a, in addition to the usual ones: by name for
                OBO, by IRI or prefixed name for RDF.
            language: the preferred language of RDF labels.
            verbs: read the verbs of a WordNet folder instead of the nouns.
            progress: show a progress bar while a long file is read.
        """
        self._names = None
        settings = {
            "format": format,
            "columns": columns,
            "header": header,
            "child": None if child is None else str(child),
            "parent": None if parent is None else str(parent),
            "label": None if label is None else str(label),
            "aliases": [str(column) for column in _listed(aliases)],
            "definition": None if definition is None else str(definition),
            "relation_column": relation_column,
            "cell_separator": cell_separator,
            "delimiter": delimiter,
            "lenient": lenient,
            "reverse": reverse,
            "comment": comment,
            "cycles": cycles,
            "relations": list(_listed(relations)),
            "language": language,
            "verbs": verbs,
        }
        options = checked_settings(settings)
        if isinstance(source, Hierarchy):
            self._native = source._native
        elif isinstance(owned := getattr(source, "hierarchy", None), Hierarchy):
            self._native = owned._native
        elif isinstance(source, (str, os.PathLike)):
            with _progress.bar(progress) as bar:
                self._native = _core.read(os.fspath(source), options, bar)
        else:
            with _progress.bar(progress) as bar:
                self._native = from_object(source, options, bar)

    @classmethod
    def _of(cls, core: _core.Hierarchy) -> Hierarchy:
        self = object.__new__(cls)
        self._native, self._names = core, None
        return self

    @classmethod
    def from_networkx(
        cls, graph: Any, *, reverse: bool = False, cycles: str = "refuse"
    ) -> Hierarchy:
        """From a NetworkX graph whose edges lead from child to parent.

        With ``reverse=True`` they lead from parent to child. Nodes without an edge become concepts
        too. Nodes may be anything; their ``str`` are the names.

        >>> import networkx
        >>> graph = networkx.DiGraph([("dog", "animal"), ("cat", "animal")])
        >>> Hierarchy.from_networkx(graph).children("animal")
        ['dog', 'cat']
        """
        return cls._of(from_graph(graph, reverse, cycles, None))

    @property
    def labels(self) -> list[str | None] | None:
        """The labels of the concepts, each None if there is none; None if no concept has one."""
        return self._native.labels()

    @property
    def aliases(self) -> dict[str, str]:
        """Other names of concepts, each with the name of its concept."""
        return {alias: self._native.name(id) for alias, id in self._native.aliases()}

    def name(self, id: int) -> str:
        """The name of an id."""
        return self._native.name(id)

    def label(self, concept: ConceptLike) -> str | None:
        """The label of a concept, or None.

        >>> Hierarchy("wordnet-animals").label("dog.n.01")
        'dog, domestic dog, Canis familiaris'
        """
        return self._native.label(self._id(concept))

    def synonyms(self, concept: ConceptLike) -> list[tuple[str, str]]:
        """What else people call a concept, each with its scope.

        The scope is "exact", "narrow", "broad", "related" or "other".

        >>> Hierarchy("wordnet").synonyms("dog.n.01")
        [('dog', 'exact'), ('domestic dog', 'exact'), ('Canis familiaris', 'exact')]
        """
        return self._native.synonyms(self._id(concept))

    def definition(self, concept: ConceptLike) -> str | None:
        """What a concept means, or None.

        >>> Hierarchy("wordnet").definition("puppy.n.01")
        'a young dog'
        """
        return self._native.definition(self._id(concept))

    def parents(self, concept: ConceptLike) -> list[str]:
        """Direct parents."""
        return self._named(self._native.parents(self._id(concept)))

    def children(self, concept: ConceptLike) -> list[str]:
        """Direct children."""
        return self._named(self._native.children(self._id(concept)))

    def ancestors(self, concept: ConceptLike) -> list[str]:
        """Everything above, parents before children."""
        return self._named(self._native.ancestors(self._id(concept)))

    def descendants(self, concept: ConceptLike) -> list[str]:
        """Everything below, parents before children."""
        return self._named(self._native.descendants(self._id(concept)))

    def is_a(self, child: ConceptLike, parent: ConceptLike) -> bool:
        """Whether `child` is `parent` or below it, found by walking the hierarchy."""
        if not (is_one(child) and is_one(parent)):
            raise InputError(
                "a hierarchy is asked for one pair of concepts at a time; a model, which "
                "binder.encode(hierarchy) makes, takes arrays"
            )
        return self._native.is_a(self._id(child), self._id(parent))

    def below(self, concept: ConceptLike) -> Hierarchy:
        """A concept and everything below it, as a hierarchy of its own."""
        return Hierarchy._of(self._native.below(self._id(concept)))

    @property
    def roots(self) -> list[str]:
        """Concepts without a parent."""
        return self._named(self._native.roots())

    @property
    def leaves(self) -> list[str]:
        """Concepts without a child."""
        return self._named(self._native.leaves())

    @property
    def depths(self) -> NDArray[np.uint32]:
        """The length of the longest path up from each concept."""
        return self._native.depths()

    def pairs(self) -> NDArray[np.uint32]:
        """The direct pairs (child, parent) by id, an array [m, 2]; ``named`` gives their names."""
        return self._native.pairs()

    def closure(self) -> NDArray[np.uint32]:
        """All pairs (child, ancestor) by id, an array [m, 2].

        >>> pets = Hierarchy([("puppy", "dog"), ("dog", "animal")])
        >>> pets.named(pets.closure())
        [('dog', 'animal'), ('puppy', 'animal'), ('puppy', 'dog')]
        """
        return self._native.closure()

    def named(self, pairs: NDArray[Any]) -> list[tuple[str, str]]:
        """Pairs of ids as pairs of names."""
        ids = checked(self._native, np.asarray(pairs))
        return list(zip(self._named(ids[:, 0]), self._named(ids[:, 1])))

    def split(self, percentages: Iterable[int] = (0, 10, 25, 50), *, seed: int = 0) -> Split:
        """Divides the pairs for link prediction (Ganea et al. 2018), as ``binder split`` does.

        Args:
            percentages: shares of the indirect pairs to learn from, one training set each.
            seed: the same one gives the same pairs.

        >>> divided = Hierarchy("toy").split([0, 50], seed=7)
        >>> {percentage: len(pairs) for percentage, pairs in divided.train.items()}
        {0: 14, 50: 24}
        >>> len(divided.test)
        1
        """
        shares = [whole_number("percentages", each) for each in percentages]
        return Split(self, _core.split(self._native, shares, whole_number("seed", seed)))

    def diff(self, new: Any, *, progress: bool = True) -> Diff:
        """What differs in a new version of the hierarchy, as ``binder diff`` says.

        Args:
            new: a `Hierarchy`, or any source that it takes.
            progress: show a progress bar, in terminals and notebooks, after a second.

        >>> old = Hierarchy([("puppy", "dog"), ("dog", "animal")])
        >>> print(old.diff([("puppy", "dog"), ("dog", "pet"), ("pet", "animal")]))
        old: 3 concepts, 2 direct pairs, 3 in the closure
        new: 4 concepts, 3 direct pairs, 6 in the closure
          added    1
            pet
          moved    1
            dog: animal → pet
          closure  3 pairs gained (0 among concepts of both), 0 lost (0)
        """
        version = Hierarchy(new, progress=progress)
        with _progress.bar(progress) as bar:
            return Diff._of(*_core.diff(self._native, version._native, bar))

    @property
    def info(self) -> dict[str, int]:
        """The counts of ``binder info``.

        They are entities, direct, indirect, closure, roots, leaves, depth, multi_parent and cycles.
        """
        return self._native.info()

    @property
    def reading(self) -> str | None:
        """What was taken for child and parent, with one example; None if it is from no file."""
        return self._native.reading()

    @property
    def dropped(self) -> dict[str, int]:
        """How many pairs and concepts were left out when the hierarchy was made, by reason."""
        return self._native.dropped()

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the hierarchy with its texts to a file, which Binder and others read again.

        Args:
            path: the file; it appears whole or not at all. Its ending tells the format.
            format: "csv", "json", "obo", "ttl", "dot" and "graphml" have the texts; "edges", for
                ``.tsv`` and ``.txt``, has the names alone.

        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Hierarchy("toy").save(pathlib.Path(folder) / "toy.obo")
        ...     Hierarchy(pathlib.Path(folder) / "toy.obo") == Hierarchy("toy")
        True
        """
        known = {**_export.EDGES, **_export.HIERARCHIES}
        self._native.save(_export.format_of(path, format, known), path)

    def to_dict(self) -> dict[str, list[str]]:
        """A dictionary from each concept to its direct parents.

        >>> Hierarchy([("cat", "pet"), ("dog", "pet")]).to_dict()
        {'pet': [], 'cat': ['pet'], 'dog': ['pet']}
        """
        parents: dict[str, list[str]] = {name: [] for name in self.names}
        for child, parent in self.named(self.pairs()):
            parents[child].append(parent)
        return parents

    def to_polars(self) -> Any:
        """The direct pairs as a polars frame with the columns child and parent."""
        return _convert.hierarchy_to_polars(self)

    def to_networkx(self) -> Any:
        """A NetworkX DiGraph with an edge from each child to each direct parent."""
        return _convert.hierarchy_to_networkx(self)

    def to_pandas(self) -> Any:
        """The direct pairs as a frame with the columns child and parent."""
        return _convert.hierarchy_to_pandas(self)

    def to_arrow(self) -> Any:
        """The direct pairs as a pyarrow table with the columns child and parent."""
        return _convert.hierarchy_to_arrow(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all_names())

    def __eq__(self, other: object) -> bool:
        return self._native == other._native if isinstance(other, Hierarchy) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Hierarchy:
        return self

    def __deepcopy__(self, memo: object) -> Hierarchy:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._native.to_bytes(),)

    def __repr__(self) -> str:
        return f"Hierarchy({len(self):,} concepts, {len(self._native.pairs()):,} direct pairs)"

    def _repr_html_(self) -> str:
        """What it has, and a few of its pairs."""
        pairs = self._native.pairs()
        rows = self.named(pairs[:_SHOWN])
        return _html.titled(
            repr(self), _html.table(["child", "parent"], rows, more=len(pairs) - len(rows))
        )

    @property
    def _hierarchy(self) -> Hierarchy:
        return self

    def _all_names(self) -> list[str]:
        if self._names is None:
            self._names = self._native.names()
        return self._names

    def _one(self, id: int, name: str) -> Concept:
        return Concept(self, id, name)

    def _some(self, ids: NDArray[Any]) -> Concepts:
        return Concepts(self, ids)


def _unpickled(data: bytes) -> Hierarchy:
    return Hierarchy._of(_core.Hierarchy.from_bytes(data))


def _listed(one_or_more: Any) -> Any:
    return [one_or_more] if isinstance(one_or_more, (str, int)) else one_or_more
