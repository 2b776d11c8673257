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
    assert repr(join).startswith("Place(named=['carnivore.n.01'], ")
    assert repr(join).endswith(f" below, bits={join.bits})")
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


def test_concepts_of_a_hierarchy_lead_on(animals, animal_codes):
    dog = animals["dog"]
    assert type(dog) is binder.Concept and type(dog.parents) is binder.Concepts
    assert dog.parents == animals.parents("dog") and dog.children == animals.children("dog")
    assert dog.hypernyms == animals.ancestors("dog") and dog.hyponyms == animals.descendants("dog")
    assert dog.parents[0].parents[0] == "animal.n.01" and dog.parents[0] in dog.hypernyms
    assert dog.path == animal_codes["dog"].path and dog.siblings == animal_codes["dog"].siblings
    assert dog.label.startswith("dog, ") and dog.depth == animals.depths[dog.id]
    assert dog.path[0].is_root and animals["puppy"].is_leaf and not dog.is_leaf
    assert repr(dog) == "Concept('dog.n.01')" and str(dog) == "dog.n.01"
    assert "dog, domestic dog" in dog._repr_html_() and "<svg" not in dog._repr_html_()
    for name in ("code", "bits", "similarity", "__or__", "__array__"):
        assert not hasattr(dog, name) and hasattr(animal_codes["dog"], name)
    whole = binder.Hierarchy("wordnet")
    assert whole["puppy"].definition == "a young dog"
    assert "Canis familiaris" in whole["dog"].synonyms


def test_concepts_of_a_hierarchy_compare(animals, animal_codes):
    dog, puppy, cat = (animals[name] for name in ("dog", "puppy", "cat"))
    assert puppy <= dog and puppy < dog and dog >= puppy and dog > puppy and puppy in dog
    assert dog <= dog and not dog < dog and not dog <= cat and "puppy" in dog
    assert dog == animal_codes["dog"] == "dog.n.01" and {dog, animal_codes["dog"]} == {dog}
    assert puppy <= animal_codes["dog"] and animal_codes["puppy"] <= dog
    assert animal_codes.is_a(animals[["puppy", "cat"]], dog).tolist() == [True, False]
    assert (animal_codes["dog"] | cat).nearest_above == ["carnivore.n.01"]
    # A label of the same concept is no other concept.
    for of in (animals, animal_codes):
        assert not of["dog"] < "domestic dog" and not of["dog"] > "domestic dog"


def test_some_concepts_of_a_hierarchy(pets):
    assert pets[["cat", "puppy"]] == ["cat", "puppy"] == pets[[2, 4]].names
    assert pets[1:3] == ["pet", "cat"] and pets[np.array([True, False, False, False, True])] == [
        "animal",
        "puppy",
    ]
    assert pets.get("cat") == "cat" and pets.get("stone") is None and pets.get("stone", 1) == 1
    assert [one.name for one in pets[:]] == pets.names == list(pets)
    assert "cat" in pets[:] and pets[:].labels == [None] * 5
    assert pets[["cat"]]._repr_html_().count("<td>") == 1
    for wrong, said in [("stone", "stone"), (7, "7"), (1.5, "not float"), (None, "not NoneType")]:
        with pytest.raises((KeyError, ValueError), match=said):
            pets[wrong]


def test_places_of_other_models_do_not_mix(model):
    other = binder.encode([("puppy", "dog"), ("stone", "thing")])
    assert (model["puppy"] & other["dog"]).named == ["puppy"]
    with pytest.raises(ValueError, match="belongs to another model"):
        model["puppy"] | (other["puppy"] | other["dog"])
