"""Checkpoints and logs of training runs."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from . import _core
from ._settings import truth
from .errors import InputError

_SECONDS = {"s": 1, "m": 60, "h": 3600}

Callback = Callable[[_core.Epoch], object]


def saving(
    checkpoint: str | os.PathLike[str] | None, every: int | str, resume: bool, sequential: bool
) -> dict[str, Any]:
    """Where and how often a run is saved, for the native module."""
    truth("resume", resume)
    if checkpoint is None and resume:
        raise InputError("resume needs a file to go on from; give checkpoint= too")
    if checkpoint is not None and sequential:
        raise InputError("a sequential run has no epochs to save; leave out checkpoint")
    epochs, seconds = _interval(every)
    return {
        "checkpoint": checkpoint,
        "every_epochs": epochs,
        "every_seconds": seconds,
        "resume": resume,
    }


def _interval(every: int | str) -> tuple[int | None, float | None]:
    found = re.fullmatch(r"(\d+)([smh]?)", str(every))
    if not found or int(found[1]) == 0 or isinstance(every, bool):
        raise InputError(
            f"checkpoint_every is {every!r}; give a time such as '30s', '5m' or '1h', or a number "
            "of epochs from 1"
        )
    number, unit = int(found[1]), found[2]
    return (None, float(number * _SECONDS[unit])) if unit else (number, None)


@contextlib.contextmanager
def logged(
    path: str | os.PathLike[str] | None, resume: bool, callback: Callback | None
) -> Iterator[Callback | None]:
    """The callback, after a line of JSON for each epoch in a file."""
    if path is None:
        yield callback
        return
    with Log(path, resume) as log:

        def heard(epoch: _core.Epoch) -> object:
            log.write(epoch)
            return callback(epoch) if callback else None

        yield heard


class Log:
    """A file with a line for each epoch, as ``binder train --log`` writes it."""

    def __init__(self, path: str | os.PathLike[str], resume: bool) -> None:
        # A run that goes on may have lines of epochs that it has to repeat.
        self._path, self._started = path, not resume
        self._file = open(path, "a+" if resume else "w", encoding="utf-8")

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, epoch: _core.Epoch) -> None:
        if not self._started:
            self._cut(epoch.epoch)
            self._started = True
        line = {
            "epoch": epoch.epoch,
            "loss_positive": epoch.loss_positive,
            "loss_negative": epoch.loss_negative,
            "flips": epoch.flips,
            "f1": epoch.f1,
            "valid_loss": epoch.valid_loss,
            "seconds": epoch.seconds,
        }
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()

    def _cut(self, next_epoch: int) -> None:
        """Cuts off what comes from this epoch on."""
        self._file.seek(0)
        kept = []
        for line in self._file:
            try:
                epoch = json.loads(line)["epoch"]
            except (ValueError, KeyError, TypeError):
                break
            if not line.endswith("\n") or epoch >= next_epoch:
                break
            kept.append(line)
        self._file.seek(0)
        self._file.truncate()
        self._file.writelines(kept)
