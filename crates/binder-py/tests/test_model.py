"""A model answers as the hierarchy does, by names, ids and arrays; codes are not copied."""

import copy
import gc
import pickle

import numpy as np
import pytest

import binder


def test_single_questions(animal_codes, animals):
    m = animal_codes
    assert m.is_a("puppy.n.01", "dog.n.01") is True and m.is_a("dog.n.01", "puppy.n.01") is False
    assert m.is_a(m["puppy.n.01"], m["dog.n.01"]) and m.is_a(
        m.id("puppy.n.01"), np.int64(m.id("dog.n.01"))
    )
    assert m.is_a("dog.n.01", "dog.n.01")
    assert set(m.hypernyms("dog.n.01")) == set(animals.ancestors("dog.n.01"))
    assert set(m.hyponyms("dog.n.01")) == set(animals.descendants("dog.n.01"))
    assert set(m.hypernyms("dog.n.01", nearest=True)) == set(animals.parents("dog.n.01"))
    assert set(m.hyponyms("dog.n.01", nearest=True)) == set(animals.children("dog.n.01"))
    assert m.join("dog.n.01", "cat.n.01").nearest_above == ["carnivore.n.01"]
    assert m.meet("dog.n.01", "puppy.n.01").named == ["puppy.n.01"]
    assert m.find("golden retr") == "golden_retriever.n.01"
    assert m.search("golden retreiver")[0].name == "golden_retriever.n.01"


def test_algebra(model):
    assert model.expr("pet & dog").below == ["puppy"] and model.expr(
        'cat | "puppy"'
    ).nearest_above == ["pet"]
    assert model.meet("cat", "dog").below == []
    assert model.complement("cat").disjoint == ["dog", "puppy"]
    assert model.nearest("cat", 1, by="path") == [("pet", 0.5)]
    assert model.nearest("cat", 2, by="hamming")[0].score == 1.0
    with pytest.raises(ValueError, match="choose one of hamming, jaccard"):
        model.nearest("cat", by="smell")


def test_explanations(model):
    yes, no = model.explain("puppy", "animal"), model.explain("cat", "dog")
    assert (
        yes
        and yes.chain[0] == "puppy"
        and yes.chain[-1] == "animal"
        and str(yes).startswith("yes: puppy is-a animal")
    )
    assert (
        not no
        and no.missing[0].origin == ["dog"]
        and no.common == ["animal"]
        and "lacks bit" in str(no)
    )
    about = model.describe("pet")
    assert (
        str(about).startswith("pet\n")
        and "is-a animal" in str(about)
        and repr(about).startswith("Description(")
    )
    assert pickle.loads(pickle.dumps(no)) == no and str(pickle.loads(pickle.dumps(no))) == str(no)
    assert (about.hypernyms, about.hyponyms, about.parents, set(about.children)) == (
        1,
        2,
        ["animal"],
        {"cat", "puppy"},
    )


def every_form(names, ids):
    yield names
    yield tuple(names)
    yield np.array(names)
    yield np.array(names).astype(">U40")
    yield np.array(names, dtype=object)
    yield ids
    yield ids.astype(np.int64)
    yield ids.astype(np.uint64)
    yield ids.astype(np.int16)
    yield ids.tolist()
    yield np.repeat(ids, 2)[::2]


def test_arrays_in_every_form(animal_codes, animals):
    rng = np.random.default_rng(0)
    a, b = (rng.integers(0, len(animals), 3000).astype(np.uint32) for _ in range(2))
    b[::3] = 0
    names = np.array(animals.names, dtype=object)
    wanted = animal_codes.is_a(a, b)
    assert wanted.dtype == bool and 900 < wanted.sum() < 3000
    assert wanted[:300].tolist() == [
        animal_codes.is_a(int(x), int(y)) for x, y in zip(a[:300], b[:300])
    ]
    for children in every_form(names[a].tolist(), a):
        for parents in every_form(names[b].tolist(), b):
            assert (animal_codes.is_a(children, parents) == wanted).all()


def test_series_and_arrow_arrays(animal_codes, animals):
    names = animals.names[:500]
    wanted = animal_codes.is_a(np.arange(500), "dog.n.01")
    for package, make in [
        (
            "pandas",
            lambda p: [
                p.Series(names),
                p.Series(names, dtype="category"),
                p.Index(names),
                p.Series(range(500)),
            ],
        ),
        ("polars", lambda p: [p.Series(names), p.Series(range(500))]),
        (
            "pyarrow",
            lambda p: [
                p.array(names),
                p.chunked_array([names[:9], names[9:]]),
                p.array(range(500)),
            ],
        ),
    ]:
        for column in make(pytest.importorskip(package)):
            assert (animal_codes.is_a(column, "dog.n.01") == wanted).all(), type(column)


def test_broadcasting(model):
    ids = np.arange(5)
    table = model.is_a(ids[:, None], ids[None, :])
    assert table.shape == (5, 5) and table.sum() == 5 + 7 and table.diagonal().all()
    assert model.is_a("puppy", ["dog", "cat"]).tolist() == [True, False]
    assert model.is_a([], []).shape == (0,) and model.is_a(
        np.array([], dtype="U4"), "dog"
    ).shape == (0,)


