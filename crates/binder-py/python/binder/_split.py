"""`binder.Split`: pairs divided for link prediction."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from . import _core

if TYPE_CHECKING:
    from ._hierarchy import Hierarchy


class Split:
    """A hierarchy's pairs, divided for link prediction.

    They are arrays [m, 2] of (child, parent) ids; ``hierarchy.named`` gives their names. ``train``
    has a training set for each percentage of indirect pairs. ``valid`` and ``test`` are held out.
    ``valid_neg`` and ``test_neg`` have, for each pair of those, ten pairs that are not is-a.
    """

    __slots__ = ("_native", "hierarchy", "test", "test_neg", "train", "valid", "valid_neg")

    def __init__(self, hierarchy: Hierarchy, core: _core.Split) -> None:
        self.hierarchy, self._native = hierarchy, core
        self.train: dict[int, NDArray[np.uint32]] = core.train()
        self.valid, self.valid_neg, self.test, self.test_neg = core.held_out()

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the pairs into a new folder.

        The files are ``train_0.tsv``, …, ``valid.tsv``, ``valid_neg.tsv``, ``test.tsv`` and
        ``test_neg.tsv``.
        """
        self._native.save(self.hierarchy._native, folder)

    def __repr__(self) -> str:
        train = ", ".join(
            f"{percentage} %: {len(pairs):,}" for percentage, pairs in self.train.items()
        )
        return f"Split(train {{{train}}}, valid {len(self.valid):,}, test {len(self.test):,})"
