"""To pandas, Arrow, NetworkX and gensim; and the model file in other readers."""

import numpy as np
import pytest

import binder


def test_pandas(animal_codes):
    pytest.importorskip("pandas")
    frame = animal_codes.to_pandas()
    assert list(frame.columns) == ["name", "label", "c0"] and frame.index.name == "id"
    assert (
        frame.name.tolist() == animal_codes.names
        and (frame.c0.to_numpy() == animal_codes.codes[:, 0]).all()
    )
    bits = animal_codes.to_pandas(bits=True)
    assert (bits.filter(regex=r"^b\d+$").to_numpy() == animal_codes.bits()).all()


def test_arrow_and_duckdb(animal_codes):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(animal_codes)
    assert table.column_names == ["id", "name", "label", "c0"] and table.num_rows == 4017
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(animal_codes)["c0"].to_list() == animal_codes.codes[:, 0].tolist()
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("codes", table)
    question = (
        "select count(*) from codes c, codes p where p.name = 'dog.n.01' and (c.c0 & p.c0) = p.c0"
    )
    assert connection.execute(question).fetchone()[0] == len(animal_codes.hyponyms("dog.n.01")) + 1


def test_networkx(model):
    networkx = pytest.importorskip("networkx")
    graph = model.to_networkx()
    assert networkx.has_path(graph, "puppy", "animal") and graph.nodes["animal"]["code"] == "000"
    assert binder.Hierarchy(graph) == model.hierarchy


def test_gensim(animal_codes):
    pytest.importorskip("gensim")
    vectors = animal_codes.to_keyed_vectors()
    assert vectors.index_to_key == animal_codes.names
    assert (vectors["dog.n.01"] == animal_codes.bits("dog.n.01")).all()
    assert vectors.most_similar("golden_retriever.n.01", topn=1)


def test_the_file_opens_with_safetensors_alone(animal_codes, animals, tmp_path):
    load_file = pytest.importorskip("safetensors.numpy").load_file
    animal_codes.save(tmp_path / "m.safetensors")
    tensors = load_file(tmp_path / "m.safetensors")
    text, at = tensors["names"].tobytes(), tensors["name_offsets"]
    names = [text[start:end].decode() for start, end in zip(at, at[1:])]
    assert names == animals.names
    codes, closure = tensors["codes"], animals.closure()
    is_a = lambda pairs: ((codes[pairs[:, 0]] & codes[pairs[:, 1]]) == codes[pairs[:, 1]]).all(
        axis=1
    )
    assert is_a(closure).all()
    pairs = np.random.default_rng(0).integers(0, len(names), (100_000, 2))
    assert (is_a(pairs) == animal_codes.is_a(pairs[:, 0], pairs[:, 1])).all()
