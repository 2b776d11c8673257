"""Optional packages: imported when they are first needed."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import MissingPackage


def need(module: str, *, package: str | None = None, what: str) -> Any:
    """The module, or an error that says what it is needed for and how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = package or module.partition(".")[0]
        raise MissingPackage(
            f"{what} needs {package}; install it with: pip install {package}"
        ) from error
