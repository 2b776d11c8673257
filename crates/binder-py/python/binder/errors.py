"""The exceptions of binder: one family, each of which is also the usual exception of Python.

>>> import binder
>>> try:
...     binder.Hierarchy("toy").id("sceince")
... except KeyError as error:
...     print(error)
no concept is named "sceince"
"""

__all__ = [
    "BinderError",
    "FileError",
    "InputError",
    "MemoryLimit",
    "MissingPackage",
    "NotFound",
    "UnknownConcept",
]


class BinderError(Exception):
    """The base class of all errors of binder."""


class InputError(BinderError, ValueError):
    """Invalid data or an invalid setting; the message says where, and what to do."""


class UnknownConcept(BinderError, KeyError):
    """A name or number that no concept has; the message suggests similar names."""

    # KeyError shows the repr of its message; ours is a sentence.
    __str__ = Exception.__str__


class NotFound(BinderError, FileNotFoundError):
    """A file that is not there."""


class FileError(BinderError, OSError):
    """A file that cannot be read or written."""


class MemoryLimit(BinderError, MemoryError):
    """Work that would take more memory than it may; the message has the figures."""


class MissingPackage(BinderError, ImportError):
    """A package that is needed but not installed; the message says how to install it."""
