"""Out of Binder: exports, frames, tensors, drawings, folders for hubs."""

import json
import sys
import types

import numpy as np
import pytest

import binder


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("m.tsv", {}, []),
        ("m.npy", {"unpacked": True}, ["--unpacked"]),
        ("m.vec", {}, []),
        ("m.parquet", {"signed": True}, ["--signed"]),
        ("m.sql", {"dialect": "duckdb", "table": "x"}, ["--dialect", "duckdb", "--table", "x"]),
        ("m.obo", {}, []),
        ("m.json", {}, []),
    ],
)
def test_export_is_that_of_the_command_line(name, options, words, animal_codes, command, tmp_path):
    (tmp_path / "python").mkdir()
    (tmp_path / "command").mkdir()
    files = animal_codes.export(tmp_path / "python" / name, **options)
    animal_codes.save(tmp_path / "m")
    command("export", tmp_path / "m", "-o", tmp_path / "command" / name, *words)
    assert files[0] == tmp_path / "python" / name
    assert {file.name for file in files} == {f.name for f in (tmp_path / "command").iterdir()}
    for file in files:
        assert file.read_bytes() == (tmp_path / "command" / file.name).read_bytes()


def test_wrong_exports(model, tmp_path):
    for name, options, said in [
        ("m.xls", {}, "unknown ending; choose format= and one of csv"),
        ("m.sql", {}, 'give dialect="postgres" or dialect="duckdb"'),
        ("m.sql", {"dialect": "duckdb", "bit_column": True}, "leave it out"),
        ("m.npy", {"signed": True}, "signed is for parquet, not for npy; leave it out"),
        ("m.npy", {"colour": True}, "there is no option colour"),
        ("m.npy", {"format": "xls"}, "format is 'xls'; choose one of"),
    ]:
        with pytest.raises(ValueError, match=said):
            model.export(tmp_path / name, **options)
    with pytest.raises(OSError):
        model.export(tmp_path / "no" / "m.tsv")
    assert list(tmp_path.iterdir()) == []


def test_polars(animal_codes, pets):
    polars = pytest.importorskip("polars")
    frame = animal_codes.to_polars()
    assert frame.columns == ["id", "name", "label", "c0"] and frame["c0"].dtype == polars.UInt64
    assert animal_codes.to_polars(bits=True).width == 3 + animal_codes.n_bits
    assert binder.Hierarchy(pets.to_polars()) == pets


def test_torch(model, monkeypatch):
    """Without PyTorch's gigabytes: what it would be given is what NumPy has."""
    if "torch" not in sys.modules:
        fake = types.SimpleNamespace(from_numpy=lambda array: array)
        monkeypatch.setitem(sys.modules, "torch", fake)
    tensor = model.to_torch()
    assert (np.asarray(tensor) == model.bits()).all() and np.asarray(tensor).flags.writeable
    assert np.asarray(model.to_torch(["cat"])).shape == (1, 3)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="to_torch.* needs torch; install it with: pip install"):
        model.to_torch()


def test_pictures(animal_codes, tmp_path):
    picture = animal_codes.picture("golden retriever")
    assert picture._repr_svg_().startswith("<svg") and "golden_retriever.n.01" in picture.svg
    assert "└─ golden_retriever.n.01" in str(picture) and picture.left_out == 0
    picture.save(tmp_path / "dog.svg")
    assert (tmp_path / "dog.svg").read_text(encoding="utf-8") == picture.svg
    assert animal_codes.picture("dog", children=2).left_out > 0


def test_plots(animal_codes):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = animal_codes.plot_bits(["dog", "cat"])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["dog.n.01", "cat.n.01"]
    assert animal_codes.plot_bits("dog") is not axes
    again = animal_codes.plot_bits(ax=axes)
    assert again is axes and again.get_ylabel() == "concept"
    tree = animal_codes.plot_tree("spaniel", depth=1)
    assert {text.get_text() for text in tree.texts} >= {"spaniel.n.01", "springer_spaniel.n.01"}
    with pytest.raises(ValueError, match="too many to draw; choose a smaller depth"):
        animal_codes.plot_tree("animal", depth=99)
    with pytest.raises(ValueError, match="nothing to draw"):
        animal_codes.plot_bits([])
    matplotlib.pyplot.close("all")


def test_answers_in_notebooks(animal_codes):
    judged = binder.evaluate(animal_codes)._repr_html_()
    assert "16,132,272 pairs" in judged and judged.count("<tr>") == 4
    assert "puppy.n.01 → dog.n.01" in animal_codes.explain("puppy", "dog")._repr_html_()
    assert "what both are: carnivore.n.01" in animal_codes.explain("dog", "cat")._repr_html_()
    assert "<pre>" in animal_codes.describe("dog")._repr_html_()


def test_pretrained_folders(animal_codes, tmp_path):
    folder = tmp_path / "hub" / "animals"
    animal_codes.save_pretrained(folder, license="mit")
    assert {file.name for file in folder.iterdir()} == {
        "model.safetensors",
        "config.json",
        "README.md",
    }
    config = json.loads((folder / "config.json").read_text())
    assert config["model_type"] == "binder" and config["bits"] == animal_codes.n_bits
    card = (folder / "README.md").read_text()
    assert card.startswith("---\n") and 'license: "mit"' in card and "4,017 concepts" in card
    assert binder.Model.from_pretrained(folder) == animal_codes
    (folder / "config.json").unlink()
    assert binder.Model.from_pretrained(str(folder)) == animal_codes
    (folder / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(ValueError, match="of the type 'bert', not binder"):
        binder.Model.from_pretrained(folder)
    (folder / "config.json").write_text("[")
    with pytest.raises(ValueError, match="not a JSON object"):
        binder.Model.from_pretrained(folder)
    with pytest.raises(FileNotFoundError, match="nothing is downloaded"):
        binder.Model.from_pretrained(tmp_path / "no")
    with pytest.raises(FileNotFoundError, match="has no model.safetensors"):
        binder.Model.from_pretrained(tmp_path)
    with pytest.raises(ValueError, match="is a file; give a folder"):
        animal_codes.save_pretrained(folder / "config.json")
