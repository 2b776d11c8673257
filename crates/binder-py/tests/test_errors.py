"""Every error is a BinderError and a usual exception, and its message says what to do."""

import builtins

import numpy as np
import pytest

import binder


def raises(kind, match):
    assert issubclass(kind, Exception)
    return pytest.raises(kind, match=match)


def test_a_hierarchy_is_asked_for_one_pair(pets):
    with pytest.raises(ValueError, match=r"one pair .* binder.encode\(hierarchy\) makes, takes"):
        pets.is_a(["cat", "puppy"], "dog")


def test_nothing_is_judged_by_no_pairs(pets):
    some, none = [("cat", "pet")], []
    model = binder.encode(pets)
    for positives, negatives, which in [(none, some, "positives"), (some, none, "negatives")]:
        with pytest.raises(ValueError, match=f"there are no {which}; give at least one pair"):
            binder.evaluate(model, positives=positives, negatives=negatives)
        with pytest.raises(ValueError, match=f"there are no {which}"):
            binder.train(pets, epochs=1, valid=(positives, negatives))


def test_one_family():
    for kind, base in [
        (binder.InputError, ValueError),
        (binder.UnknownConcept, KeyError),
        (binder.NotFound, FileNotFoundError),
        (binder.FileError, OSError),
        (binder.MemoryLimit, MemoryError),
        (binder.MissingPackage, ImportError),
    ]:
        assert issubclass(kind, base) and issubclass(kind, binder.BinderError)


def test_memory_has_a_limit(animals):
    before = binder.memory_limit()
    binder.set_memory_limit(10_000)
    try:
        with raises(binder.MemoryLimit, r"the closure takes about .*; if there is room, raise"):
            animals.closure()
    finally:
        binder.set_memory_limit(None)
    assert binder.memory_limit() == before
    assert len(animals.closure()) > 0


def test_files(tmp_path):
    with raises(binder.NotFound, "no such file, and no built-in"):
        binder.Hierarchy("no-such-thing.tsv")
    with raises(binder.NotFound, "No such file"):
        binder.load(tmp_path / "no.safetensors")
    with raises(OSError, "No such file"):
        binder.encode("toy").save(tmp_path / "no-folder" / "m.safetensors")
    (tmp_path / "wrong.tsv").write_text("a\tb\nc\td\te\n")
    with raises(
        binder.InputError,
        r'wrong.tsv:2:\d+: expected 2 columns, found 3; choose two with .*columns=\("child",',
    ):
        binder.Hierarchy(tmp_path / "wrong.tsv")
    (tmp_path / "wrong.safetensors").write_bytes(b"nothing")
    with raises(ValueError, "not as long as its header says"):
        binder.load(tmp_path / "wrong.safetensors")
    with raises(ValueError, "these bytes"):
        binder.Model.from_bytes(b"")


@pytest.mark.parametrize(
    ("name", "text", "options", "fact", "remedy"),
    [
        ("x.tsv", "a\tb\n# note\n", {}, "found 1", 'comment="#"'),
        ("x.tsv", "a\tb\nc,d\n", {}, "found 1", 'format="tsv", "csv" or "spaces"'),
        ("x.tsv", "a\tb\tc\nd\te\n", {"columns": (1, 2)}, "found 2", "every row must have"),
        ("x.tsv", "a\tb\n", {"columns": (1, 3)}, "no column 3", "the columns are"),
        ("x.tsv", "a\tb\n", {"language": "de"}, "for RDF files", "leave out language"),
        ("x.nt", "<a> <b> <c> .\n", {"reverse": True}, "for tables", "leave out reverse"),
        ("x.tsv", "a\tb\n", {"comment": ""}, "the comment mark is empty", 'comment="#"'),
        ("x.tsv", "a\tb\nb\ta\n", {}, "a is-a b is-a a", 'cycles="merge"'),
        ("x.ttl", "no turtle\n", {}, "not valid turtle", 'format="tsv"'),
        ("x", "word\n", {}, "cannot detect the format", "format= and one of tsv, csv"),
    ],
)
def test_remedies_are_arguments(tmp_path, name, text, options, fact, remedy):
    (tmp_path / name).write_text(text)
    with pytest.raises(binder.InputError) as error:
        binder.Hierarchy(tmp_path / name, **options)
    message = str(error.value)
    assert fact in message and remedy in message.split("; ", 1)[1] and "--" not in message


