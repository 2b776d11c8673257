"""The answers of a model: plain data with names. Printed, they are text for people."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _html

#: An answer of the native module: a dictionary with the fields of the command line's JSON.
_Data = dict[str, Any]


class Hit(NamedTuple):
    """A concept that was found by name."""

    #: The concept's name.
    name: str
    #: The part of its name, alias or label that was found, in lower case.
    found: str
    #: How many letters differ from the text that was searched for.
    typos: int


class Neighbour(NamedTuple):
    """A concept and how near it is to another."""

    name: str
    score: float

    @classmethod
    def _of(cls, scored: _Data) -> Neighbour:
        return cls(scored["concept"], scored["score"])


W = TypeVar("W", bound="WithText")


class WithText:
    """An answer whose text is that of the command line."""

    #: The text; empty if the answer was not made by a model.
    _text: ClassVar[str] = ""

    def _saying(self: W, text: str) -> W:
        """The same answer with its text. A frozen dataclass has no other way to set it."""
        object.__setattr__(self, "_text", text)
        return self

    def __str__(self) -> str:
        return self._text or repr(self)

    def _repr_html_(self) -> str:
        return _html.text(str(self))


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
    """What a bit means: which concepts have it."""

    bit: int
    #: The most general concepts with it at or above the concept in question: where it comes from.
    origin: list[str]
    #: How many such most general concepts there are in the whole model.
    owners: int

    @classmethod
    def _of(cls, bit: _Data) -> BitMeaning:
        return cls(bit["bit"], bit["from"], bit["owners"])


@dataclass(frozen=True)
class Explanation(WithText):
    """Why a concept is, or is not, another. Printed, it is the answer and its reasons."""

    child: str
    parent: str
    #: The answer.
    is_a: bool
    #: From the child up to the parent; empty when the answer is no.
    chain: list[str]
    #: The bits of the parent that the child has.
    shared: list[int]
    #: The bits of the parent that the child lacks; each of them is a reason for no.
    missing: list[BitMeaning]
    #: The lowest common hypernyms of both.
    common: list[str]

    def __bool__(self) -> bool:
        return self.is_a

    def _repr_html_(self) -> str:
        """The answer, the chain or the missing bits, and what both are."""
        if self.is_a:
            return _html.titled(
                f"yes: {self.child} is-a {self.parent}",
                f"<div>{html.escape(' → '.join(self.chain))}</div>",
            )
        rows = [(bit.bit, ", ".join(bit.origin), bit.owners) for bit in self.missing]
        missing = _html.table(["bit", "which the parent has from", "owners"], rows)
        common = f"<div>what both are: {html.escape(', '.join(self.common)) or 'nothing'}</div>"
        return _html.titled(f"no: {self.child} is not {self.parent}", missing + common)

    @classmethod
    def _of(cls, explanation: _Data, text: str) -> Explanation:
        self = cls(
            child=explanation["child"],
            parent=explanation["parent"],
            is_a=explanation["is_a"],
            chain=explanation["chain"],
            shared=explanation["shared"],
            missing=[BitMeaning._of(bit) for bit in explanation["missing"]],
            common=explanation["lowest_common_hypernyms"],
        )
        return self._saying(text)


@dataclass(frozen=True)
class Description(WithText):
    """All about a concept. Printed, it is the text of the command line."""

    name: str
    label: str | None
    #: Alternative ids.
    aliases: list[str]
    #: What else people call it, the closest first.
    synonyms: list[str]
    #: What it means.
    definition: str | None
    parents: list[str]
    children: list[str]
    #: How many concepts are above it.
    hypernyms: int
    #: How many concepts are below it.
    hyponyms: int
    #: Its bits and what each means.
    bits: list[BitMeaning]
    #: How specific it is: from 0 for a concept above everything to 1 for a leaf.
    information_content: float

    @classmethod
    def _of(cls, description: _Data, text: str) -> Description:
        self = cls(
            name=description["concept"],
            label=description["label"],
            aliases=description["aliases"],
            synonyms=description["synonyms"],
            definition=description["definition"],
            parents=description["parents"],
            children=description["children"],
            hypernyms=description["hypernyms"],
            hyponyms=description["hyponyms"],
            bits=[BitMeaning._of(bit) for bit in description["bits"]],
            information_content=description["information_content"],
        )
        return self._saying(text)


@dataclass(frozen=True)
class Picture:
    """A concept's place and bits, drawn. Notebooks show it; printed, it is text."""

    #: The drawing, which follows the viewer's light or dark theme.
    svg: str
    #: The same in letters.
    text: str
    #: How many children were left out.
    left_out: int

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the drawing to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.text.rstrip()

    def __repr__(self) -> str:
        return f"Picture({len(self.text.splitlines())} concepts)"


@dataclass(frozen=True)
class Scores:
    """How often a prediction was right and wrong."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def pairs(self) -> int:
        """How many pairs were evaluated."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def precision(self) -> float:
        """The share of predicted pairs that are true; 1 if none are predicted."""
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """The share of true pairs that are predicted; 1 if none are true."""
        return _share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def accuracy(self) -> float:
        """The share of pairs that are classified correctly."""
        return _share(self.tp + self.tn, self.pairs)

    def __str__(self) -> str:
        return f"F1 {self.f1:.3%} over {self.pairs:,} pairs (fp {self.fp:,}, fn {self.fn:,})"


@dataclass(frozen=True)
class Evaluation(Scores):
    """How good codes are, next to two baselines that need no codes."""

    #: Pairs with equal codes, which are is-a both ways.
    equal_pairs: int
    #: The scores of the closure of the training pairs, without codes.
    closure: Scores
    #: The scores of "is-a if the parent has many descendants", at the best threshold.
    many_descendants: Scores

    def _repr_html_(self) -> str:
        """A row for the codes and one for each baseline."""
        judged = {
            "codes": self,
            "closure of training pairs": self.closure,
            "many descendants": self.many_descendants,
        }
        rows = [
            (what, *(f"{share:.3%}" for share in (one.f1, one.precision, one.recall)))
            + tuple(f"{count:,}" for count in (one.tp, one.fp, one.fn, one.tn))
            for what, one in judged.items()
        ]
        header = ["", "F1", "precision", "recall", "tp", "fp", "fn", "tn"]
        return _html.titled(f"{self.pairs:,} pairs", _html.table(header, rows))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def bits_of(code: NDArray[np.uint64], width: int) -> NDArray[np.uint8]:
    """The bits of one code, 0 or 1 each."""
    return np.unpackbits(np.ascontiguousarray(code, dtype="<u8").view(np.uint8), bitorder="little")[
        :width
    ]
