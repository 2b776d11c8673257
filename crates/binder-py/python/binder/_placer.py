"""`binder.Placer`: where a concept belongs that is not in the hierarchy, from its words."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

from . import _core, _embeddings, _html, _progress
from ._embeddings import EmbeddingsLike
from ._hierarchy import Hierarchy
from ._make import encode
from ._model import Model
from ._settings import checked_settings, whole_number
from .errors import InputError


class Candidate(NamedTuple):
    """A place that an unseen concept may have, and how likely it is."""

    #: The concept above it.
    name: str
    #: What people call that.
    label: str | None
    #: The chance that it is right, from 0 to 1.
    p: float

    def __repr__(self) -> str:
        return f"{self.name} ({self.p:.0%})"


@dataclass(frozen=True)
class Reasons:
    """What spoke for a place."""

    #: What the definition says that it is.
    genus: str | None
    #: The known name that the name ends with.
    ending: str | None
    #: Concepts in the definition that are the place or below it.
    mentioned: list[str]
    #: The nearest concepts below the place, and the words that both texts have.
    neighbours: dict[str, list[str]]


@dataclass(frozen=True)
class Placement:
    """Where an unseen concept belongs. Printed, it is the text of ``binder place ask``."""

    #: The name that was asked for.
    name: str
    #: Possible parents, the likeliest first.
    places: list[Candidate]
    #: The parents to put it under: one, or several where the evidence says so.
    parents: list[str]
    #: The place with the best expected F1; it backs off to an ancestor where places disagree.
    safe: Candidate | None
    #: A concept that this rather is another name of; ``p`` is how alike the texts are.
    same_as: Candidate | None
    #: What spoke for the likeliest place.
    why: Reasons
    #: The code it would get under `parents`, in ones and zeros; None if it needs one more bit.
    code: str | None

    #: The text; empty if it was not made by a placer.
    _text: ClassVar[str] = ""

    @property
    def best(self) -> Candidate | None:
        """The likeliest place."""
        return self.places[0] if self.places else None

    @classmethod
    def _of(cls, placed: dict[str, Any], text: str) -> Placement:
        why = placed["why"]
        neighbours = {one["concept"]: one["words"] for one in why["neighbours"]}
        self = cls(
            name=placed["name"],
            places=[Candidate(*place.values()) for place in placed["places"]],
            parents=placed["parents"],
            safe=placed["safe"] and Candidate(*placed["safe"].values()),
            same_as=placed["same_as"] and Candidate(*placed["same_as"].values()),
            why=Reasons(why["genus"], why["ending"], why["mentioned"], neighbours),
            code=placed["code"],
        )
        object.__setattr__(self, "_text", text)
        return self

    def __str__(self) -> str:
        return self._text or repr(self)

    def __repr__(self) -> str:
        best = f"{self.best!r}" if self.best else "no place"
        return f"Placement({self.name!r} → {best}, safe: {self.safe!r})"

    def _repr_html_(self) -> str:
        rows = [(one.name, one.label or "", f"{one.p:.1%}") for one in self.places]
        if self.safe:
            rows.append((f"safe: {self.safe.name}", self.safe.label or "", f"{self.safe.p:.1%}"))
        return _html.titled(self.name, _html.table(["place", "label", "chance"], rows))


@dataclass(frozen=True)
class PlacerScores:
    """How well hidden concepts are found again; see docs/place.md for the measures."""

    queries: int
    hit1: float
    hit5: float
    hit10: float
    mrr: float
    wup: float
    f1: float
    safe_f1: float
    f1_below_roots: float
    safe_f1_below_roots: float
    ece: float
    sure: float
    sure_hit1: float
    reach: float
    seconds_fit: float
    seconds_ask: float
    #: The scores of the neighbours' votes, which need no learning.
    vote: dict[str, float]
    #: The scores of the first known word of the definition in its first sense.
    first_word: dict[str, float]

    def __str__(self) -> str:
        return (
            f"{self.queries:,} hidden concepts: Hit@1 {self.hit1:.3f}, Hit@10 {self.hit10:.3f}, "
            f"MRR {self.mrr:.3f}, F1 {self.f1:.3f}, safe F1 {self.safe_f1:.3f}"
        )


class Placer:
    """Finds the place of concepts that are not in a hierarchy, from their names and definitions.

    It learns from the names and definitions of the hierarchy alone: no pretrained weights, no
    network. docs/place.md says how, and how well.

    >>> import binder
    >>> placer = binder.Placer.fit("wordnet-animals")
    >>> placer
    Placer(4,017 concepts)
    >>> found = placer.place("labradoodle", "a cross between a Labrador retriever and a poodle")
    >>> found.safe.name
    'dog.n.01'

    The result of ``fit`` is that of ``binder place fit``, byte for byte.
    """

    __slots__ = ("_model", "_native")

    _native: _core.Placer
    _model: Model | None

    def __init__(self) -> None:
        raise TypeError("make a placer with binder.Placer.fit(model) or Placer.load(path)")

    @classmethod
    def _of(cls, core: _core.Placer, model: Model | None = None) -> Placer:
        self = object.__new__(cls)
        self._native, self._model = core, model
        return self

    @classmethod
    def fit(
        cls,
        source: Any,
        *,
        vectors: str | os.PathLike[str] | None = None,
        embeddings: EmbeddingsLike = None,
        encoder: str | os.PathLike[str] | None = None,
        hidden: int = 3000,
        trees: int = 150,
        seed: int = 0,
        progress: bool = True,
    ) -> Placer:
        """Learns from a model, or from any source of a `Hierarchy`, which is encoded first.

        Vectors that others have learnt are not needed, but can help (docs/place.md).

        Args:
            source: what has the names and definitions to learn from.
            vectors: a file with vectors of words, as GloVe and word2vec write them, or safetensors.
            embeddings: a vector for each concept, from any encoder: a file, an array with a row for
                each of the model's ``names``, a DataFrame with names as its index, or a dict from
                names to rows. Who asks gives one too: ``place(…, embedding=…)``.
            encoder: the folder of a sentence encoder such as MiniLM, with ``config.json``,
                ``model.safetensors`` and ``vocab.txt`` or ``tokenizer.json``. It makes the
                embeddings, which may take minutes, and that of everything that is asked.
            hidden: the most leaves that are hidden to learn from.
            trees: the number of trees.
            seed: the same one gives the same placer.
            progress: show a progress bar, in terminals and notebooks, after a second.
        """
        settings = _settings(hidden, trees, seed)
        if isinstance(source, Model):
            model = source
        else:
            model = encode(source, effort="fast", progress=progress)
        given = _embeddings.given(vectors, embeddings, encoder, lambda: model.names)
        with _progress.bar(progress) as bar:
            return cls._of(_core.fit_placer(model._native, given, *settings, bar), model)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, encoder: str | os.PathLike[str] | None = None
    ) -> Placer:
        """Opens a file of ``binder place fit``. Everything is checked.

        Args:
            path: the file.
            encoder: the folder of the encoder that it was fitted with, if it was; another one is an
                error. Without it answers are worse.
        """
        return cls._of(_core.Placer.open(path, encoder))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes its file, a safetensors file that holds its model, in one step."""
        self._native.save(path)

    @classmethod
    def from_bytes(cls, data: bytes) -> Placer:
        """A placer from the bytes of its file."""
        return cls._of(_core.Placer.from_bytes(data))

    def to_bytes(self) -> bytes:
        """The bytes of its file."""
        return self._native.to_bytes()

    @property
    def lacks_encoder(self) -> bool:
        """Whether it was fitted with an encoder that it does not have: give it to `load`. A copy
        by pickle has none either."""
        return self._native.lacks_encoder()

    @property
    def dimension(self) -> int | None:
        """How many numbers an ``embedding`` has; None if it was fitted without embeddings."""
        return self._native.dimension()

    @property
    def model(self) -> Model:
        """The model that places are found in."""
        if self._model is None:
            self._model = Model._of(self._native.model())
        return self._model

    def place(
        self, name: str, definition: str = "", *, embedding: Any = None, top: int = 5
    ) -> Placement:
        """Where a concept of this name and definition belongs.

        Args:
            name: what it is called.
            definition: what it means, in a sentence; without it, much less is known.
            embedding: its vector, for a placer that was fitted with ``embeddings``: as many numbers
                as those have. A placer with its encoder makes it itself.
            top: how many places to list.
        """
        embeddings = None if embedding is None else [embedding]
        return self.place_all([(name, definition)], embeddings=embeddings, top=top)[0]

    def place_all(
        self,
        concepts: Iterable[str | tuple[str, str | None]],
        *,
        embeddings: Any = None,
        top: int = 5,
    ) -> list[Placement]:
        """The same for many, on all cores: names, or pairs of a name and a definition.

        Args:
            concepts: what to place.
            embeddings: a vector for each of them, or None for those without.
            top: how many places to list for each.
        """
        texts = [_asked(one) for one in concepts]
        given = [None] * len(texts) if embeddings is None else list(embeddings)
        if len(given) != len(texts):
            raise InputError(f"{len(given)} embeddings for {len(texts)} concepts; give one for each")
        if embeddings is not None and self.dimension is None:
            raise InputError("this placer was fitted without embeddings and cannot use any")
        rows = [_embeddings.one("embedding", row) for row in given]
        placed = self._native.place(texts, rows, whole_number("top", top))
        return [Placement._of(data, text) for data, text in placed]

    def predict(self, concepts: Iterable[str | tuple[str, str | None]]) -> list[str | None]:
        """The likeliest parent of each concept, None where nothing is like it."""
        return [found.best and found.best.name for found in self.place_all(concepts, top=1)]

    def add(
        self, name: str, definition: str = "", *, model: Model | None = None, min_p: float = 0.8
    ) -> Model:
        """The model with the concept under the parents that were found for it.

        Args:
            name: what it is called.
            definition: what it means.
            model: the model to add to; by default the placer's own.
            min_p: the least chance that its place must have; else it is an error that names it.
        """
        target = self.model if model is None else model
        self._native.check_model(target._native)
        found = self.place(name, definition)
        if found.same_as is not None:
            raise InputError(
                f"{name!r} is rather another name of {found.same_as.name!r}; add it all the same "
                "with model.add(name, parents)"
            )
        sure = sum(one.p for one in found.places if one.name in found.parents)
        if not found.parents or sure < min_p:
            likeliest = f"the likeliest place is {found.best!r}" if found.best else "nothing fits"
            raise InputError(
                f"no place of {name!r} is sure enough: {likeliest}; give a smaller min_p, or add "
                "it with model.add(name, parents)"
            )
        return target.add(name, found.parents, definition=definition or None)

    @staticmethod
    def evaluate(
        source: Any,
        *,
        hide: str = "leaves",
        share: float = 0.05,
        names_only: bool = False,
        draw: int = 0,
        vectors: str | os.PathLike[str] | None = None,
        embeddings: EmbeddingsLike = None,
        encoder: str | os.PathLike[str] | None = None,
        hidden: int = 3000,
        trees: int = 150,
        seed: int = 0,
        progress: bool = True,
    ) -> PlacerScores:
        """Hides some concepts, learns from the others, and looks how well they are found again.

        Args:
            source: a model, or any source of a `Hierarchy`.
            hide: "leaves", "inner" or "subtrees".
            share: the share of them to hide, up to 0.5.
            names_only: ask by name alone.
            draw: the seed of what is hidden.
            vectors: as in `fit`, and so is everything below.
            embeddings: those of hidden concepts are only used to ask for them.
            encoder: the folder of a sentence encoder.
            hidden: the most leaves that are hidden to learn from.
            trees: the number of trees.
            seed: the same one gives the same placer.
            progress: show a progress bar.
        """
        checked_settings({"share": share, "names_only": names_only})
        data = Hierarchy(source, progress=progress)
        settings = _settings(hidden, trees, seed)
        asking = (hide, share, names_only, whole_number("draw", draw))
        given = _embeddings.given(vectors, embeddings, encoder, lambda: data.names)
        with _progress.bar(progress) as bar:
            found = _core.evaluate_placer(data._native, given, *asking, *settings, bar)
        return PlacerScores(**{field.name: found[field.name] for field in fields(PlacerScores)})

    def __len__(self) -> int:
        return len(self._native)

    def __reduce__(self) -> tuple[Any, ...]:
        return Placer.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        return f"Placer({len(self):,} concepts)"


def _asked(one: object) -> tuple[str, str]:
    """A name and a definition."""
    if isinstance(one, str):
        return one, ""
    if isinstance(one, (tuple, list)) and len(one) == 2 and isinstance(one[0], str):
        return one[0], one[1] or ""
    raise InputError(f"{one!r} is not a name, or a name and a definition")


def _settings(hidden: int, trees: int, seed: int) -> tuple[int, int, int]:
    return whole_number("hidden", hidden), whole_number("trees", trees), whole_number("seed", seed)
