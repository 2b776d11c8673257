"""Settings in the form the native module takes, and errors in Python's words where they are not."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .errors import InputError


def whole_number(name: str, value: object) -> int:
    """A setting that is a whole number, and not below zero."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if number < 0 or number >= 1 << 64 or isinstance(value, bool):
        raise InputError(f"{name} is {value!r}; give a whole number, 0 or more")
    return number


def real_number(name: str, value: object) -> float:
    """A setting that is a number."""
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        return float(value)
    raise InputError(f"{name} is {value!r}; give a number")


def text(name: str, value: Any) -> str:
    """A setting that is a text."""
    if not isinstance(value, str):
        raise InputError(f"{name} is {value!r}; give a string")
    return value


def truth(name: str, value: Any) -> bool:
    """A setting that is true or false."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name} is {value!r}; give True or False")
    return bool(value)


def character(name: str, value: Any) -> str:
    """A setting that is one character."""
    if not isinstance(value, str) or len(value) != 1:
        raise InputError(f"{name} is {value!r}; give one character")
    return value


def two(name: str, value: Any) -> tuple[str, str]:
    """A setting that is two names or numbers of columns."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise InputError(f"{name} is {value!r}; give two, such as ('child', 'parent') or (1, 2)")
    return str(value[0]), str(value[1])


_CHECKS = {
    **dict.fromkeys(["format", "cell_separator", "comment", "cycles", "language"], text),
    **dict.fromkeys(["recipe", "effort", "texts", "flips", "keep", "chances"], text),
    **dict.fromkeys(["header", "lenient", "reverse", "verbs", "sequential", "resume"], truth),
    **dict.fromkeys(["filtered", "distinct", "with_self", "with_reversed"], truth),
    **dict.fromkeys(["quick", "finished", "names_only"], truth),
    **dict.fromkeys(["bits", "words", "room", "alpha", "beta", "epochs", "patience"], whole_number),
    **dict.fromkeys(["seed", "seeds", "similarity", "visits"], whole_number),
    **dict.fromkeys(["rate", "bias", "share"], real_number),
    "delimiter": character,
    "columns": two,
    "relation_column": two,
}


#: Settings that cannot be left to others by None.
_NEEDED = frozenset(
    "cycles effort finished lenient names_only quick recipe resume reverse room seed sequential "
    "share texts verbs".split()
)


def checked_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings, each checked by its name; names without a check stay as they are."""
    return {name: _checked(name, value) for name, value in settings.items()}


def _checked(name: str, value: Any) -> Any:
    is_left = value is None and name not in _NEEDED
    return value if is_left or name not in _CHECKS else _CHECKS[name](name, value)
