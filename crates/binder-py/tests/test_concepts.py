"""Concepts are objects: they lead to each other, compare, and combine."""

import numpy as np
import pytest

import binder


def test_relations_lead_on(animal_codes):
    dog = animal_codes["dog.n.01"]
    assert dog.parents == ["canine.n.02", "domestic_animal.n.01"]
    assert dog.parents[0].parents[0].name == "carnivore.n.01"
    assert all(isinstance(one, binder.Concept) for one in dog.children)
    assert dog.hypernyms.names == animal_codes.hypernyms("dog.n.01")
    assert dog.hyponyms.names == animal_codes.hyponyms("dog.n.01")
    assert dog.path.names == ["animal.n.01", "domestic_animal.n.01", "dog.n.01"]
    assert dog.path[0].is_root and animal_codes["puppy.n.01"].is_leaf
    assert dog.label.startswith("dog, ")
    assert "wolf.n.01" in animal_codes["jackal.n.01"].siblings
    assert dog.depth == animal_codes.hierarchy.depths[dog.id]
    assert (dog.bits == np.asarray(dog)).all() and np.asarray(dog, dtype=float).dtype == float


def test_definitions():
    nouns = binder.encode(binder.Hierarchy("wordnet").below("dog.n.01"))
    assert nouns["puppy"].definition == "a young dog"
    assert "Canis familiaris" in nouns["dog"].synonyms
    assert "<i>a young dog</i>" in nouns["puppy"]._repr_html_()
    assert "a young dog" in nouns["dog"].children._repr_html_()


def test_order(animal_codes):
    dog, puppy, cat = (animal_codes[name] for name in ("dog", "puppy", "cat"))
    assert puppy <= dog and puppy < dog and dog >= puppy and dog > puppy and puppy in dog
    assert dog <= dog and not dog < dog and not dog > dog
    assert not dog <= cat and not cat <= dog and cat not in dog
    assert puppy <= "dog" and dog >= "puppy.n.01" and "puppy" in dog
    with pytest.raises(ValueError, match="a concept is a name"):
        assert dog <= 1.5


def test_equality_and_hash(animal_codes, animals):
    dog, again = animal_codes["dog"], binder.encode(animals, effort="fast")["dog"]
    assert dog == again == "dog.n.01" and dog != "cat.n.01" and dog != 3
    assert {dog, again, "dog.n.01"} == {"dog.n.01"} and {"dog.n.01": 1}[dog] == 1
    assert sorted(["b", "a"], key=str) == ["a", "b"] and dog <= again


def test_meet_and_join(animal_codes):
    dog, puppy, cat = (animal_codes[name] for name in ("dog", "puppy", "cat"))
    join = dog | cat
    assert join.nearest_above == ["carnivore.n.01"] and join.named[0] == "carnivore.n.01"
    assert join == animal_codes.join("dog", "cat") == "dog" | cat
    meet = dog & puppy
    assert meet.named == ["puppy.n.01"] and meet == animal_codes.meet(dog, puppy)
    assert not dog & cat and bool(meet)
    assert (join & puppy).named == ["puppy.n.01"] and (puppy & join).named == ["puppy.n.01"]
    assert (join | "wolf").nearest_above == ["carnivore.n.01"]
    assert puppy in join and puppy <= join and join <= animal_codes["carnivore"]
    assert join >= "puppy" and not join <= dog and meet <= join
    assert "carnivore" in join._repr_html_()


def test_sequences(model):
    some = model[["cat", "puppy"]]
    assert some == ["cat", "puppy"] and some == model[[2, 4]] and len(some) == 2
    assert [one.name for one in some] == some.names == ["cat", "puppy"]
    assert "cat" in some and model["cat"] in some and "dog" not in some and 3.5 not in some
    assert "nobody" not in some and some != ["cat"] and some != 3
    assert (np.asarray(some) == model.bits(["cat", "puppy"])).all()
    assert (some.codes == model.codes[some.ids]).all() and some.labels == [None, None]
    assert some[0] == "cat" and some[-1] == "puppy" and some[:1] == ["cat"]
    assert some[np.array([False, True])] == ["puppy"] and model[some] == some
    assert model.is_a(some, "dog").tolist() == [False, True]
    assert repr(model[:]) == "Concepts(['animal', 'pet', 'cat', 'dog', 'puppy'])"
    assert "… 4,007 more" in repr(binder.encode("wordnet-animals", effort="fast")[:])
    assert list(reversed(some)) == ["puppy", "cat"] and some.index("puppy") == 1


def test_concepts_of_another_model_are_taken_by_name(model):
    other = binder.encode([("puppy", "dog"), ("stone", "thing")])
    assert model.is_a(other["puppy"], other["dog"]) and model[other[["puppy"]]] == ["puppy"]
    with pytest.raises(KeyError, match="stone"):
        model.is_a(other["stone"], "dog")
