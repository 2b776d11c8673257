"""`binder.Diff`: what differs between two versions of a hierarchy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ._answers import WithText


class Renamed(NamedTuple):
    """A concept with another name."""

    old: str
    new: str


class Merged(NamedTuple):
    """A concept that is gone; another has taken over its name, as an alias."""

    old: str
    into: str


class Moved(NamedTuple):
    """A concept with other direct parents."""

    #: Its name in the new version.
    concept: str
    #: Parents that it did not have before.
    gained: list[str]
    #: Parents that it does not have any more.
    lost: list[str]


class ClosureDiff(NamedTuple):
    """How many pairs of the closure differ."""

    #: Pairs that only the new version has.
    gained: int
    #: Pairs that only the old version has.
    lost: int
    #: Those gained pairs whose concepts are in both versions.
    gained_among_kept: int
    #: Those lost pairs whose concepts are in both versions.
    lost_among_kept: int


class TextsDiff(NamedTuple):
    """How many concepts of both versions have other texts."""

    labels: int
    synonyms: int
    definitions: int
    alternative_ids: int


@dataclass(frozen=True)
class Diff(WithText):
    """What differs between two versions of a hierarchy. It is true if anything does.

    A concept is the same in both if it has the same name, or if its name in one is an alias of it
    in the other. Printed, it is the text of ``binder diff``.

    >>> import binder
    >>> old = binder.Hierarchy([("puppy", "dog"), ("dog", "animal"), ("cat", "animal")])
    >>> diff = old.diff([("puppy", "dog"), ("dog", "pet"), ("pet", "animal")])
    >>> diff.added, diff.removed, diff.moved
    (['pet'], ['cat'], [Moved(concept='dog', gained=['pet'], lost=['animal'])])
    >>> bool(diff), bool(old.diff(old))
    (True, False)
    """

    #: Concepts that only the new version has.
    added: list[str]
    #: Concepts that only the old version has.
    removed: list[str]
    #: Concepts with another name.
    renamed: list[Renamed]
    #: Concepts whose name others have taken over.
    merged: list[Merged]
    #: Concepts with other direct parents.
    moved: list[Moved]
    #: How many concepts of both versions have other concepts above them: their codes must change.
    relocated: int
    #: The pairs of the closure that differ.
    closure: ClosureDiff
    #: The texts that differ.
    texts: TextsDiff
    #: Whether nothing differs.
    same: bool

    def __bool__(self) -> bool:
        return not self.same

    @classmethod
    def _of(cls, diff: dict[str, Any], text: str) -> Diff:
        self = cls(
            added=diff["added"],
            removed=diff["removed"],
            renamed=[Renamed(**one) for one in diff["renamed"]],
            merged=[Merged(**one) for one in diff["merged"]],
            moved=[Moved(**one) for one in diff["moved"]],
            relocated=diff["relocated"],
            closure=ClosureDiff(**diff["closure"]),
            texts=TextsDiff(**diff["texts"]),
            same=diff["same"],
        )
        return self._saying(text)
