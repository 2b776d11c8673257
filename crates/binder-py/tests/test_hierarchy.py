"""A hierarchy is the same, wherever it comes from."""

import copy
import gzip
import pickle

import numpy as np
import pytest

import binder
from conftest import PETS, ROOT

NAMES = ["animal", "pet", "cat", "dog", "puppy"]


def test_from_pairs(pets):
    assert sorted(pets) == sorted(NAMES) and len(pets) == 5
    assert pets.roots == ["animal"] and set(pets.leaves) == {"cat", "puppy"}
    assert pets.parents("puppy") == ["pet", "dog"] and set(pets.children("animal")) == {
        "pet",
        "dog",
    }
    assert pets.ancestors("puppy") == ["animal", "pet", "dog"]
    assert set(pets.descendants("animal")) == {"pet", "cat", "dog", "puppy"}
    assert pets.is_a("cat", "animal") and not pets.is_a("cat", "dog") and pets.is_a("cat", "cat")
    assert "cat" in pets and "fish" not in pets and 3 not in pets


@pytest.mark.parametrize(
    "pairs",
    [
        tuple(PETS),
        iter(PETS),
        (list(pair) for pair in PETS),
        np.array(PETS),
        np.array(PETS, dtype=object),
    ],
)
def test_from_any_iterable(pairs, pets):
    assert binder.Hierarchy(pairs) == pets


def test_from_files(tmp_path, pets):
    text = "".join(f"{child}\t{parent}\n" for child, parent in PETS)
    (tmp_path / "pets.tsv").write_text(text)
    assert binder.Hierarchy(tmp_path / "pets.tsv") == pets
    (tmp_path / "pets.tsv.gz").write_bytes(gzip.compress(text.encode()))
    assert binder.Hierarchy(str(tmp_path / "pets.tsv.gz")) == pets
    turned = "x,parent,child\n" + "".join(f"1,{parent},{child}\n" for child, parent in PETS)
    (tmp_path / "pets.csv").write_text(turned)
    assert binder.Hierarchy(tmp_path / "pets.csv", columns=("child", "parent")) == pets
    assert binder.Hierarchy(tmp_path / "pets.csv", columns=(3, 2), header=True) == pets


def test_from_networkx(pets):
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph(PETS)
    assert binder.Hierarchy(graph) == pets
    assert binder.Hierarchy(graph.reverse(), reverse=True) == pets
    graph.add_node("stone")
    assert "stone" in binder.Hierarchy(graph)
    assert set(pets.to_networkx().edges) == set(PETS)


def test_from_pandas(pets):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(PETS, columns=["child", "parent"])
    assert binder.Hierarchy(frame) == pets
    assert binder.Hierarchy(frame.assign(more=1), columns=("child", "parent")) == pets
    assert binder.Hierarchy(frame[["parent", "child"]], reverse=True) == pets
    assert binder.Hierarchy(pets.to_pandas()) == pets
    with pytest.raises(ValueError, match="3 columns; choose two"):
        binder.Hierarchy(frame.assign(more=1))
    with pytest.raises(ValueError, match="no column 'mother'"):
        binder.Hierarchy(frame, columns=("child", "mother"))
    with pytest.raises(ValueError, match="missing"):
        binder.Hierarchy(pandas.DataFrame({"child": ["a", None], "parent": ["b", "c"]}))


def test_from_polars(pets):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(PETS, schema=["child", "parent"], orient="row")
    assert binder.Hierarchy(frame) == pets
    as_categories = frame.with_columns(polars.all().cast(polars.Categorical))
    assert binder.Hierarchy(as_categories) == pets
    with pytest.raises(ValueError, match="names are text"):
        binder.Hierarchy(polars.DataFrame({"child": [1], "parent": [2]}))
    with pytest.raises(ValueError, match="missing"):
        binder.Hierarchy(polars.DataFrame({"child": ["a", None], "parent": ["b", "c"]}))


def test_from_arrow(pets):
    pyarrow = pytest.importorskip("pyarrow")
    child, parent = zip(*PETS)
    table = pyarrow.table({"child": child, "parent": parent})
    assert binder.Hierarchy(table) == pets
    coded = pyarrow.table({"child": pyarrow.array(child).dictionary_encode(), "parent": parent})
    assert binder.Hierarchy(coded) == pets
    wide = table.append_column("x", [[1] * 5])
    assert binder.Hierarchy(wide, columns=("child", "parent")) == pets
    with pytest.raises(ValueError, match="choose two with columns"):
        binder.Hierarchy(wide)
    assert binder.Hierarchy(pets.to_arrow()) == pets
    assert pyarrow.table(pets).num_rows == 5


def test_builtins_and_counts(animals):
    assert len(animals) == 4017 and animals.label("dog.n.01").startswith("dog, ")
    assert binder.Hierarchy("toy").info["closure"] == 33
    assert animals.below("dog.n.01").roots == ["dog.n.01"]
    assert animals.info["closure"] == len(animals.closure())
    assert animals.pairs().dtype == np.uint32 and animals.pairs().shape == (
        animals.info["direct"],
        2,
    )
    assert animals.named(animals.pairs()[:1])[0][1] in animals
    assert animals.depths.max() == animals.info["depth"]


def test_dropped_and_cycles():
    assert binder.Hierarchy([*PETS, ("puppy", "animal"), ("cat", "cat")]).dropped["implied"] == 1
    cycle = [("a", "b"), ("b", "c"), ("c", "a")]
    with pytest.raises(ValueError, match="a is-a b is-a c is-a a"):
        binder.Hierarchy(cycle)
    merged = binder.Hierarchy(cycle, cycles="merge")
    assert (
        len(merged) == 1 and merged.info["cycles"] == 1 and merged.aliases == {"b": "a", "c": "a"}
    )


def test_copies_and_pickles(animals):
    assert copy.copy(animals) is animals and copy.deepcopy(animals) is animals
    again = pickle.loads(pickle.dumps(animals))
    assert again == animals and again.names == animals.names


def test_split_is_that_of_the_command_line(animals, command, tmp_path):
    split = animals.split([0, 25], seed=3)
    split.save(tmp_path / "python")
    command(
        "split", "wordnet-animals", "-o", tmp_path / "command", "--train", "0,25", "--seed", "3"
    )
    files = sorted(path.name for path in (tmp_path / "command").iterdir())
    assert len(files) == 6
    for name in files:
        assert (tmp_path / "python" / name).read_bytes() == (
            tmp_path / "command" / name
        ).read_bytes()
    assert binder.split(animals, [0], seed=3).test.tolist() == split.test.tolist()


def test_a_model_of_every_version_opens():
    kept = sorted((ROOT / "testdata" / "models").glob("*.safetensors"))
    assert kept and all(binder.load(path).is_a("puppy", "animal") for path in kept)
