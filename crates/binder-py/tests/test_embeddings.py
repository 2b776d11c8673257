"""`binder.Placer` with vectors that others have learnt, and with an encoder."""

import json
import struct

import numpy as np
import pytest

import binder

KINDS, OF_KIND = 8, 40


def word(kind, at):
    """Letters that say nothing about the kind."""
    state = (kind * OF_KIND + at + 1) * 0x9E3779B97F4A7C15
    return "".join(chr(97 + (state >> (5 * place)) % 26) for place in range(8))


@pytest.fixture(scope="module")
def riddles():
    """A model of things whose names say nothing about their kinds."""
    rows = [("root", "", "root")]
    for kind in range(KINDS):
        rows.append((f"k{kind}", "root", f"kind {kind}"))
        rows += [(f"t{kind}x{at}", f"k{kind}", word(kind, at)) for at in range(OF_KIND)]
    columns = dict(zip(("child", "parent", "label"), zip(*rows, strict=True), strict=True))
    table = {name: list(column) for name, column in columns.items()}
    pandas = pytest.importorskip("pandas")
    hierarchy = binder.Hierarchy(
        pandas.DataFrame(table), child="child", parent="parent", label="label"
    )
    return binder.encode(hierarchy, effort="fast")


def row(name):
    """A vector that leans towards the kind in a name."""
    kind = KINDS if name == "root" else int(name[1:].split("x")[0])
    return np.eye(KINDS + 1, dtype=np.float32)[kind]


@pytest.fixture(scope="module")
def matrix(riddles):
    return np.stack([row(name) for name in riddles.names])


def safetensors(path, tensors):
    """Writes a safetensors file of arrays."""
    kinds = {"float32": "F32", "float16": "F16", "uint8": "U8", "float64": "F64"}
    header, data = {}, b""
    for name, array in tensors.items():
        start, data = len(data), data + np.ascontiguousarray(array).tobytes()
        offsets, dtype = [start, len(data)], kinds[str(array.dtype)]
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": offsets}
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def names_tensor(names):
    return np.frombuffer("\n".join(names).encode(), np.uint8)


def test_embeddings_in_every_form(riddles, matrix, tmp_path):
    pandas = pytest.importorskip("pandas")
    names = riddles.names
    file = safetensors(tmp_path / "e.safetensors", {"e": matrix, "names": names_tensor(names)})
    lines = [f"{name}\t{' '.join(map(str, row(name)))}" for name in names]
    (tmp_path / "e.tsv").write_text("\n".join(lines))
    forms = [
        matrix,
        matrix.astype(np.float64).tolist(),
        dict(zip(names, matrix, strict=True)),
        pandas.DataFrame(matrix, index=names),
        file,
        str(tmp_path / "e.tsv"),
    ]
    fitted = [binder.Placer.fit(riddles, embeddings=form, trees=20) for form in forms]
    assert len({placer.to_bytes() for placer in fitted}) == 1
    placer = fitted[0]
    assert placer.dimension == KINDS + 1 and not placer.lacks_encoder
    assert placer.place("unheard", embedding=row("k3")).best.name == "k3"
    many = placer.place_all(["unheard", "of"], embeddings=[row("k3"), row("k5")])
    assert [found.best.name for found in many] == ["k3", "k5"]
    assert placer.place_all(["unheard"], embeddings=[None]) == [placer.place("unheard")]
    judged = binder.Placer.evaluate(riddles, share=0.1, embeddings=matrix, trees=20)
    assert judged.hit1 > 0.9


def test_vectors_of_words(riddles, tmp_path):
    words = [word(kind, at) for kind in range(KINDS) for at in range(OF_KIND)]
    rows = np.repeat(np.eye(KINDS, dtype=np.float16), OF_KIND, axis=0)
    file = safetensors(tmp_path / "w.safetensors", {"w": rows})
    (tmp_path / "w.vocab.txt").write_text("\n".join(words))
    judged = binder.Placer.evaluate(riddles, share=0.1, vectors=file, trees=20)
    assert judged.hit1 > 0.9
    assert binder.Placer.fit(riddles, vectors=str(file), trees=5).dimension is None


