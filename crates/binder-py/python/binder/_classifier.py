"""`binder.sklearn.BinderClassifier`: predicts is-a between concepts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import known_ids
from ._hierarchy import Hierarchy
from ._make import encode, train
from ._optional import need
from .errors import InputError

need("sklearn", package="scikit-learn", what="binder.sklearn")

from sklearn.base import BaseEstimator, ClassifierMixin  # noqa: E402
from sklearn.metrics import f1_score  # noqa: E402
from sklearn.utils.multiclass import check_classification_targets, type_of_target  # noqa: E402
from sklearn.utils.validation import check_is_fitted, validate_data  # noqa: E402


class BinderClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts is-a between concepts from pairs that are is-a.

    The rows of X are (child, parent) names. More than two columns are a chain, each is-a the next,
    as in a table of species, genus and family. It learns from the rows with a true `y`; the others
    only make their concepts known. A row with an unknown concept is not is-a. Numbers are taken as
    names, so a column of ids will do; points in a space mean nothing to it, and its tag
    `poor_score` says so.

    Args:
        method: "encode" makes exact codes of what follows from the pairs, "train" learns them as in
            the paper.
        bits: the most bits a code may have ("encode"), or how many it has ("train").
        recipe: the recipe of "train".
        effort: the effort of "encode".
        epochs: the most epochs of "train".
        cycles: "merge" makes a cycle one concept, "refuse" makes it an error.
        seed: the same one gives the same codes.
    """

    def __init__(
        self,
        method: str = "encode",
        bits: int | None = None,
        recipe: str = "best",
        effort: str = "normal",
        epochs: int | None = None,
        cycles: str = "merge",
        seed: int = 0,
    ) -> None:
        self.method = method
        self.bits = bits
        self.recipe = recipe
        self.effort = effort
        self.epochs = epochs
        self.cycles = cycles
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> BinderClassifier:
        """Learns from pairs; without `y`, all of them are is-a."""
        if self.method not in ("encode", "train"):
            raise InputError(f"method is {self.method!r}; choose 'encode' or 'train'")
        if y is None:
            rows = _names(validate_data(self, X, dtype=None, ensure_min_features=2))
            self.classes_, truly = np.array([0, 1]), np.ones(len(rows), dtype=bool)
        else:
            X, y = validate_data(self, X, y, dtype=None, ensure_min_features=2)
            check_classification_targets(y)
            if (kind := type_of_target(y, input_name="y")) != "binary":
                raise InputError(
                    f"Only binary classification is supported. The type of the target is {kind}."
                )
            rows, self.classes_ = _names(X), np.unique(y)
            truly = y == self.classes_[-1]
        pairs = np.stack([rows[truly, :-1], rows[truly, 1:]], axis=-1).reshape(-1, 2)
        concepts = sorted(set(rows.ravel().tolist()))
        hierarchy = _core.from_pairs(pairs.tolist(), concepts, False, self.cycles)
        self.model_ = self._model(Hierarchy._of(hierarchy))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row: is-a or not."""
        check_is_fitted(self)
        rows = _names(validate_data(self, X, reset=False, dtype=None))
        ids, known = known_ids(self.model_.hierarchy._native, rows)
        children, parents = ids[:, :-1], ids[:, 1:]
        holds = self.model_.is_a(children, parents) & (children != parents)
        holds &= known[:, :-1] & known[:, 1:]
        return self.classes_[np.where(holds.all(axis=1), len(self.classes_) - 1, 0)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """F1 of the class is-a."""
        return float(
            f1_score(y, self.predict(X), pos_label=self.classes_[-1], sample_weight=sample_weight)
        )

    def _model(self, hierarchy: Hierarchy) -> Any:
        if self.method == "encode":
            return encode(hierarchy, self.bits, self.effort, seed=self.seed, progress=False)
        settings = {"bits": self.bits, "epochs": self.epochs, "seed": self.seed}
        return train(hierarchy, self.recipe, progress=False, **settings)  # type: ignore[arg-type]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        tags.target_tags.required = False
        return tags


def _names(X: NDArray[Any]) -> NDArray[np.object_]:
    return np.array([[str(name) for name in row] for row in X.tolist()], dtype=object).reshape(
        X.shape
    )
