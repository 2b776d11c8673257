"""encode, train and evaluate do the same as the command line; models are equal byte for byte."""

import numpy as np
import pytest

import binder


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, []),
        ({"bits": 20}, ["--bits", "20"]),
        ({"effort": "fast", "seed": 5}, ["--effort", "fast", "--seed", "5"]),
    ],
)
def test_encode_is_that_of_the_command_line(settings, words, animals, command, tmp_path):
    command("encode", "wordnet-animals", "-o", tmp_path / "m", *words)
    assert binder.encode(animals, **settings).to_bytes() == (tmp_path / "m").read_bytes()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"bits": 64, "seed": 2}, ["--bits", "64", "--seed", "2"]),
        (
            {
                "recipe": "published",
                "epochs": 8,
                "score": "training",
                "rate": 0.02,
                "negatives": 16,
                "with_self": False,
            },
            (
                "--recipe published --epochs 8 --score training --rate 0.02 "
                "--negatives 16 --with-self false"
            ).split(),
        ),
        (
            {
                "recipe": "paper",
                "on": "closure",
                "epochs": 3,
                "score": None,
                "negatives": "all:4",
                "init": "random",
            },
            (
                "--recipe paper --on closure --epochs 3 --no-valid --negatives all:4 --init random"
            ).split(),
        ),
        (
            {"sequential": True, "bits": 8, "negatives": 2},
            "--sequential --bits 8 --negatives 2".split(),
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_train_is_that_of_the_command_line(settings, words, animals, command, tmp_path):
    command("train", "wordnet-animals", "-o", tmp_path / "m", *words)
    assert binder.train(animals, **settings).to_bytes() == (tmp_path / "m").read_bytes()


def test_training_on_listed_pairs(animals, command, tmp_path):
    split = animals.split([0, 10], seed=1)
    split.save(tmp_path / "split")
    files = {
        name: str(tmp_path / "split" / f"{name}.tsv")
        for name in ("train_10", "valid", "valid_neg", "test", "test_neg")
    }
    words = [
        "--on",
        files["train_10"],
        "--valid",
        files["valid"],
        "--valid-neg",
        files["valid_neg"],
    ]
    command("train", "wordnet-animals", "-o", tmp_path / "m", "--bits", "64", *words)
    by_file = binder.train(
        animals, bits=64, on=files["train_10"], valid=(files["valid"], files["valid_neg"])
    )
    assert by_file.to_bytes() == (tmp_path / "m").read_bytes()
    by_ids = binder.train(
        animals, bits=64, on=split.train[10], valid=(split.valid, split.valid_neg)
    )
    by_names = binder.train(
        animals,
        bits=64,
        on=animals.named(split.train[10]),
        valid=(np.array(animals.named(split.valid)), split.valid_neg),
    )
    assert (
        (by_ids.codes == by_file.codes).all()
        and by_names == by_ids
        and by_ids.notes["on"] == "pairs"
    )
    assert binder.evaluate(by_ids, positives=split.test, negatives=split.test_neg).f1 == 1.0


def test_callbacks():
    seen = []
    binder.train("toy", "published", bits=16, epochs=5, callback=seen.append, score="training")
    assert [epoch.epoch for epoch in seen] == [1, 2, 3, 4, 5]
    assert all(
        epoch.loss == epoch.loss_positive + epoch.loss_negative and 0 <= epoch.f1 <= 1
        for epoch in seen
    )
    assert repr(seen[0]).startswith("Epoch(1, loss=")
    stopped = []
    binder.train("toy", "published", bits=16, callback=lambda e: stopped.append(e) or e.epoch == 3)
    assert len(stopped) == 3

    def fails(epoch):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        binder.train("toy", callback=fails)


def test_flips_by_the_new_word_and_the_old():
    runs = [binder.train("toy", bits=16, flips=flips) for flips in ("monotone", "closed", None)]
    assert runs[0] == runs[1] == runs[2] and runs[0].notes["flips"] == "monotone"
    assert binder.train("toy", bits=16, epochs=2, flips="single").notes["flips"] == "single"


def test_training_goes_on_from_a_model(tmp_path):
    first = binder.train("toy", "published", bits=16, epochs=3, score=None)
    first.save(tmp_path / "m")
    runs = [
        binder.train("toy", "published", bits=16, epochs=3, init=init)
        for init in (first, tmp_path / "m", str(tmp_path / "m"))
    ]
    assert runs[0] == runs[1] == runs[2] and runs[0].notes["init"] == "model"


def test_evaluation(animals, animal_codes):
    judged = binder.evaluate(animal_codes, animals)
    n = len(animals)
    assert (judged.tp, judged.fp, judged.fn, judged.pairs) == (
        animals.info["closure"],
        0,
        0,
        n * n - n,
    )
    assert (
        judged.f1
        == judged.precision
        == judged.recall
        == judged.accuracy
        == judged.closure.f1
        == 1.0
    )
    assert judged.many_descendants.f1 < 0.6 and "F1 100.000%" in str(judged)
    few = binder.encode(animals, bits=12, effort="fast")
    assert binder.evaluate(few).fn == 0 and 0 < binder.evaluate(few).f1 < 1
    assert binder.evaluate(few, "wordnet-animals") == binder.evaluate(few)
    listed = binder.evaluate(
        animal_codes, positives=[("dog.n.01", "animal.n.01")], negatives=[("dog.n.01", "cat.n.01")]
    )
    assert (listed.tp, listed.tn, listed.pairs) == (1, 1, 2)
    with pytest.raises(KeyError, match="are not in the model"):
        binder.evaluate(animal_codes, "toy")
    with pytest.raises(ValueError, match="both"):
        binder.evaluate(animal_codes, positives=[])