def test_wrong_embeddings(riddles, matrix, tmp_path):
    def fit(**given):
        binder.Placer.fit(riddles, **given)

    names, nothing = riddles.names, np.full((1, 3), np.nan)
    wide = safetensors(tmp_path / "wide.safetensors", {"w": np.eye(2)})
    for given, said in [
        ({"embeddings": matrix[1:]}, "has 328 rows for 329 concepts; give one for each"),
        ({"embeddings": matrix[0]}, "have 1 dimensions; give rows of numbers"),
        ({"embeddings": [[1], [1, 2]]}, "not rows of as many numbers"),
        ({"embeddings": {3: [1.0]}}, "a row called 3; names are strings"),
        ({"embeddings": {names[0]: nothing[0]}}, "infinite or not a number"),
        ({"embeddings": {"stranger": [1.0]}}, "none of the 1 vectors has the name of a concept"),
        ({"embeddings": {}}, "give rows of numbers"),
        ({"embeddings": matrix, "encoder": tmp_path}, "both given"),
        ({"vectors": 3}, "vectors is 3; give a path"),
        ({"vectors": wide}, "is F64 .2, 2., not a matrix of F32, F16 or BF16"),
        ({"encoder": matrix}, "give a path"),
    ]:
        with pytest.raises(ValueError, match=said):
            fit(**given)
    for given in ({"vectors": tmp_path / "none"}, {"encoder": tmp_path / "none"}):
        with pytest.raises(FileNotFoundError):
            fit(**given)
    placer = binder.Placer.fit(riddles, embeddings=matrix, trees=5)
    for work, said in [
        (lambda: placer.place("x", embedding=[1.0]), "has 1 numbers; the placer was fitted with 9"),
        (lambda: placer.place("x", embedding="no"), "embedding is not numbers"),
        (lambda: placer.place("x", embedding=[[1.0]]), "2 dimensions; give a row"),
        (lambda: placer.place("x", embedding=[np.inf] * 9), "infinite or NaN"),
        (lambda: placer.place_all(["x"], embeddings=[]), "0 embeddings for 1 concepts"),
        (lambda: binder.Placer.fit(riddles, trees=5).place("x", embedding=[1.0]), "without embed"),
    ]:
        with pytest.raises(ValueError, match=said):
            work()


def write_encoder(folder, seed):
    """A BERT of one layer and random numbers."""
    random, width, wide = np.random.default_rng(seed), 8, 12
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ":"]
    tokens += [mark + chr(97 + letter) for mark in ("", "##") for letter in range(26)]
    shapes = {
        "embeddings.word_embeddings.weight": (len(tokens), width),
        "embeddings.position_embeddings.weight": (32, width),
        "embeddings.token_type_embeddings.weight": (2, width),
    }
    layer = "encoder.layer.0."
    for name, outputs, inputs in [
        ("attention.self.query", width, width),
        ("attention.self.key", width, width),
        ("attention.self.value", width, width),
        ("attention.output.dense", width, width),
        ("intermediate.dense", wide, width),
        ("output.dense", width, wide),
    ]:
        shapes[f"{layer}{name}.weight"] = (outputs, inputs)
        shapes[f"{layer}{name}.bias"] = (outputs,)
    norms = ["embeddings", f"{layer}attention.output", f"{layer}output"]
    for part in ("weight", "bias"):
        shapes |= {f"{norm}.LayerNorm.{part}": (width,) for norm in norms}
    tensors = {name: random.normal(size=shape) for name, shape in shapes.items()}
    folder.mkdir()
    safetensors(
        folder / "model.safetensors",
        {name: tensor.astype(np.float32) for name, tensor in tensors.items()},
    )
    (folder / "vocab.txt").write_text("\n".join(tokens))
    config = {
        "model_type": "bert",
        "hidden_size": width,
        "intermediate_size": wide,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "max_position_embeddings": 32,
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def test_encoder(riddles, tmp_path):
    encoder, other = write_encoder(tmp_path / "one", 1), write_encoder(tmp_path / "two", 2)
    placer = binder.Placer.fit(riddles, encoder=encoder, trees=5)
    assert placer.dimension == 8 and not placer.lacks_encoder
    placer.save(tmp_path / "p")
    assert binder.Placer.load(tmp_path / "p").lacks_encoder
    again = binder.Placer.load(tmp_path / "p", encoder=str(encoder))
    assert again.place("abc", "a kind") == placer.place("abc", "a kind")
    with pytest.raises(ValueError, match="fitted with another encoder.*give the folder of that"):
        binder.Placer.load(tmp_path / "p", encoder=other)
    binder.Placer.fit(riddles, trees=5).save(tmp_path / "q")
    with pytest.raises(ValueError, match="fitted without an encoder.*leave out encoder="):
        binder.Placer.load(tmp_path / "q", encoder=encoder)
    (encoder / "vocab.txt").write_text("a")
    with pytest.raises(ValueError, match=r"the token \[CLS\] is missing"):
        binder.Placer.fit(riddles, encoder=encoder)
    judged = binder.Placer.evaluate(riddles, share=0.1, encoder=other, names_only=True, trees=5)
    assert judged.queries == 32