def test_many_parts_answer_as_one(animal_codes):
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, len(animal_codes), (2, 300_001))
    codes = animal_codes.codes
    wanted = ((codes[a] & codes[b]) == codes[b]).all(axis=1)
    assert (animal_codes.is_a(a, b) == wanted).all()


def test_codes_are_lent(tmp_path):
    model = binder.encode("toy")
    model.save(tmp_path / "toy.safetensors")
    for kept in (model, binder.load(tmp_path / "toy.safetensors")):
        codes, again = kept.codes, kept.codes
        assert (
            np.shares_memory(codes, again) and codes.shape == (15, 1) and codes.dtype == np.uint64
        )
        for write in (lambda: codes.__setitem__(0, 1), lambda: codes.setflags(write=True)):
            with pytest.raises(ValueError):
                write()
        copied = codes.copy()
        del model, kept, again
        model = None
        gc.collect()
        assert (codes == copied).all()


def test_bits(model):
    bits = model.bits()
    assert bits.shape == (5, 3) and bits.dtype == np.uint8
    words = (bits.astype(np.uint64) << np.arange(3, dtype=np.uint64)).sum(axis=1)
    assert (words == model.codes[:, 0]).all()
    assert (model.bits(["cat", "dog"]) == bits[model.ids(["cat", "dog"])]).all()
    assert (model.bits("cat") == model["cat"].bits).all() and model.bits("cat").shape == (3,)


def test_save_load_pickle_copy(animal_codes, tmp_path):
    path = tmp_path / "m.safetensors"
    animal_codes.save(path)
    assert path.read_bytes() == animal_codes.to_bytes()
    for again in (
        binder.load(path),
        binder.Model.load(str(path)),
        pickle.loads(pickle.dumps(animal_codes)),
    ):
        assert again == animal_codes and again.to_bytes() == animal_codes.to_bytes()
    assert copy.copy(animal_codes) is animal_codes and copy.deepcopy(animal_codes) is animal_codes
    assert animal_codes != binder.encode("toy") and animal_codes.notes["method"] == "encode"


def test_growing(model, command, tmp_path):
    grown = model.add("kitten", "cat")
    assert grown.is_a("kitten", "pet") and not grown.is_a("kitten", "dog") and len(model) == 5
    assert binder.evaluate(grown).f1 == 1.0
    model.save(tmp_path / "m.safetensors")
    command("add", tmp_path / "m.safetensors", "kitten", "--parent", "cat")
    assert (tmp_path / "m.safetensors").read_bytes() == grown.to_bytes()
    many = model.add_all([("b", "a"), ("a", "cat"), ("b", "dog")])
    assert many.is_a("b", "cat") and many.is_a("b", "dog") and many.is_a("b", "a")
    dogs = binder.encode(
        [("x", "lab"), ("x", "poodle"), ("y", "lab"), ("y", "poodle"), ("z", "lab")]
    )
    named = dogs.add("labradoodle", expression="lab & poodle")
    assert named.hyponyms("labradoodle") == ["x", "y"] and binder.evaluate(named).f1 == 1.0


def test_concepts_draw_themselves(model):
    cat = model["cat"]
    assert repr(cat).startswith("Concept('cat', ") and sum(repr(cat).count(c) for c in "●○") == 3
    drawing = cat._repr_html_()
    assert drawing.count("<circle") == 3 and "<b>cat</b>" in drawing and "currentColor" in drawing
    assert binder.encode([("<b>", "&")])["<b>"]._repr_html_().count("&lt;b&gt;") > 0
    assert cat == model["cat"] and cat != model["dog"] and len({cat, model["cat"]}) == 1
    assert cat.is_a("pet") and cat.parents == ["pet"] and model["pet"].children == ["cat", "puppy"]
    assert [concept.name for concept in model] == model.names and cat in model
    assert "Model(5 concepts, 3 bits)" in model._repr_html_()


def test_numbers_that_may_be_names_are_refused():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"id": [1, 2, 3, 4], "parent": [None, 1, 1, 2]})
    model = binder.encode(frame)
    assert model["4"].parents.names == ["2"] and 4 in model and 5 not in model
    for asked in [lambda: model[4], lambda: model.is_a(4, "2"), lambda: model.id(4)]:
        with pytest.raises(binder.InputError, match='write "4" for the name, or numpy.uint32'):
            asked()
    for column in [frame["id"], frame["id"].to_numpy(), [4, 2]]:
        with pytest.raises(binder.InputError, match=r"with .astype\(str\) if they are names"):
            model.is_a(column, "1")
    with pytest.raises(binder.InputError, match="may be names or ids"):
        model.is_a(frame["parent"], "1", missing="nan")
    assert model.is_a(frame["id"].astype(str), "1").all()
    # Ids that come from here have a type of their own.
    ids = model.ids(["4", "2"])
    assert model.is_a(*ids) is True and model[ids].names == ["4", "2"]
    assert (model.ids(["4", "9"], missing=-1) == [ids[0], -1]).all()


def test_an_unknown_name_among_many_leads_to_missing():
    model = binder.encode("toy")
    with pytest.raises(binder.UnknownConcept, match='is named "toys".*; missing="nan" or'):
        model.is_a(["dog", "toys"], "animal")
