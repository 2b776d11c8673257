"""`binder.baselines`: the embeddings that codes are compared with."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import numpy as np
import pytest

import binder
from binder import baselines

QUICK = {"dim": 8, "epochs": 4, "negatives": 8}


@pytest.mark.parametrize("method", baselines.METHODS)
def test_every_method_is_trained_saved_and_judged(method: str, tmp_path: pathlib.Path) -> None:
    model = baselines.fit("toy", method, on="closure", **QUICK)
    assert model.vectors.shape[0] == len(model) == 15
    assert model.vectors.dtype == np.float32 and not model.vectors.flags.writeable
    judged = model.evaluate()
    assert judged.tp + judged.fp + judged.fn + judged.tn == 15 * 14
    assert 0 <= judged.f1 <= judged.best_f1 <= 1
    model.save(tmp_path / "m")
    again = baselines.Baseline.load(tmp_path / "m")
    assert again.to_bytes() == model.to_bytes()
    pairs = [("dog", "animal"), ("animal", "dog")]
    assert (again.scores(pairs) == model.scores(pairs)).all()
    assert again.is_a("dog", "dog")


def test_the_file_is_that_of_the_command_line(
    command: Callable[..., None], tmp_path: pathlib.Path
) -> None:
    model = baselines.fit("toy", "oe", seed=3, **QUICK)
    options = [f"--{name}={value}" for name, value in {**QUICK, "seed": 3}.items()]
    command("baseline", "toy", "--method", "oe", "-o", tmp_path / "m", *options)
    assert (tmp_path / "m").read_bytes() == model.to_bytes()


def test_validation_pairs_choose_the_threshold() -> None:
    valid = ([("dog", "animal")], [("animal", "dog"), ("dog", "city")])
    model = baselines.fit("toy", "poe", valid=valid, **QUICK)
    assert model.settings["scored_on"] == "valid"


def test_wrong_use_says_what_to_do(tmp_path: pathlib.Path) -> None:
    with pytest.raises(binder.InputError, match="choose one of sim, bilinear"):
        baselines.fit("toy", "word2vec")
    with pytest.raises(binder.InputError, match="there is no setting speed"):
        baselines.fit("toy", "oe", speed=2)
    with pytest.raises(binder.InputError, match="dim is wide; give a number"):
        baselines.fit("toy", "oe", dim="wide")
    with pytest.raises(TypeError, match=r"baselines\.fit"):
        baselines.Baseline()
    binder.encode("toy").save(tmp_path / "codes")
    with pytest.raises(binder.InputError, match="model"):
        baselines.Baseline.load(tmp_path / "codes")
    with pytest.raises(binder.NotFound):
        baselines.Baseline.load(tmp_path / "nothing")
