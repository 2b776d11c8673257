"""Long calls let others go on, stop on Ctrl-C, survive a fork, and print nothing unasked."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import binder


def interrupted(code, after):
    """How long a process goes on after Ctrl-C, and what it printed."""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(after)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    return time.monotonic() - started, out, errors


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(
    "call",
    [
        "binder.encode(nouns, effort='max', progress=False)",
        "binder.train(nouns, 'published', score='training', progress=False)",
    ],
)
def test_ctrl_c(call):
    code = f"""
import binder
nouns = binder.Hierarchy("wordnet-nouns")
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("stopped;", binder.encode("toy"))
"""
    seconds, out, errors = interrupted(code, 1.5)
    assert out == "stopped; Model(15 concepts, 8 bits)\n" and errors == ""
    assert seconds < 20


def test_other_threads_go_on(animals):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    binder.encode("wordnet-nouns", effort="fast")
    done.set()
    ticker.join()
    # Had the call kept the interpreter to itself, there would be one tick before it and one after.
    assert len(ticks) > 10


def test_models_are_shared_by_threads(animal_codes):
    pairs = np.random.default_rng(0).integers(0, len(animal_codes), (2, 50_000))
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(animal_codes.is_a(*pairs))) for _ in range(8)
    ]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(answers) == 8 and all((answer == answers[0]).all() for answer in answers)


def in_child(data):
    model = pickle.loads(data)
    ids = np.arange(len(model)).repeat(20)
    return int(model.is_a(ids, 0).sum()), binder.encode("toy").n_bits


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(animal_codes):
    binder.encode("toy")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        answers = pool.map_async(in_child, [pickle.dumps(animal_codes)] * 2).get(timeout=60)
    assert answers == [(4017 * 20, 8)] * 2


def test_the_number_of_threads_changes_nothing(animals):
    before = binder.threads()
    try:
        binder.set_threads(1)
        one = binder.train(animals, "published", epochs=2, bits=64, score="training")
        binder.set_threads(3)
        assert binder.threads() == 3
        assert binder.train(animals, "published", epochs=2, bits=64, score="training") == one
    finally:
        binder.set_threads(before)


def test_nothing_is_printed(capfd):
    for progress in (False, True):
        binder.encode("wordnet-animals", progress=progress)
        binder.train("toy", progress=progress)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("package", ["tqdm", None])
def test_bars(package, monkeypatch, capsys):
    from binder import _progress

    if package is None:
        monkeypatch.setitem(sys.modules, "tqdm", None)
    else:
        pytest.importorskip(package)
    monkeypatch.setattr(_progress, "PATIENCE", 0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    binder.train("wordnet-animals", "published", epochs=12, score="training")
    shown = capsys.readouterr().err
    assert "training: loss" in shown and "%" in shown
    binder.train("wordnet-animals", "published", epochs=12, score="training", progress=False)
    assert capsys.readouterr().err == ""


def test_importing_it_imports_no_other_package():
    """They take longer than all of binder."""
    heavy = "pandas polars pyarrow sklearn scipy matplotlib networkx torch gensim tqdm"
    code = f"import sys, binder; print(sorted(set({heavy.split()!r}) & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
