"""Short bit vectors for concept hierarchies: *a* is-a *b* exactly when *a* has every bit of *b*.

>>> import binder
>>> animals = binder.Hierarchy("wordnet-animals")
>>> model = binder.encode(animals)
>>> model.is_a("golden retriever", "dog")
True
>>> model["dog"].parents
Concepts(['canine.n.02', 'domestic_animal.n.01'])

`Hierarchy` → `encode` or `train` → `Model` → `evaluate`, or questions. Pairs are (child, parent)
everywhere. Other Python threads go on during long calls, and Ctrl-C stops them.
"""

from ._answers import (
    BitMeaning,
    Complement,
    Description,
    Evaluation,
    Explanation,
    Hit,
    Neighbour,
    Picture,
    Scores,
)
from ._coded import CodedConcept, CodedConcepts
from ._concept import Concept
from ._concepts import Concepts
from ._core import Epoch, __version__, memory_limit, set_memory_limit, set_threads, threads
from ._diff import ClosureDiff, Diff, Merged, Moved, Renamed, TextsDiff
from ._hierarchy import Hierarchy
from ._make import encode, evaluate, train
from ._model import Model
from ._place import Place
from ._placer import Candidate, Placement, Placer, PlacerScores, Reasons
from ._reproduce import EXPERIMENTS, Report, reproduce
from ._split import Split
from ._update import Change, Update
from .errors import (
    BinderError,
    FileError,
    InputError,
    MemoryLimit,
    MissingPackage,
    NotFound,
    UnknownConcept,
)

load = Model.load


def split(
    hierarchy: object, percentages: tuple[int, ...] = (0, 10, 25, 50), *, seed: int = 0
) -> Split:
    """Divides a hierarchy's pairs for link prediction; see `Hierarchy.split`."""
    return Hierarchy(hierarchy).split(percentages, seed=seed)


__all__ = [
    "BinderError",
    "BitMeaning",
    "Candidate",
    "Change",
    "ClosureDiff",
    "CodedConcept",
    "CodedConcepts",
    "Complement",
    "Concept",
    "Concepts",
    "Description",
    "Diff",
    "EXPERIMENTS",
    "Epoch",
    "Evaluation",
    "Explanation",
    "FileError",
    "Hierarchy",
    "Hit",
    "InputError",
    "MemoryLimit",
    "Merged",
    "MissingPackage",
    "Model",
    "Moved",
    "Neighbour",
    "NotFound",
    "Picture",
    "Place",
    "Placement",
    "Placer",
    "PlacerScores",
    "Reasons",
    "Renamed",
    "Report",
    "Scores",
    "Split",
    "TextsDiff",
    "UnknownConcept",
    "Update",
    "__version__",
    "encode",
    "evaluate",
    "load",
    "memory_limit",
    "reproduce",
    "set_memory_limit",
    "set_threads",
    "split",
    "threads",
    "train",
]
