"""The classifier is one of scikit-learn's, as far as pairs of names can be."""

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import GridSearchCV, StratifiedKFold  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from binder.sklearn import BinderClassifier  # noqa: E402

from conftest import PETS  # noqa: E402

#: Checks that cannot pass, and why. All others do.
NOT_PAIRS = "X is pairs, child and parent; the check makes more columns"
NOT_LEARNABLE = (
    "the check separates classes of points, which have nothing to do with is-a between numbers"
)
EXPECTED = dict.fromkeys(
    [
        "check_classifiers_one_label",
        "check_dict_unchanged",
        "check_dont_overwrite_parameters",
        "check_dtype_object",
        "check_estimators_dtypes",
        "check_estimators_nan_inf",
        "check_estimators_pickle",
        "check_f_contiguous_array_estimator",
        "check_fit2d_1sample",
        "check_fit2d_predict1d",
        "check_fit_score_takes_y",
        "check_methods_sample_order_invariance",
        "check_methods_subset_invariance",
        "check_n_features_in_after_fitting",
        "check_pipeline_consistency",
        "check_positive_only_tag_during_fit",
        "check_supervised_y_2d",
    ],
    NOT_PAIRS,
) | {"check_classifiers_train": NOT_LEARNABLE}


@parametrize_with_checks([BinderClassifier()], expected_failed_checks=lambda _: EXPECTED)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_fit_predict_score(animals):
    split = animals.split([0], seed=1)
    fit = np.array(animals.named(split.train[0]), dtype=object)
    X = np.array(animals.named(np.concatenate([split.test, split.test_neg])), dtype=object)
    y = np.array([1] * len(split.test) + [0] * len(split.test_neg))
    for classifier in (BinderClassifier(), BinderClassifier(method="train", bits=64)):
        assert classifier.fit(fit).score(X, y) == 1.0
        assert (classifier.predict(X) == y).all()
    assert clone(classifier).get_params() == classifier.get_params()


def test_labels_and_unknown_names():
    X = [*PETS, ("cat", "dog")]
    y = ["yes"] * len(PETS) + ["no"]
    classifier = BinderClassifier().fit(X, y)
    assert classifier.predict(
        [("puppy", "animal"), ("cat", "dog"), ("fish", "animal"), ("cat", "cat")]
    ).tolist() == ["yes", "no", "no", "no"]
    with pytest.raises(ValueError, match="3 features"):
        BinderClassifier().fit([("a", "b", "c")])
    with pytest.raises(ValueError, match="method is"):
        BinderClassifier(method="guess").fit(PETS)


def test_in_a_search(animals):
    pairs = np.array(animals.named(animals.closure()[:400]), dtype=object)
    X = np.concatenate([pairs, pairs[:, ::-1]])
    y = np.array([1] * 400 + [0] * 400)
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    search = GridSearchCV(BinderClassifier(), {"bits": [8, None]}, cv=folds).fit(X, y)
    assert search.best_score_ > 0.3
