"""`binder.Placer`: where concepts belong that are not in the hierarchy."""

import pickle

import pytest

import binder

LABRADOODLE = ("labradoodle", "a cross between a Labrador retriever and a poodle")


@pytest.fixture(scope="module")
def placer():
    return binder.Placer.fit("wordnet-animals")


def test_place(placer):
    found = placer.place(*LABRADOODLE)
    assert found.safe.name == "dog.n.01" and len(found.places) == 5
    assert found.best == found.places[0]
    assert [one.p for one in found.places] == sorted((one.p for one in found.places), reverse=True)
    assert "poodle" in found.why.neighbours["poodle.n.01"] and found.parents
    assert placer.place("zorg", "a beagle of the sea").why.mentioned == ["beagle.n.01"]
    assert repr(found).startswith("Placement('labradoodle' → ") and "safe: dog.n.01" in str(found)
    assert "labradoodle" in found._repr_html_() and found.same_as is None
    assert len(placer.place(*LABRADOODLE, top=2).places) == 2
    assert placer.place("golden retriever").best.name


def test_many_at_once(placer):
    asked = ["sea beagle", LABRADOODLE, ("beagle", None)]
    alone = [placer.place("sea beagle"), placer.place(*LABRADOODLE), placer.place("beagle")]
    assert placer.place_all(asked) == alone
    assert placer.predict(asked) == [one.best.name for one in alone]
    assert placer.place_all([]) == []


def test_the_file_is_that_of_the_command_line(placer, command, tmp_path):
    command("place", "fit", "wordnet-animals", "-o", tmp_path / "p")
    assert (tmp_path / "p").read_bytes() == placer.to_bytes()
    for again in (binder.Placer.load(tmp_path / "p"), pickle.loads(pickle.dumps(placer))):
        assert again.place(*LABRADOODLE) == placer.place(*LABRADOODLE)
        assert again.model == placer.model and len(again) == 4017
    placer.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == placer.to_bytes()


def test_adding(placer, model):
    with pytest.raises(ValueError, match="no place of 'labradoodle' is sure enough"):
        placer.add(*LABRADOODLE, min_p=0.99)
    grown = placer.add(*LABRADOODLE, min_p=0)
    assert grown.is_a("labradoodle", "dog") and len(grown) == 4018
    assert grown["labradoodle"].definition == LABRADOODLE[1]
    with pytest.raises(ValueError, match="'bear' is rather another name of 'bear.n.01'"):
        placer.add("bear", min_p=0)
    with pytest.raises(ValueError, match="for another model.*fit a placer to this model with"):
        placer.add(*LABRADOODLE, model=model)


def test_evaluation():
    judged = binder.Placer.evaluate("wordnet-animals", share=0.1, draw=1)
    assert judged.queries > 200 and 0 < judged.hit1 <= judged.hit5 <= judged.hit10 <= 1
    assert judged.vote["hit1"] > 0 and "hidden concepts: Hit@1" in str(judged)


def test_wrong_use(placer, tmp_path):
    for work, said in [
        (lambda: binder.Placer.fit([("a", "b")]), "give data with texts.*label="),
        (lambda: placer.place("", " "), "nothing to place; give a name, a definition"),
        (lambda: placer.place_all([3]), "3 is not a name"),
        (lambda: placer.place("x", top=-1), "top is -1"),
        (lambda: binder.Placer.evaluate("toy", hide="all"), 'hide is "all"; choose one of leaves'),
        (lambda: binder.Placer.evaluate("toy", share=2), "share is 2; choose from above 0 to 0.5"),
        (lambda: binder.Placer.fit("toy", trees=1.5), "trees is 1.5; give a whole number"),
        (lambda: binder.Placer.from_bytes(b"x"), "these bytes"),
    ]:
        with pytest.raises(ValueError, match=said):
            work()
    with pytest.raises(FileNotFoundError):
        binder.Placer.load(tmp_path / "nothing")
    with pytest.raises(TypeError, match=r"Placer\.fit"):
        binder.Placer()
