"""Progress bars in terminals and notebooks: tqdm's if it is installed, otherwise a plain one."""

from __future__ import annotations

import contextlib
import importlib
import sys
import time
from collections.abc import Iterator
from typing import Any, Protocol

#: Nothing is drawn for what takes less than this.
PATIENCE = 1.0


class Bar(Protocol):
    """What the native module calls, about twenty times a second."""

    def show(self, stage: str, done: int, total: int | None) -> None: ...


@contextlib.contextmanager
def bar(wanted: bool) -> Iterator[Bar | None]:
    """A bar while the block runs, or None if it is not wanted or there is no place to show it."""
    if not wanted or not (_in_notebook() or sys.stderr.isatty()):
        yield None
        return
    drawn = _best()
    try:
        yield drawn
    finally:
        drawn.close()


def _best() -> TqdmBar | PlainBar:
    """tqdm's bar if possible. In a notebook it needs widgets, or every update is a new line."""
    try:
        if _in_notebook():
            importlib.import_module("ipywidgets")
        module: Any = importlib.import_module("tqdm.notebook" if _in_notebook() else "tqdm")
    except ImportError:
        return PlainBar()
    return TqdmBar(module.tqdm)


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    kernel = shell and shell.get_ipython()
    return kernel is not None and "IPKernelApp" in getattr(kernel, "config", {})


class TqdmBar:
    """tqdm's bar, a new one for each stage."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm, self._stage = tqdm, ""
        self._bar: Any = None
        self._started = time.monotonic()

    def show(self, stage: str, done: int, total: int | None) -> None:
        if time.monotonic() - self._started < PATIENCE:
            return
        # The text after a colon changes from step to step; that is not a new stage.
        name = stage.partition(":")[0]
        if self._bar is None or name != self._stage or total != self._bar.total:
            self.close()
            # A count of steps without a total says little, so only the time is shown.
            form = None if total else "{desc} {elapsed}"
            self._bar = self._tqdm(
                desc=stage, total=total, leave=False, unit_scale=True, bar_format=form
            )
            self._stage = name
        self._bar.set_description(stage, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class PlainBar:
    """One line that is overwritten: on standard error, or below a notebook's cell."""

    _WIDTH = 30

    def __init__(self) -> None:
        self._started, self._drawn = time.monotonic(), ""
        self._handle: Any = None

    def show(self, stage: str, done: int, total: int | None) -> None:
        if time.monotonic() - self._started < PATIENCE:
            return
        text = f"{stage} {time.monotonic() - self._started:.0f} s"
        if total:
            filled = min(self._WIDTH, self._WIDTH * done // total)
            drawn = "#" * filled + "." * (self._WIDTH - filled)
            text = f"{stage} [{drawn}] {min(100, 100 * done // total)} %"
        self._draw(text)

    def close(self) -> None:
        if self._drawn:
            self._draw("")

    def _draw(self, text: str) -> None:
        if _in_notebook():
            display: Any = importlib.import_module("IPython.display")
            if self._handle is None:
                self._handle = display.display(display.Pretty(text), display_id=True)
            else:
                self._handle.update(display.Pretty(text))
        else:
            sys.stderr.write("\r" + text.ljust(len(self._drawn)) + ("" if text else "\r"))
            sys.stderr.flush()
        self._drawn = text
