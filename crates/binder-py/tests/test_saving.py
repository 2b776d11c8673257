"""Training runs are saved, logged, interrupted and continued; experiments are repeated."""

import json
import re
import subprocess

import pytest

import binder

RUN = {"recipe": "published", "bits": 64, "seed": 2, "score": "training"}


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_an_interrupted_run_goes_on(tmp_path):
    whole = binder.train("wordnet-animals", **RUN, epochs=12, log=tmp_path / "whole.log")
    saved = {"checkpoint": tmp_path / "run", "checkpoint_every": 2, "log": tmp_path / "run.log"}

    def stops(epoch):
        if epoch.epoch == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        binder.train("wordnet-animals", **RUN, epochs=12, **saved, callback=stops)
    assert len(lines(tmp_path / "run.log")) == 5
    with open(tmp_path / "run.log", "a") as log:
        log.write('{"epoch": 6}\n{"epoch": 7')
    seen = []
    went_on = binder.train(
        "wordnet-animals", **RUN, epochs=12, **saved, resume=True, callback=seen.append
    )
    assert went_on.to_bytes() == whole.to_bytes()
    assert [epoch.epoch for epoch in seen] == list(range(6, 13))
    of_whole, of_run = lines(tmp_path / "whole.log"), lines(tmp_path / "run.log")
    timeless = [{**line, "seconds": 0} for line in of_whole]
    assert [{**line, "seconds": 0} for line in of_run] == timeless and len(of_run) == 12
    longer = binder.train("wordnet-animals", **RUN, epochs=14, **saved, resume=True)
    assert longer.to_bytes() == binder.train("wordnet-animals", **RUN, epochs=14).to_bytes()


def test_the_command_line_goes_on_too(command, tmp_path):
    binder.train("toy", **RUN, epochs=3, checkpoint=tmp_path / "run")
    words = "--recipe published --bits 64 --seed 2 --score training --epochs 6 --resume".split()
    command("train", "toy", "-o", tmp_path / "m", "--checkpoint", tmp_path / "run", *words)
    assert (tmp_path / "m").read_bytes() == binder.train("toy", **RUN, epochs=6).to_bytes()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_wrong_checkpoints(tmp_path):
    run = tmp_path / "run"
    binder.train("toy", **RUN, epochs=2, checkpoint=run)
    for settings, said in [
        ({"checkpoint": run}, "exists already; continue from it with resume=True"),
        ({"checkpoint": run, "resume": True, "alpha": 9}, "another run .*give the settings of"),
        ({"checkpoint": tmp_path / "x", "checkpoint_every": "5d"}, "such as '30s', '5m' or '1h'"),
        ({"checkpoint": tmp_path / "x", "sequential": True}, "no epochs to save"),
    ]:
        with pytest.raises(ValueError, match=said):
            binder.train("toy", **RUN, epochs=2, **settings)
    run.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="run"):
        binder.train("toy", **RUN, epochs=2, checkpoint=run, resume=True)


def test_experiments(tmp_path):
    assert {"representation", "link-prediction", "place"} <= set(binder.EXPERIMENTS)
    report = binder.reproduce("edges", tmp_path, sets=["toy"])
    assert "| Toy | 15 | 14 | 19 | 33 |" in str(report) and report.files[0].exists()
    assert report._repr_markdown_() == report.text
    for settings, said in [
        ({"sets": ["mars"]}, 'sets is "mars"; choose one of'),
        ({"recipes": ["worst"]}, 'recipes is "worst"; choose one of'),
        ({"methods": ["guess"]}, 'methods is "guess"; choose one of'),
        ({"quick": "yes"}, "quick is 'yes'; give True or False"),
    ]:
        with pytest.raises(ValueError, match=said):
            binder.reproduce("representation", tmp_path, **settings)


HELD = r"run: another process.* is writing it; try again when it has ended"


def while_it_runs(run, tries):
    """Trains, and calls `tries` in the middle, while the checkpoint is held."""
    saved = {"checkpoint": run, "checkpoint_every": 1}
    heard = []
    binder.train(
        "toy",
        **RUN,
        epochs=3,
        **saved,
        callback=lambda epoch: heard.append(epoch.epoch == 2 and tries()),
    )
    assert len(heard) == 3
    # It is free again.
    binder.train("toy", **RUN, epochs=4, **saved, resume=True)


def test_one_run_at_a_time_has_a_checkpoint(tmp_path):
    def tries():
        with pytest.raises(binder.FileError, match=HELD):
            binder.train("toy", **RUN, epochs=3, checkpoint=tmp_path / "run", resume=True)

    while_it_runs(tmp_path / "run", tries)


def test_the_command_line_has_the_same_lock(tmp_path, command):
    def tries():
        words = "--recipe published --bits 64 --seed 2 --score training --epochs 3 --resume"
        run = ["--checkpoint", tmp_path / "run", *words.split()]
        with pytest.raises(subprocess.CalledProcessError) as refused:
            command("train", "toy", "-o", tmp_path / "m", *run)
        assert re.search(HELD, refused.value.stderr.decode())

    while_it_runs(tmp_path / "run", tries)
