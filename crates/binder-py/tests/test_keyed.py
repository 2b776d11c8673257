"""The habits of gensim's KeyedVectors, and names as people write them."""

import numpy as np
import pytest

import binder

MEASURES = ["jaccard", "hamming", "path", "wu-palmer", "lin"]


def test_names_as_people_write_them(animal_codes, animals):
    for name in ("golden retriever", "Golden_Retriever", "golden retrievers"):
        assert animal_codes.is_a(name, "dogs") and name in animal_codes and name in animals
        assert animal_codes.id(name) == animals.id(name) == animals.id("golden_retriever.n.01")
        assert animal_codes[name].name == "golden_retriever.n.01"
        for many in ([name], np.array([name]), np.array([name], dtype=object)):
            assert animal_codes.is_a(many, ["dog"]).tolist() == [True]
    assert animal_codes.hypernyms("golden retriever", nearest=True) == ["retriever.n.01"]
    assert animals.parents("golden retriever") == ["retriever.n.01"]
    assert animal_codes.add("goldie", "golden retriever").is_a("goldie", "dog")
    positives, negatives = [("dog", "carnivore")], [("dog", "cat")]
    assert binder.evaluate(animal_codes, positives=positives, negatives=negatives).tp == 1
    assert animal_codes.find("golden retr") == "golden_retriever.n.01"
    with pytest.raises(KeyError, match="is it golden_retriever"):
        animal_codes.id("golden retr")


def test_letters_of_any_case_and_composition():
    places = binder.encode([("Straße", "Weg"), ("Café", "Haus")])
    for name, wanted in [("STRASSE", "Straße"), ("CAFE\u0301", "Café"), ("cafe\u0301", "Café")]:
        assert places[name].name == wanted and places.ids([name])[0] == places.id(wanted)
    assert "cafe" not in places


def test_many_strings_that_repeat(animal_codes):
    names = np.array(animal_codes.names, dtype=object)
    ids = np.random.default_rng(0).integers(0, len(names), 600_000)
    assert (animal_codes.ids(names[ids]) == ids).all()
    mixed = names[ids].copy()
    mixed[::1000] = "nobody"
    mixed[1::1000] = None
    wanted = ids.copy()
    wanted[::1000] = wanted[1::1000] = -1
    assert (animal_codes.ids(mixed, missing=-1) == wanted).all()
    with pytest.raises(KeyError, match="nobody"):
        animal_codes.ids(mixed[::1000])


def test_names_in_columns(animal_codes):
    names = ["dog", "golden retriever", "cat"]
    for package, make in [
        ("pandas", lambda p: p.Series(names)),
        ("polars", lambda p: p.Series(names)),
        ("pyarrow", lambda p: p.array(names)),
    ]:
        column = make(pytest.importorskip(package))
        assert animal_codes.is_a(column, "dog").tolist() == [True, True, False]


@pytest.mark.parametrize("by", MEASURES)
def test_similarity_is_that_of_nearest(by, animal_codes):
    found = animal_codes.most_similar("dog", topn=20, by=by)
    assert found == animal_codes.nearest("dog", 20, by=by)
    names = [name for name, _ in found]
    scores = np.array([score for _, score in found])
    if by == "hamming":
        assert (animal_codes.distance("dog", names, by=by) == scores).all()
        scores = 1 - scores / animal_codes.n_bits
    assert np.allclose(animal_codes.similarity("dog", names, by=by), scores)
    assert animal_codes.similarity(names[0], "dog", by=by) == pytest.approx(scores[0])
    assert animal_codes.similarity("dog", "dog", by=by) == 1
    assert animal_codes.distance("dog", "dog", by=by) == 0
    assert isinstance(animal_codes.distance("dog", "cat", by=by), float)
    assert animal_codes["dog"].similarity("cat", by) == animal_codes.similarity("dog", "cat", by)


def test_similarity_by_name(animal_codes):
    with pytest.raises(ValueError, match='by is "cosine"; choose one of hamming, jaccard'):
        animal_codes.similarity("dog", "cat", by="cosine")
    with pytest.raises(ValueError, match="do not go together"):
        animal_codes.similarity([0, 1, 2], [0, 1])


def test_keys_and_vectors(animal_codes, model):
    assert animal_codes.index_to_key == animal_codes.names
    assert animal_codes.key_to_index["dog.n.01"] == animal_codes.id("dog.n.01")
    assert (np.asarray(animal_codes) == animal_codes.vectors).all()
    assert animal_codes.vectors.shape == (4017, animal_codes.n_bits)
    assert np.asarray(animal_codes, dtype=np.float32).dtype == np.float32
    assert model.get("cat") == "cat" and model.get("stone") is None and model.get("stone", 1) == 1
    assert model[1:3] == ["pet", "cat"] and model[::-2] == ["puppy", "cat", "animal"]
    assert model[np.array([True, False, False, False, True])] == ["animal", "puppy"]
    assert model[np.array(["cat", "dog"])] == ["cat", "dog"] and model[[]] == []


UNKNOWN = [
    ["puppy", "stone", None, "cat"],
    np.array(["puppy", "stone", float("nan"), "cat"], dtype=object),
    np.array([4, 99, -1, 2]),
    np.array([4, 99, float("nan"), 2]),
    np.ma.masked_array([4, 99, 0, 2], [False, False, True, False]),
]


@pytest.mark.parametrize("names", UNKNOWN)
def test_one_unknown_name_does_not_fail_a_million(names, model):
    assert model.is_a(names, "dog", missing=False).tolist() == [True, False, False, False]
    answers = model.is_a(names, "dog", missing="nan")
    assert answers.dtype == np.float64
    assert np.array_equal(answers, [1, np.nan, np.nan, 0], equal_nan=True)
    assert model.ids(names, missing=-1).tolist() == [4, -1, -1, 2]
    with pytest.raises((ValueError, KeyError)):
        model.is_a(names, "dog")


def test_missing_in_columns(model):
    for package in ("pandas", "polars"):
        frames = pytest.importorskip(package)
        column = frames.Series(["puppy", "stone", None, "cat"])
        assert model.is_a(column, "dog", missing=False).tolist() == [True, False, False, False]
        with pytest.raises((ValueError, KeyError)):
            model.is_a(column, "dog")


def test_missing_alone(model):
    assert model.is_a("stone", "dog", missing=False) is False
    assert np.isnan(model.is_a("stone", "dog", missing="nan"))
    assert model.is_a("puppy", "dog", missing="nan") == 1.0
    assert model.is_a("puppy", ["dog", "stone"], missing=False).tolist() == [True, False]
    with pytest.raises(ValueError, match="missing is 0; choose 'raise', 'nan' or False"):
        model.is_a("stone", "dog", missing=0)
    with pytest.raises(ValueError, match="missing is 'skip'; choose 'raise' or a number"):
        model.ids(["stone"], missing="skip")
