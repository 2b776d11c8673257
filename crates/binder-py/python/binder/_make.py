"""`encode`, `train` and `evaluate`: the same as the verbs of the command line."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

from . import _core, _progress, _saving
from ._answers import Evaluation, Scores
from ._arrays import PairsLike, pairs_ids
from ._hierarchy import Hierarchy
from ._model import Model
from ._settings import checked_settings
from .errors import InputError


def encode(
    hierarchy: Any,
    bits: int | None = None,
    effort: str = "normal",
    *,
    words: int | None = None,
    room: int = 0,
    seed: int = 0,
    texts: str = "all",
    progress: bool = True,
) -> Model:
    """Makes exact codes in as few bits as it can find, and checks them on every pair.

    With `bits` or `words`, the best codes it can find in that many.

    The model is the same as that of ``binder encode``, byte for byte. Ctrl-C stops it.

    Args:
        hierarchy: a `Hierarchy`, or any source that it takes.
        bits: the most bits a code may have. With too few, no is-a is missed, but some pairs look
            is-a that are not.
        words: the same in words of 64 bits, which is what a code takes in memory.
        room: bits that every concept has, as room for later versions: `Model.update` then changes
            fewer codes. They count in `bits` and `words`.
        effort: "fast", "normal" or "max": how much work to spend on saving bits.
        seed: the same one gives the same codes.
        texts: what the model keeps: "all" texts of the concepts, "names" (labels and synonyms, no
            definitions) or "none".
        progress: show a progress bar, in terminals and notebooks, after a second.

    >>> encode([("cat", "pet"), ("dog", "pet")]).is_a("cat", "pet")
    True
    >>> encode("toy", effort="most")
    Traceback (most recent call last):
    binder.errors.InputError: effort is "most"; choose one of fast, normal, max
    """
    checked_settings(
        {"bits": bits, "words": words, "room": room, "effort": effort, "seed": seed, "texts": texts}
    )
    data = Hierarchy(hierarchy, progress=progress)
    with _progress.bar(progress) as bar:
        native = data._native.keeping(texts)
        return Model._of(_core.encode(native, bits, words, room, effort, seed, bar))


def train(
    hierarchy: Any,
    recipe: str = "best",
    *,
    on: PairsLike = "direct",
    valid: tuple[PairsLike, PairsLike] | None = None,
    score: str | None = "all",
    bits: int | None = None,
    alpha: int | None = None,
    beta: int | None = None,
    rate: float | None = None,
    bias: float | None = None,
    chances: str | None = None,
    similarity: int | None = None,
    negatives: int | str | None = None,
    filtered: bool | None = None,
    distinct: bool | None = None,
    with_self: bool | None = None,
    with_reversed: bool | None = None,
    epochs: int | None = None,
    patience: int | None = None,
    flips: str | None = None,
    init: str | os.PathLike[str] | Model | None = None,
    keep: str | None = None,
    seed: int = 0,
    sequential: bool = False,
    texts: str = "all",
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: int | str = "1m",
    resume: bool = False,
    log: str | os.PathLike[str] | None = None,
    callback: Callable[[_core.Epoch], object] | None = None,
    progress: bool = True,
) -> Model:
    """Learns codes by the local search of the BINDER paper (Gyurek, Talukder & Al Hasan 2024).

    The model is the same as that of ``binder train`` with the same settings, byte for byte. Ctrl-C
    stops it, and saves the run if it has a `checkpoint`.

    Args:
        hierarchy: a `Hierarchy`, or any source that it takes.
        recipe: settings that belong together: "best" (ours), "published" (what produced the
            paper's tables) or "paper" (its text). The settings below change single ones of them.
        on: the pairs to learn from: "direct", "closure", or pairs.
        valid: pairs that are is-a and pairs that are not, to score epochs on.
        score: without `valid`, what to score epochs on: "all" pairs, the "training" pairs and
            corruptions of them, or None.
        bits: bits a code.
        alpha: what a missing bit of a positive pair costs.
        beta: what a negative pair that looks is-a costs.
        rate: how fast the chance of a flip grows with the gradient.
        bias: the chance that a neutral bit flips.
        chances: how the chance of a flip follows from the gradient: "tanh" as in the paper, or
            "table", powers of two.
        similarity: what a bit in which a concept differs from its siblings costs; 0 leaves the
            term out.
        negatives: negatives per positive; "all" or "all:N" takes every pair that does not follow
            from the training pairs.
        filtered: discard negatives that are positive pairs.
        distinct: count a negative once however often it was drawn.
        with_self: keep negatives of a concept with itself.
        with_reversed: add every positive pair turned round.
        epochs: the most epochs.
        patience: early stopping: stop when the mean of the last `patience` scores is no better
            than that of the same number before them; 0 turns it off.
        flips: "single", or "monotone": a bit is set together with all below, or cleared together
            with all above, so that no training pair is missed.
        init: the codes to begin with: "ones", "zeros", "random", "inherited", a model or the path
            of one.
        keep: the epoch to keep: by "f1", "loss", "training" loss, or the "last".
        seed: the same one gives the same codes.
        sequential: flip one bit at a time until no flip lowers the loss, as in the paper's theorem.
        texts: what the model keeps: "all" texts of the concepts, "names" (labels and synonyms, no
            definitions) or "none".
        checkpoint: a file to save the run to, regularly and at the end.
        checkpoint_every: how often: a time such as "30s", "5m" or "1h", or a number of epochs.
        resume: go on from the checkpoint if it is there. The model is the same as without the
            interruption. Only `epochs` may differ from the settings of the run.
        log: a file for a line of JSON after each epoch.
        callback: called after each epoch with an `Epoch`; training ends when it returns a true
            value.
        progress: show a progress bar, in terminals and notebooks, after a second.

    >>> model = train("toy", bits=16, seed=1)
    >>> evaluate(model, "toy").f1
    1.0
    """
    data = Hierarchy(hierarchy, progress=progress)
    per_positive, all_negatives = _negatives(negatives)
    settings = {
        "bits": bits,
        "alpha": alpha,
        "beta": beta,
        "rate": rate,
        "bias": bias,
        "chances": chances,
        "similarity": similarity,
        "negatives": per_positive,
        "all_negatives": all_negatives,
        "filtered": filtered,
        "distinct": distinct,
        "with_self": with_self,
        "with_reversed": with_reversed,
        "epochs": epochs,
        "patience": patience,
        "flips": flips,
        "init": _init(init),
        "keep": keep,
        "seed": seed,
    }
    checked_settings({**settings, "recipe": recipe, "texts": texts, "sequential": sequential})
    saving = _saving.saving(checkpoint, checkpoint_every, resume, sequential)
    pairs, source = _learnt_from(data, on)
    with _progress.bar(progress) as bar, _saving.logged(log, resume, callback) as heard:
        core = _core.train(
            data._native.keeping(texts),
            recipe,
            pairs,
            source,
            _scored_on(data, valid, score),
            settings,
            sequential,
            saving,
            heard,
            _warn,
            bar,
        )
    return Model._of(core)


def _negatives(negatives: int | str | None) -> tuple[int | None, bool | None]:
    if negatives is None:
        return None, None
    all_of_them, _, number = str(negatives).rpartition(":")
    if number == "all":
        return None, True
    if all_of_them not in ("", "all") or not number.isdecimal():
        raise InputError(
            f"negatives is {negatives!r}; give a whole number such as 128, or all, or all:128"
        )
    return int(number), all_of_them == "all"


def _init(init: Any) -> Any:
    if init is None or isinstance(init, Model):
        return init and init._native
    if isinstance(init, os.PathLike) or os.path.exists(init):
        return Model.load(init)._native
    return init


def _learnt_from(data: Hierarchy, on: PairsLike) -> tuple[Any, str]:
    """The pairs, and what the model's notes call them: for a file, its path."""
    if isinstance(on, str) and on in ("direct", "closure"):
        return on, on
    source = os.fspath(on) if isinstance(on, (str, os.PathLike)) else "pairs"
    return pairs_ids(data._native, on), source


def _scored_on(
    data: Hierarchy, valid: tuple[PairsLike, PairsLike] | None, score: str | None
) -> Any:
    if valid is not None:
        positives, negatives = valid
        return pairs_ids(data._native, positives), pairs_ids(data._native, negatives)
    if score not in ("all", "training", None):
        raise InputError(f"score is {score!r}; choose 'all', 'training' or None")
    return "nothing" if score is None else score


def _warn(message: str) -> None:
    # Level 1 is here, 2 is train(), 3 is its caller.
    warnings.warn(message, UserWarning, stacklevel=3)


def evaluate(
    model: Model,
    against: Any = None,
    *,
    positives: PairsLike | None = None,
    negatives: PairsLike | None = None,
    progress: bool = True,
) -> Evaluation:
    """Evaluates a model over all n² − n ordered pairs of a hierarchy, or over listed pairs.

    Args:
        model: the model to evaluate.
        against: a `Hierarchy`, or any source that it takes; by default the model's own.
        positives: listed pairs that are is-a; `negatives` must be given too.
        negatives: listed pairs that are not is-a.
        progress: show a progress bar, in terminals and notebooks, after a second.

    >>> judged = evaluate(encode("toy"))
    >>> judged.f1, judged.pairs
    (1.0, 210)
    >>> print(judged.many_descendants)
    F1 78.689% over 210 pairs (fp 4, fn 9)
    """
    listed = positives is not None or negatives is not None
    if listed and against is not None:
        raise InputError("evaluate against a hierarchy or over listed pairs; give one of them")
    if listed:
        if positives is None or negatives is None:
            raise InputError("give both positives and negatives")
        core = model.hierarchy._native
        verdict = _core.evaluate_listed(
            model._native, pairs_ids(core, positives), pairs_ids(core, negatives)
        )
    else:
        truth = model.hierarchy if against is None else Hierarchy(against, progress=progress)
        with _progress.bar(progress) as bar:
            verdict = _core.evaluate_all(model._native, truth._native, bar)
    counts, equal_pairs, closure, descendants = verdict
    return Evaluation(*counts, equal_pairs, Scores(*closure), Scores(*descendants))
