"""Vector embeddings to compare codes with: the rivals of the BINDER paper, and Poincaré embeddings.

>>> from binder import baselines
>>> oe = baselines.fit("toy", "oe", dim=16, epochs=200)
>>> oe
Baseline(oe, 15 concepts, 16 numbers each)
>>> oe.is_a("dog", "animal")
True
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _progress
from ._arrays import ConceptLike, PairsLike, one_id, pairs_ids
from ._hierarchy import Hierarchy
from ._make import _learnt_from

METHODS: tuple[str, ...] = tuple(_core.baseline_methods())
"""The names of all methods."""


@dataclass(frozen=True)
class Judgement:
    """How a baseline did over all n² − n ordered pairs of a hierarchy."""

    tp: int
    fp: int
    fn: int
    tn: int
    best_threshold: float
    best_f1: float
    auc: float
    average_precision: float
    mrr: float

    @property
    def f1(self) -> float:
        """F1 at the threshold of training. Representation is judged by `best_f1`."""
        total = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / total if total else 1.0


class Baseline:
    """Vectors of concepts, and the score from which a pair is taken to be is-a.

    `fit` and `Baseline.load` make them.

    >>> poe = fit("toy", "poe", dim=8, epochs=50)
    >>> poe.vectors.shape
    (15, 8)
    >>> poe.scores([("dog", "animal"), ("animal", "dog")]).shape
    (2,)
    """

    __slots__ = ("__weakref__", "_hierarchy", "_native", "_vectors")

    _native: _core.Baseline
    _hierarchy: Hierarchy
    _vectors: NDArray[np.float32] | None

    def __init__(self) -> None:
        raise TypeError("make a baseline with binder.baselines.fit(...) or Baseline.load(path)")

    @classmethod
    def _of(cls, core: _core.Baseline) -> Baseline:
        self = object.__new__(cls)
        self._native, self._hierarchy = core, Hierarchy._of(core.hierarchy)
        self._vectors = None
        return self

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Baseline:
        """Opens a file of ``binder baseline``. Everything is checked."""
        return cls._of(_core.Baseline.open(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes its file, a safetensors file, in one step."""
        self._native.save(path)

    @classmethod
    def from_bytes(cls, data: bytes) -> Baseline:
        """A baseline from the bytes of its file."""
        return cls._of(_core.Baseline.from_bytes(data))

    def to_bytes(self) -> bytes:
        """The bytes of its file."""
        return self._native.to_bytes()

    @property
    def hierarchy(self) -> Hierarchy:
        """The concepts and their direct pairs."""
        return self._hierarchy

    @property
    def method(self) -> str:
        """One of `METHODS`."""
        return self._native.method

    @property
    def threshold(self) -> float:
        """The score from which a pair is taken to be is-a, chosen on the validation pairs."""
        return self._native.threshold

    @property
    def settings(self) -> dict[str, str]:
        """The settings of the run that made the vectors."""
        return self._native.notes

    @property
    def vectors(self) -> NDArray[np.float32]:
        """One row of numbers per concept, in the order of ids; read-only."""
        if self._vectors is None:
            vectors = self._native.vectors()
            vectors.flags.writeable = False
            self._vectors = vectors
        return self._vectors

    def scores(self, pairs: PairsLike) -> NDArray[np.float32]:
        """The scores of (child, parent) pairs: the larger, the likelier is-a."""
        return self._native.scores(pairs_ids(self._hierarchy._native, pairs))

    def is_a(self, child: ConceptLike, parent: ConceptLike) -> bool:
        """Whether the score of the pair reaches the threshold; true of a concept and itself."""
        core = self._hierarchy._native
        pair = np.array([[one_id(core, child), one_id(core, parent)]], dtype=np.uint32)
        return bool(pair[0, 0] == pair[0, 1] or self._native.scores(pair)[0] >= self.threshold)

    def evaluate(self, against: Any = None, *, progress: bool = True) -> Judgement:
        """Judges it over all ordered pairs of a hierarchy, by default its own."""
        truth = self._hierarchy if against is None else Hierarchy(against, progress=progress)
        with _progress.bar(progress) as bar:
            counts, (threshold, best, auc, precision, mrr) = self._native.judge(truth._native, bar)
        return Judgement(*counts, threshold, best, auc, precision, mrr)

    def __len__(self) -> int:
        return len(self._hierarchy)

    def __repr__(self) -> str:
        numbers = self.vectors.shape[1]
        return f"Baseline({self.method}, {len(self):,} concepts, {numbers} numbers each)"


def fit(
    hierarchy: Any,
    method: str = "oe",
    *,
    on: PairsLike = "direct",
    valid: tuple[PairsLike, PairsLike] | None = None,
    progress: bool = True,
    **settings: float | str,
) -> Baseline:
    """Trains a method. The result is that of ``binder baseline``, byte for byte. Ctrl-C stops it.

    Args:
        hierarchy: a `Hierarchy`, or any source that it takes.
        method: one of `METHODS`.
        on: the pairs to learn from: "direct", "closure", or pairs.
        valid: pairs that are is-a and pairs that are not. The epoch and the threshold are chosen on
            them; by default on the training pairs and ten random corruptions of each.
        progress: show a progress bar, in terminals and notebooks, after a second.
        **settings: settings that differ from those that suit the method: dim, rate, batch,
            negatives, weight, epochs, patience, keep, filter, pool, seed, and those that only some
            methods have: start, margin, direction, aperture, epsilon, intersection, volume.

    >>> fit("toy", "hec", dim=4, epochs=2, start=1)
    Traceback (most recent call last):
    binder.errors.InputError: start is 1; leave it out: hec has no such setting
    """
    data = Hierarchy(hierarchy, progress=progress)
    pairs, source = _learnt_from(data, on)
    scored = None
    if valid is not None:
        positives, negatives = valid
        scored = (pairs_ids(data._native, positives), pairs_ids(data._native, negatives))
    texts = {name: str(value) for name, value in settings.items()}
    with _progress.bar(progress) as bar:
        core = _core.fit_baseline(data._native, method, pairs, source, scored, texts, bar)
    return Baseline._of(core)


__all__ = ["METHODS", "Baseline", "Judgement", "fit"]
