"""The exceptions of binder: one family, each also what Python people expect.

>>> import binder
>>> try:
...     binder.Hierarchy("toy").id("sceince")
... except KeyError as error:
...     print(error)
no concept is named "sceince"
"""

__all__ = ["BinderError", "FileError", "InputError", "MissingPackage", "NotFound", "UnknownConcept"]


class BinderError(Exception):
    """What every error of binder is."""


class InputError(BinderError, ValueError):
    """Data or a setting that cannot be; the message says where, and what to do."""


class UnknownConcept(BinderError, KeyError):
    """A name or a number that is no concept's; the message suggests names spelt much like it."""

    # KeyError shows the repr of its message; ours is a sentence.
    __str__ = Exception.__str__


class NotFound(BinderError, FileNotFoundError):
    """A file that is not there."""


class FileError(BinderError, OSError):
    """A file that cannot be read or written."""


class MissingPackage(BinderError, ImportError):
    """A package that is needed for this and not installed; the message says how to get it."""
