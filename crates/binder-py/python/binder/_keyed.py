"""The array half of `binder.Model`: codes as vectors, and answers for many pairs at once."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._answers import Neighbour
from ._arrays import ConceptLike, ConceptsLike, checked, is_one, known_ids, many_ids
from ._coded import CodedConcept, CodedConcepts
from ._named import Named
from ._settings import whole_number
from .errors import InputError, UnknownConcept


class Keyed(Named[CodedConcept, CodedConcepts]):
    """Names as keys of vectors, with the methods that gensim's KeyedVectors has."""

    __slots__ = ()

    _native: _core.Model

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
        return self._native.bits(_flat(many_ids(self._lookup, concepts)))

    @property
    def index_to_key(self) -> list[str]:
        """All names, in the order of the rows of `vectors`; the same as `names`."""
        return self.names

    @property
    def key_to_index(self) -> dict[str, int]:
        """From each name to its row in `vectors`."""
        return {name: id for id, name in enumerate(self._hierarchy._all_names())}

    @property
    def vectors(self) -> NDArray[np.uint8]:
        """A 0 or 1 for each bit of each concept, uint8 [n, bits]. It is made when it is asked for.

        `codes` has the same bits in an eighth of the memory, without a copy.
        """
        return self._native.bits()

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
        try:
            children, parents = _together(self._ids(child), self._ids(parent))
        except UnknownConcept as error:
            remedy = 'missing="nan" or missing=False answers the others all the same'
            raise UnknownConcept(f"{error}; {remedy}") from None
        return self._native.is_a_arrays(_flat(children), _flat(parents)).reshape(children.shape)

    def _is_a_or(self, child: Any, parent: Any, missing: object) -> Any:
        """The same where unknown concepts are no error."""
        if missing is not False and missing != "nan":
            raise InputError(f"missing is {missing!r}; choose 'raise', 'nan' or False")
        children, known = known_ids(self._lookup, child)
        parents, known_too = known_ids(self._lookup, parent)
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

    def nearest(self, concept: ConceptLike, n: int = 10, *, by: str = "jaccard") -> list[Neighbour]:
        """The concepts that are most similar to one, and how similar they are.

        `by` is "jaccard", "path", "wu-palmer" or "lin" (similarities up to 1), or "hamming" (the
        number of bits that differ).
        """
        found = self._native.nearest(self._id(concept), whole_number("n", n), by)
        return [Neighbour._of(scored) for scored in found["concepts"]]

    def most_similar(
        self, concept: ConceptLike, topn: int = 10, *, by: str = "jaccard"
    ) -> list[Neighbour]:
        """`nearest` by the name it has in gensim: pairs of a name and its similarity."""
        return self.nearest(concept, topn, by=by)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.vectors.astype(dtype or np.uint8, copy=False)

    def _ids(self, concepts: Any) -> NDArray[Any]:
        if is_one(concepts):
            return checked(self._lookup, np.array(self._id(concepts))).reshape(())
        return many_ids(self._lookup, concepts)


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
