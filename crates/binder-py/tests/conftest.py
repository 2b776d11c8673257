"""Shared by all tests. They test the installed package, which `scripts/test-python` installs."""

import os
import pathlib
import subprocess

# Some of scikit-learn's checks run only with this, and SciPy looks for it when it is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import pytest  # noqa: E402

import binder  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
PETS = [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")]


def pytest_sessionstart(session):
    here = pathlib.Path(binder.__file__).resolve()
    assert ROOT / "crates" not in here.parents, f"{here} is the source tree; install the wheel"


@pytest.fixture(scope="session")
def pets():
    return binder.Hierarchy(PETS)


@pytest.fixture(scope="session")
def model(pets):
    return binder.encode(pets)


@pytest.fixture(scope="session")
def animals():
    return binder.Hierarchy("wordnet-animals")


@pytest.fixture(scope="session")
def animal_codes(animals):
    return binder.encode(animals)


@pytest.fixture(scope="session")
def command():
    """The command line, to hold the package against."""
    path = os.environ.get("BINDER_COMMAND")
    if not path:
        pytest.skip("BINDER_COMMAND names no binder to compare with")

    def run(*words):
        subprocess.run([path, *map(str, words)], check=True, capture_output=True)

    return run
