"""The encoder and the classifier are scikit-learn's, by its own checks."""

import pickle

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.compose import make_column_transformer  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV, StratifiedKFold  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from binder.sklearn import BinderClassifier, HierarchyEncoder  # noqa: E402

from conftest import PETS  # noqa: E402

ESTIMATORS = [
    HierarchyEncoder(),
    HierarchyEncoder(features="ancestors"),
    HierarchyEncoder("toy", sparse_output=True),
    BinderClassifier(),
    BinderClassifier("train", bits=32, epochs=2),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    """All of them: no tag leaves any out, and none is expected to fail."""
    check(estimator)


@pytest.fixture
def breeds():
    pandas = pytest.importorskip("pandas")
    names = ["beagle", "poodle", "tabby", "Siamese cat", "trout", "salmon"]
    return pandas.DataFrame({"animal": names, "weight": [10.0, 8, 4, 5, 2, 4]})


def test_bits_are_features(animal_codes, breeds):
    encoder = HierarchyEncoder(animal_codes).fit(breeds[["animal"]])
    found = encoder.transform(breeds[["animal"]])
    assert (found == animal_codes.bits(breeds["animal"])).all() and found.dtype == np.float64
    assert list(encoder.get_feature_names_out())[:2] == ["animal_bit0", "animal_bit1"]
    sparse = HierarchyEncoder(animal_codes, sparse_output=True).fit_transform(breeds[["animal"]])
    assert sparse.format == "csr" and (sparse.toarray() == found).all()
    small = HierarchyEncoder(animal_codes, dtype=np.uint8).fit_transform(breeds[["animal"]])
    assert small.dtype == np.uint8
    named = encoder.set_output(transform="pandas").transform(breeds[["animal"]])
    assert list(named.columns) == list(encoder.get_feature_names_out())


def test_ancestors_are_features(animal_codes, breeds):
    encoder = HierarchyEncoder(animal_codes, features="ancestors", min_count=2)
    found = encoder.fit_transform(breeds[["animal"]])
    names = list(encoder.get_feature_names_out())
    assert "animal=dog.n.01" in names and "animal=animal.n.01" not in names
    assert "animal=beagle.n.01" not in names
    assert found[:, names.index("animal=dog.n.01")].tolist() == [1, 1, 0, 0, 0, 0]
    unseen = encoder.transform([["dachshund"]])
    assert unseen[0, names.index("animal=dog.n.01")] == 1


def test_unknown_and_missing_names(animal_codes):
    X = np.array([["dog"], ["spaceship"], [None]], dtype=object)
    encoder = HierarchyEncoder(animal_codes).fit(X)
    assert encoder.transform(X).any(axis=1).tolist() == [True, False, False]
    with pytest.raises(ValueError, match="'spaceship' is not in the hierarchy; leave such rows"):
        HierarchyEncoder(animal_codes, handle_unknown="error").fit(X).transform(X)
    for settings, said in [
        ({"features": "words"}, "features is 'words'; choose 'bits' or 'ancestors'"),
        ({"handle_unknown": "skip"}, "handle_unknown is 'skip'; choose 'zero' or 'error'"),
    ]:
        with pytest.raises(ValueError, match=said):
            HierarchyEncoder(animal_codes, **settings).fit(X)


def test_in_a_pipeline(animal_codes, breeds):
    columns = make_column_transformer(
        (HierarchyEncoder(animal_codes), ["animal"]), remainder="passthrough"
    )
    pipeline = make_pipeline(columns, LogisticRegression(max_iter=1000))
    pipeline.fit(breeds, [1, 1, 0, 0, 0, 0])
    unseen = breeds.assign(animal=["dachshund", "corgi", "lion", "tiger", "pike", "eel"])
    assert pipeline.predict(unseen).tolist() == [1, 1, 0, 0, 0, 0]
    assert len(columns.get_feature_names_out()) == animal_codes.n_bits + 1
    assert clone(pipeline).get_params().keys() == pipeline.get_params().keys()
    again = pickle.loads(pickle.dumps(pipeline))
    assert (again.predict(unseen) == pipeline.predict(unseen)).all()


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
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        BinderClassifier().fit([["a"], ["b"]])
    with pytest.raises(ValueError, match="method is"):
        BinderClassifier(method="guess").fit(PETS)


def test_chains():
    ranks = [("wolf", "canine", "carnivore"), ("lynx", "feline", "carnivore")]
    classifier = BinderClassifier().fit(ranks)
    assert classifier.predict(
        [("wolf", "canine", "carnivore"), ("wolf", "feline", "carnivore"), ("wolf", "wolf", "x")]
    ).tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match="X has 2 features, but BinderClassifier is expecting 3"):
        classifier.predict([("wolf", "carnivore")])


def test_in_a_search(animals):
    pairs = np.array(animals.named(animals.closure()[:400]), dtype=object)
    X = np.concatenate([pairs, pairs[:, ::-1]])
    y = np.array([1] * 400 + [0] * 400)
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    search = GridSearchCV(BinderClassifier(), {"bits": [8, None]}, cv=folds).fit(X, y)
    assert search.best_score_ > 0.3
