"""A hierarchy is the same, wherever it comes from."""

import copy
import gzip
import io
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
    assert binder.Hierarchy(frame.assign(more=1)) == pets
    unknown = frame.assign(more=1).set_axis(["x", "y", "z"], axis=1)
    with pytest.raises(ValueError, match="expected 2 columns, found 3; choose two with .*columns="):
        binder.Hierarchy(unknown)
    assert binder.Hierarchy(unknown, child="x", parent="y") == pets
    with pytest.raises(ValueError, match='no column "mother"; the columns are child, parent'):
        binder.Hierarchy(frame, columns=("child", "mother"))
    with pytest.raises(ValueError, match="the table:2: empty name"):
        binder.Hierarchy(pandas.DataFrame({"child": ["a", None], "parent": ["b", "c"]}))


def test_from_polars(pets):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(PETS, schema=["child", "parent"], orient="row")
    assert binder.Hierarchy(frame) == pets
    as_categories = frame.with_columns(polars.all().cast(polars.Categorical))
    assert binder.Hierarchy(as_categories) == pets
    numbers = polars.DataFrame({"child": [1, 2], "parent": [None, 1]})
    assert binder.Hierarchy(numbers).to_dict() == {"1": [], "2": ["1"]}
    with pytest.raises(ValueError, match="empty name"):
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
    assert binder.Hierarchy(wide) == pets
    with pytest.raises(ValueError, match="choose two with .*columns"):
        binder.Hierarchy(wide.rename_columns(["a", "b", "c"]))
    assert binder.Hierarchy(pets.to_arrow()) == pets
    assert pyarrow.table(pets).num_rows == 5


def test_tables_have_texts_roots_and_numbers():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(
        {
            "id": [1, 2, 3],
            "name": ["animal", "dog", "cat"],
            "parent_id": [None, 1, 1],
            "synonyms": [None, "hound|cur", ""],
            "definition": ["that lives", "that barks", "that does not"],
        }
    )
    read = binder.Hierarchy(table, cell_separator="|")
    assert read.to_dict() == {"1": [], "2": ["1"], "3": ["1"]}
    assert read.label("2") == "dog" and read.definition("dog") == "that barks"
    assert [text for text, _ in read.synonyms("2")] == ["hound", "cur"]
    assert read.is_a("hound", "animal") and "Cur" in read
    lists = pandas.DataFrame({"id": ["a", "b"], "parents": [[], ["a", "c"]]})
    assert binder.Hierarchy(lists).to_dict() == {"a": [], "c": [], "b": ["a", "c"]}
    indexed = pandas.DataFrame({"parent": ["a"]}, index=pandas.Index(["b"], name="child"))
    assert binder.Hierarchy(indexed).to_dict() == {"a": [], "b": ["a"]}
    assert binder.Hierarchy(table, child="id", parent="parent_id", label="id").label("2") == "2"


def test_from_dictionaries(pets):
    parents = {"pet": "animal", "cat": "pet", "dog": ["animal"], "puppy": ("pet", "dog")}
    assert binder.Hierarchy({**parents, "animal": None}) == pets
    assert binder.Hierarchy(pets.to_dict()) == pets
    nested = {"animal": {"pet": {"cat": {}, "puppy": None}, "dog": ["puppy"]}}
    assert binder.Hierarchy(nested).to_dict() == pets.to_dict()
    assert binder.Hierarchy({"stone": None}).names == ["stone"]
    deep = {}
    for level in range(5000):
        deep = {str(level): deep}
    assert len(binder.Hierarchy(deep)) == 5000


def test_from_records(pets):
    rows = [{"child": child, "parent": parent} for child, parent in PETS]
    assert binder.Hierarchy(rows) == binder.Hierarchy(iter(rows)) == pets
    other = [{"a": child, "b": parent} for child, parent in PETS]
    assert binder.Hierarchy(other, child="a", parent="b") == pets
    labelled = binder.Hierarchy([{"id": 1, "label": "Pet"}, {"id": 2, "parent": 1}])
    assert labelled.to_dict() == {"1": [], "2": ["1"]} and labelled.label("1") == "Pet"
    with pytest.raises(ValueError, match="some rows are dictionaries and some are not"):
        binder.Hierarchy([{"child": "a", "parent": "b"}, ("c", "d")])


def test_from_open_files(tmp_path, pets):
    text = "".join(f"{child},{parent}\n" for child, parent in PETS)
    assert binder.Hierarchy(io.StringIO(text)) == pets
    assert binder.Hierarchy(io.BytesIO(gzip.compress(text.encode()))) == pets
    (tmp_path / "pets.csv").write_text(text)
    with open(tmp_path / "pets.csv", "rb") as file:
        assert binder.Hierarchy(file, columns=(1, 2)) == pets


def test_numbers_are_names():
    assert binder.Hierarchy([(1, 2), (3, 2)]).to_dict() == {"2": [], "1": ["2"], "3": ["2"]}
    assert binder.Hierarchy(np.array([[1, 2]])).names == ["2", "1"]


def test_graphs_of_any_nodes(pets):
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([(("a", 1), 7)])
    graph.nodes[7].update(label="seven", synonyms=["VII"], definition="after six")
    read = binder.Hierarchy(graph)
    assert read.to_dict() == {"7": [], "('a', 1)": ["7"]} and read.id("VII") == read.id("seven")
    assert read.definition("7") == "after six"
    assert binder.Hierarchy(read.to_networkx()) == read
    assert binder.Hierarchy(networkx.MultiDiGraph([*PETS, PETS[0]])) == pets
    with pytest.raises(ValueError, match="undirected, so its edges do not say which end"):
        binder.Hierarchy(networkx.Graph(PETS))
    with pytest.raises(ValueError, match="both called '1'"):
        binder.Hierarchy(networkx.DiGraph([(1, "2"), ("1", "2")]))
    with pytest.raises(ValueError, match="cycle"):
        binder.Hierarchy(networkx.DiGraph([("a", "b"), ("b", "a")]))


@pytest.mark.parametrize("ending", ["csv", "json", "obo", "ttl", "dot", "graphml", "tsv", "txt"])
def test_save(ending, animals, tmp_path):
    path = tmp_path / f"animals.{ending}"
    animals.save(path)
    read = binder.Hierarchy(path, format="tsv" if ending in ("tsv", "txt") else None)
    # In Turtle, names are IRIs.
    pairs = {tuple(n.removeprefix("urn:binder:") for n in two) for two in read.named(read.pairs())}
    assert pairs == set(animals.named(animals.pairs()))
    with pytest.raises(ValueError, match="unknown ending; choose format="):
        animals.save(tmp_path / "animals.xls")
    with pytest.raises(ValueError, match="format is 'npy'; choose one of"):
        animals.save(tmp_path / "animals.npy", format="npy")


def test_notebooks_show_a_table(pets):
    shown = pets._repr_html_()
    assert "Hierarchy(5 concepts" in shown and shown.count("<tr>") == 6


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