def test_remedies_elsewhere(tmp_path, model):
    with raises(binder.InputError, "a built-in takes no options.*; leave out verbs$"):
        binder.Hierarchy("toy", verbs=True)
    with raises(binder.InputError, 'a is-a b is-a a; .*Hierarchy.source, cycles="merge".'):
        binder.Hierarchy([("a", "b"), ("b", "a")])
    with raises(binder.InputError, "not a regular file; give the path of a model file"):
        binder.load(tmp_path)
    (tmp_path / "no.tsv").write_text("cat\tpet\tx\n")
    with raises(binder.InputError, "found 3; write child and parent in two columns"):
        binder.train(model.hierarchy, on=tmp_path / "no.tsv")
    (tmp_path / "no.tsv").write_text("cat\tfish\n")
    with raises(binder.UnknownConcept, '"fish" is not a known concept; check the spelling'):
        binder.train(model.hierarchy, on=tmp_path / "no.tsv")
    with raises(binder.UnknownConcept, "no such concept.*; add it first, or .* model.search"):
        model.add("x", ["fish"])
    with raises(binder.InputError, "already; choose another name"):
        model.add("pet", ["animal"])
    with raises(binder.UnknownConcept, "not in the model.*; use the hierarchy"):
        binder.evaluate(model, "toy")


def test_concepts(animal_codes):
    with raises(KeyError, 'no concept is named "dgo.n.01"; is it dog.n.01'):
        animal_codes["dgo.n.01"]
    with raises(KeyError, "no concept is named"):
        animal_codes.is_a(np.array(["dog.n.01", "dgo.n.01"]), "dog.n.01")
    with raises(KeyError, "no concept has number 4017; there are 4017"):
        animal_codes.is_a(4017, 0)
    with raises(KeyError, "no concept has number -1"):
        animal_codes.is_a(np.array([0, -1]), np.array([0, 0]))
    with raises(KeyError, "number 99999"):
        animal_codes.is_a(np.full(100_000, 99_999, np.uint32), 0)
    with raises(KeyError, "number 99999"):
        animal_codes.bits([99_999])
    with raises(ValueError, "a concept is a name, a number or a Concept, not float"):
        animal_codes[1.5]
    with raises(ValueError, "this array is float64"):
        animal_codes.is_a(np.zeros(3), 0)
    with raises(ValueError, "names are strings, and this is bytes"):
        animal_codes.ids(np.array([b"dog.n.01"], dtype=object))
    with raises(ValueError, "do not go together"):
        animal_codes.is_a([0, 1, 2], [0, 1])
    assert str(binder.UnknownConcept("a sentence")) == "a sentence"


