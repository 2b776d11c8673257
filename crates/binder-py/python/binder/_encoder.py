"""`binder.sklearn.HierarchyEncoder`: names as features."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import known_ids
from ._hierarchy import Hierarchy
from ._make import encode
from ._model import Model
from ._optional import need
from .errors import InputError

need("sklearn", package="scikit-learn", what="binder.sklearn")

from sklearn.base import BaseEstimator, TransformerMixin  # noqa: E402
from sklearn.utils import check_array  # noqa: E402
from sklearn.utils.validation import (  # noqa: E402
    _check_feature_names_in,
    check_is_fitted,
    validate_data,
)


class HierarchyEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turns columns of names into columns of numbers that know the hierarchy above the names.

    A name that was not seen in training still shares features with its relatives, and a model
    learns of "dogs" from terriers and poodles. It works in a ``Pipeline`` and a ``ColumnTransformer``, and
    ``set_output(transform="pandas")`` names the columns.

    Args:
        hierarchy: a `Model`, a `Hierarchy`, or any source of one; it is encoded when it is fitted.
            None takes the names of each column as concepts without a parent, as one-hot encoding
            does.
        features: "bits" are the bits of the codes: few columns, each the mark of some subtrees.
            "ancestors" has a column for each concept that is above at least `min_count` rows of the
            training data and not above all: more columns, each with a meaning.
        bits: the most bits a code may have.
        min_count: how many rows a concept must be above to become a feature of "ancestors".
        sparse_output: whether `transform` returns a SciPy CSR matrix.
        handle_unknown: "zero" gives a name that is not in the hierarchy, or missing, zeros
            everywhere; "error" refuses it.
        dtype: the type of the numbers.
        seed: the same one gives the same codes.

    >>> from binder.sklearn import HierarchyEncoder
    >>> encoder = HierarchyEncoder("wordnet-animals", features="ancestors")
    >>> encoder.fit([["poodle"], ["beagle"], ["tabby"]]).get_feature_names_out()[-3:].tolist()
    ['x0=cat.n.01', 'x0=domestic_cat.n.01', 'x0=tabby.n.01']
    """

    def __init__(
        self,
        hierarchy: Any = None,
        *,
        features: str = "bits",
        bits: int | None = None,
        min_count: int = 1,
        sparse_output: bool = False,
        handle_unknown: str = "zero",
        dtype: Any = np.float64,
        seed: int = 0,
    ) -> None:
        self.hierarchy = hierarchy
        self.features = features
        self.bits = bits
        self.min_count = min_count
        self.sparse_output = sparse_output
        self.handle_unknown = handle_unknown
        self.dtype = dtype
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> HierarchyEncoder:
        """Encodes the hierarchy, and notes which concepts the columns have."""
        for name, value, choices in [
            ("features", self.features, ("bits", "ancestors")),
            ("handle_unknown", self.handle_unknown, ("zero", "error")),
        ]:
            if value not in choices:
                raise InputError(f"{name} is {value!r}; choose {choices[0]!r} or {choices[1]!r}")
        columns = self._columns(X, reset=True)
        shared = None if self.hierarchy is None else self._encoded(self.hierarchy)
        self.models_ = [shared or self._encoded(_flat(column)) for column in columns]
        self.kept_ = [
            _kept(model, self._ids(model, column)[0], self.min_count)
            if self.features == "ancestors"
            else np.arange(model.n_bits)
            for model, column in zip(self.models_, columns)
        ]
        return self

    def transform(self, X: Any) -> Any:
        """The features of each row, an array or a CSR matrix."""
        check_is_fitted(self)
        columns = self._columns(X, reset=False)
        parts = [
            self._features(model, kept, column)
            for model, kept, column in zip(self.models_, self.kept_, columns)
        ]
        joined = np.concatenate(parts, axis=1).astype(self.dtype, copy=False)
        if not self.sparse_output:
            return joined
        return need("scipy.sparse", package="scipy", what="sparse_output").csr_matrix(joined)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The names of the columns: ``x0_bit3``, or ``x0=dog.n.01`` for "ancestors"."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        listed = []
        for name, model, kept in zip(names, self.models_, self.kept_):
            if self.features == "bits":
                listed += [f"{name}_bit{bit}" for bit in kept]
            else:
                listed += [f"{name}={concept}" for concept in model._named(kept)]
        return np.array(listed, dtype=object)

    def _encoded(self, source: Any) -> Model:
        if isinstance(source, Model):
            return source
        return encode(Hierarchy(source, progress=False), self.bits, seed=self.seed, progress=False)

    def _columns(self, X: Any, *, reset: bool) -> list[NDArray[np.object_]]:
        """The columns as names; numbers are taken as names, so that X can come from any table."""
        checked = check_array(
            X, dtype=None, ensure_all_finite=False, accept_sparse=False, estimator=self
        )
        validate_data(self, X, reset=reset, skip_check_array=True)
        return [_names(column) for column in checked.T]

    def _ids(self, model: Model, column: NDArray[Any]) -> tuple[NDArray[np.uint32], NDArray[Any]]:
        ids, known = known_ids(model.hierarchy._native, column)
        if self.handle_unknown == "error" and not known.all():
            unknown = column[~known][0]
            raise InputError(
                f"{unknown!r} is not in the hierarchy; leave such rows out, or choose "
                "handle_unknown='zero'"
            )
        return ids, known

    def _features(self, model: Model, kept: NDArray[Any], column: NDArray[Any]) -> NDArray[Any]:
        ids, known = self._ids(model, column)
        by_bits = self.features == "bits"
        values: NDArray[Any] = (
            model.bits(ids) if by_bits else model.is_a(ids[:, None], kept[None, :])
        )
        return np.where(known[:, None], values, 0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags


def _names(column: NDArray[Any]) -> NDArray[np.object_]:
    """Names as strings; 3.0 is "3", and what is missing stays so."""
    names = np.empty(len(column), dtype=object)
    for row, value in enumerate(column.tolist()):
        if isinstance(value, float):
            names[row] = None if np.isnan(value) else f"{value:g}"
        else:
            names[row] = value if value is None else str(value)
    return names


def _flat(column: NDArray[np.object_]) -> dict[str, None]:
    """A hierarchy of the names of a column, without a pair."""
    return dict.fromkeys(name for name in column if name)


def _kept(model: Model, ids: NDArray[np.uint32], min_count: int) -> NDArray[np.uint32]:
    """The concepts at or above enough rows, and not above all, in the order of ids."""
    every = np.arange(len(model), dtype=np.uint32)
    distinct, counts = np.unique(ids, return_counts=True)
    above = np.zeros(len(model), dtype=np.int64)
    for concept, count in zip(distinct.tolist(), counts.tolist()):
        native = model.hierarchy._native
        above[concept] += count
        above[native.ancestors(concept)] += count
    return every[(above >= max(1, min_count)) & (above < len(ids))]
