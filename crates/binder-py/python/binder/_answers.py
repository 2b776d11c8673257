"""What questions to a model give: plain data by names, which print themselves for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Hit(NamedTuple):
    """A concept that was found by name."""

    #: The concept's name.
    name: str
    #: What was found of its name, alias or label, in small letters.
    found: str
    #: How many letters differ from what was sought.
    typos: int


class Neighbour(NamedTuple):
    """A concept and how near it is."""

    name: str
    score: float


@dataclass(frozen=True)
class Place:
    """Where a code stands that need not belong to a concept: a meet, a join, the value of an expression."""

    #: The bits that are set, ascending.
    bits: list[int]
    #: Concepts with this very code; at most one, where codes are exact.
    named: list[str]
    #: The most specific concepts at or above it: of a join, the lowest common hypernyms.
    nearest_above: list[str]
    #: Every concept at or below it, the most general first.
    below: list[str]
    #: The most general of those.
    most_general_below: list[str]


@dataclass(frozen=True)
class Complement:
    """What a concept is not."""

    #: The bits that the concept lacks.
    bits: list[int]
    #: Concepts that share no bit with it.
    unlike: list[str]
    #: Concepts with which it has no hyponym in common.
    disjoint: list[str]


@dataclass(frozen=True)
class BitMeaning:
    """Who has a bit."""

    bit: int
    #: The most general concepts with it at or above the one that was asked about: where that has it from.
    origin: list[str]
    #: How many most general concepts have it in the whole model.
    owners: int


@dataclass(frozen=True)
class Explanation:
    """Why a concept is, or is not, another. Printed, it is a sentence and its reasons."""

    child: str
    parent: str
    #: The answer.
    is_a: bool
    #: From the child up to the parent; empty when the answer is no.
    chain: list[str]
    #: The bits of the parent that the child has.
    shared: list[int]
    #: The bits of the parent that the child lacks; any one of them is a reason for no.
    missing: list[BitMeaning]
    #: The lowest common hypernyms of both.
    common: list[str]

    def __bool__(self) -> bool:
        return self.is_a

    def __str__(self) -> str:
        if self.is_a:
            return f"yes: {self.child} is {self.parent}\n  " + " is-a ".join(self.chain)
        lines = [f"no: {self.child} is not {self.parent}"]
        for bit in self.missing:
            origin = ", ".join(bit.origin)
            lines.append(f"  {self.child} lacks bit {bit.bit}, which {self.parent} has from {origin}")
        if self.common:
            lines.append(f"  what both are: {', '.join(self.common)}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Description:
    """All about a concept."""

    name: str
    label: str | None
    aliases: list[str]
    parents: list[str]
    children: list[str]
    #: How many concepts are above it.
    hypernyms: int
    #: How many concepts are below it.
    hyponyms: int
    #: Its bits and what each means.
    bits: list[BitMeaning]
    #: How narrow it is: from 0 for what covers everything to 1 for what covers nothing else.
    information_content: float


@dataclass(frozen=True)
class Scores:
    """How often a prediction was right and wrong."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def pairs(self) -> int:
        """How many pairs were judged."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def precision(self) -> float:
        """The share of predicted pairs that are true; 1 where nothing is predicted."""
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """The share of true pairs that are predicted; 1 where nothing is true."""
        return _share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def accuracy(self) -> float:
        """The share of pairs judged rightly."""
        return _share(self.tp + self.tn, self.pairs)

    def __str__(self) -> str:
        return f"F1 {self.f1:.3%} over {self.pairs:,} pairs (fp {self.fp:,}, fn {self.fn:,})"


@dataclass(frozen=True)
class Evaluation(Scores):
    """A verdict on codes, with what needs no codes beside it."""

    #: Pairs with equal codes, which are is-a both ways.
    equal_pairs: int
    #: What the closure of the training pairs scores, without codes.
    closure: Scores
    #: What "whatever has many descendants" scores, at its best threshold.
    many_descendants: Scores


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def bits_of(code: NDArray[np.uint64], width: int) -> NDArray[np.uint8]:
    """The bits of one code, 0 or 1 each."""
    return np.unpackbits(np.ascontiguousarray(code, dtype="<u8").view(np.uint8), bitorder="little")[:width]