def test_settings():
    with raises(ValueError, "^alpha is 0; choose at least 1"):
        binder.train("toy", alpha=0)
    with raises(ValueError, 'recipe is "worst"; choose one of paper, published, best'):
        binder.train("toy", "worst")
    with raises(ValueError, "negatives is 'some'"):
        binder.train("toy", negatives="some")
    with raises(ValueError, 'init is "nowhere"; choose one of ones, .*, or give a Model$'):
        binder.train("toy", init="nowhere")
    with raises(ValueError, "0 bits a code; choose from 1 to 4096"):
        binder.encode("toy", bits=0)
    with raises(ValueError, "91 % of the indirect pairs"):
        binder.split("toy", [91])
    with raises(ValueError, 'effort is "most"; choose one of fast, normal, max$'):
        binder.encode("toy", effort="most")
    with raises(ValueError, 'format is "xls"; choose one of tsv, csv, spaces'):
        binder.Hierarchy("x.tsv", format="xls")
    with raises(ValueError, 'flips is "double"; choose one of single, monotone$'):
        binder.train("toy", flips="double")
    with raises(ValueError, 'keep is "best"; choose one of f1, loss, training, last$'):
        binder.train("toy", keep="best")
    with raises(ValueError, 'cycles is "ignore"; choose one of refuse, merge$'):
        binder.Hierarchy([("a", "b")], cycles="ignore")
    with raises(ValueError, "pair 1 is not"):
        binder.Hierarchy([("a", "b"), "ab"])
    with raises(ValueError, "names are strings, and this is bytes"):
        binder.Hierarchy([(b"a", b"b")])
    with raises(ValueError, "names are strings, and this is NoneType; leave it out"):
        binder.Hierarchy([("a", None)])
    with raises(ValueError, "not from int"):
        binder.Hierarchy(3)
    with raises(TypeError, "make a model with"):
        binder.Model()


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: binder.train("toy", bits="16"), "bits is '16'; give a whole number"),
        (lambda: binder.train("toy", rate="fast"), "rate is 'fast'; give a number"),
        (lambda: binder.train("toy", filtered="yes"), "filtered is 'yes'; give True or False"),
        (lambda: binder.train("toy", flips=3), "flips is 3; give a string"),
        (lambda: binder.train("toy", resume=True), "give checkpoint= too"),
        (lambda: binder.encode("toy", effort=3), "effort is 3; give a string"),
        (lambda: binder.Hierarchy("toy", cycles=3), "cycles is 3; give a string"),
        (lambda: binder.Hierarchy("x.csv", delimiter="ab"), "delimiter is 'ab'; give one char"),
        (lambda: binder.Hierarchy("x.csv", columns=("a",)), r"columns is \('a',\); give two"),
        (lambda: binder.Hierarchy([("a", "b")], label="x"), "label is for files and frames"),
        (lambda: binder.split("toy", seed=-1), "seed is -1; give a whole number"),
        (lambda: binder.reproduce("edgy", "nowhere"), 'experiment is "edgy"; choose one of rep'),
    ],
)
def test_wrong_types_are_told_in_words(work, said):
    with raises(ValueError, said):
        work()


def test_a_warning_for_what_will_disappoint():
    with pytest.warns(UserWarning, match="bits are too few for 15 different codes"):
        binder.train("toy", bits=2, epochs=1)


def test_expressions(model):
    with raises(ValueError, "column 6: the expression ends"):
        model.expr("pet &")
    with raises(ValueError, "give one of them"):
        model.add("x", ["pet"], expression="pet & dog")
    with raises(ValueError, "already"):
        model.add("pet", ["animal"])
    with raises(KeyError, "no such concept"):
        model.add("x", ["fish"])


def test_a_missing_package_is_named(model, monkeypatch):
    real = builtins.__import__

    def without(name, *rest, **more):
        if name.partition(".")[0] in ("pandas", "networkx", "gensim", "pyarrow"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr("importlib.import_module", lambda name: without(name))
    for call in (model.to_pandas, model.to_networkx, model.to_keyed_vectors, model.to_arrow):
        with raises(ImportError, "needs .*; install it with: pip install"):
            call()


def test_what_is_not_a_name_is_named():
    model = binder.encode([("cat", "pet"), ("dog", "pet")])
    with raises(binder.InputError, "names are str, and this is bytes"):
        model.is_a(b"cat", "pet")
    with raises(binder.InputError, "names are str, and this is bytes"):
        model.is_a("cat", b"pet")
    masked = np.ma.array([0, 1], mask=[False, True])
    with raises(binder.InputError, "masked"):
        model.is_a(masked, np.array([0, 0]))
    whole = np.ma.array([1, 2], mask=False)
    assert list(model.is_a(whole, np.array([0, 0]))) == [True, True]


def test_misaligned_arrays_are_copied():
    model = binder.encode([("cat", "pet"), ("dog", "pet")])
    raw = np.zeros(2 * 8 + 1, np.uint8)
    odd = raw[1:].view(np.int64)
    odd[:] = [1, 2]
    assert not odd.flags.aligned
    assert list(model.is_a(odd, np.array([0, 0]))) == [True, True]


@pytest.mark.parametrize("value", ["many", 1.5, -1, None, True])
def test_settings_of_a_wrong_type_are_named(value):
    with raises(binder.InputError, "seed is"):
        binder.encode("toy", seed=value)
    if value is not None:
        with raises(binder.InputError, "epochs is"):
            binder.train("toy", epochs=value)
