"""What `binder.Hierarchy` and `binder.Model` have in common: concepts that are found by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ._answers import Hit
from ._arrays import ConceptLike, ConceptsLike, checked, is_name, known_ids, many_ids, one_id
from ._settings import whole_number
from .errors import InputError, UnknownConcept

if TYPE_CHECKING:
    from . import _core
    from ._concept import Concept
    from ._concepts import Concepts
    from ._hierarchy import Hierarchy

T = TypeVar("T")
One = TypeVar("One", bound="Concept")
Some = TypeVar("Some", bound="Concepts")


class Named(Generic[One, Some]):
    """Concepts with names, labels, synonyms and ids; `One` and `Some` of them are objects."""

    __slots__ = ()

    @property
    def _hierarchy(self) -> Hierarchy:
        raise NotImplementedError

    @property
    def _lookup(self) -> _core.Hierarchy:
        """Where names are looked up."""
        return self._hierarchy._native

    @property
    def names(self) -> list[str]:
        """All names, in the order of the ids. A parent's id is below its children's."""
        return list(self._hierarchy._all_names())

    def id(self, concept: ConceptLike) -> int:
        """The id of a concept, by its name, an alias, a label or a synonym: its row in arrays.

        >>> import binder
        >>> animals = binder.Hierarchy("wordnet-animals")
        >>> animals.name(animals.id("golden retriever"))
        'golden_retriever.n.01'

        >>> binder.Hierarchy("toy").id("no such thing")
        Traceback (most recent call last):
        binder.errors.UnknownConcept: no concept is named "no such thing"...
        """
        id = one_id(self._lookup, concept)
        self._lookup.name(id)
        return id

    def ids(
        self, concepts: ConceptsLike, *, missing: Literal["raise"] | int = "raise"
    ) -> NDArray[Any]:
        """The ids of many concepts, as an array.

        Args:
            concepts: names, labels or synonyms, or ids, which are checked.
            missing: "raise" makes an unknown concept an error; a number such as -1 stands for it.

        >>> import binder
        >>> pets = binder.Hierarchy([("dog", "pet"), ("cat", "pet")])
        >>> pets.ids(["cat", "pet", "cat"])
        array([2, 0, 2], dtype=uint32)
        >>> pets.ids(["cat", "stone", None], missing=-1)
        array([ 2, -1, -1])
        """
        if missing == "raise":
            return checked(self._lookup, many_ids(self._lookup, concepts))
        if isinstance(missing, bool) or not isinstance(missing, int):
            raise InputError(f"missing is {missing!r}; choose 'raise' or a number such as -1")
        ids, known = known_ids(self._lookup, concepts)
        return np.where(known, ids.astype(np.int64), missing)

    def find(self, text: str) -> str:
        """The concept that a text stands for.

        The text is a name, another spelling of an identifier (a CURIE or an IRI), a label, a
        synonym, or the unique beginning of one. Where several concepts share a word, it is the
        likeliest; `senses` has the others. All other methods take whole names, labels and synonyms,
        but no beginnings.

        >>> import binder
        >>> binder.Hierarchy("wordnet-animals").find("Golden Retrievers")
        'golden_retriever.n.01'
        """
        return self._lookup.name(self._lookup.senses(text)[0])

    def senses(self, text: str) -> list[str]:
        """The concepts that a text may stand for, the likeliest first.

        >>> import binder
        >>> binder.Hierarchy("wordnet-animals").senses("cat")
        ['cat.n.01', 'big_cat.n.01']
        """
        return [self._lookup.name(id) for id in self._lookup.senses(text)]

    def search(self, text: str, n: int = 10) -> list[Hit]:
        """Concepts that are called much like a text, the most similar first.

        Words may be in any order, and typing errors are tolerated.

        >>> import binder
        >>> binder.Hierarchy("wordnet-animals").search("golden retreiver", 1)
        [Hit(name='golden_retriever.n.01', found='golden retriever', typos=1)]
        """
        found = self._lookup.search(text, whole_number("n", n))
        return [Hit(self._lookup.name(id), text, typos) for id, text, typos in found]

    @overload
    def get(self, concept: ConceptLike) -> One | None: ...
    @overload
    def get(self, concept: ConceptLike, default: T) -> One | T: ...
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

    @overload
    def __getitem__(self, concept: ConceptLike) -> One: ...  # type: ignore[overload-overlap]
    @overload
    def __getitem__(self, concept: slice | ConceptsLike) -> Some: ...
    def __getitem__(self, concept: Any) -> One | Some:
        """One concept by name or id; several by a list, an array, a mask or a slice."""
        if isinstance(concept, slice):
            return self._some(np.arange(len(self), dtype=np.uint32)[concept])
        if isinstance(concept, np.ndarray) and concept.dtype == bool:
            return self._some(np.flatnonzero(concept).astype(np.uint32))
        if hasattr(concept, "__iter__") and not is_name(concept):
            return self._some(self.ids(concept).reshape(-1))
        id = self._id(concept)
        return self._one(id, self._lookup.name(id))

    def __len__(self) -> int:
        return len(self._lookup)

    def __contains__(self, concept: object) -> bool:
        is_text = is_name(concept) or isinstance(concept, (int, np.integer))
        return is_text and self._lookup.find(str(concept)) is not None

    def _one(self, id: int, name: str) -> One:
        raise NotImplementedError

    def _some(self, ids: NDArray[Any]) -> Some:
        raise NotImplementedError

    def _id(self, concept: ConceptLike) -> int:
        """The id of a concept; the native module checks that there is such an id."""
        return one_id(self._lookup, concept)

    def _named(self, ids: NDArray[Any]) -> list[str]:
        if len(ids) < 1000:
            return [self._lookup.name(id) for id in ids.tolist()]
        names = self._hierarchy._all_names()
        return [names[id] for id in ids.tolist()]
