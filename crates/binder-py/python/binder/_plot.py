"""Drawings with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import ConceptLike, ConceptsLike
from ._optional import need
from ._settings import whole_number
from .errors import InputError

if TYPE_CHECKING:
    from ._model import Model

#: The most rows that have their names beside them, and the most that are drawn by name at all.
_NAMED, _MOST = 60, 2000


def _axes(ax: Any, width: float, height: float) -> Any:
    if ax is not None:
        return ax
    pyplot = need("matplotlib.pyplot", package="matplotlib", what="plotting")
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def bits(model: Model, concepts: ConceptsLike | None, ax: Any) -> Any:
    """A row for each concept, a column for each bit; a set bit is dark."""
    shown = model[:] if concepts is None else model[concepts]
    if not hasattr(shown, "names"):
        shown = model[[concepts]]
    if len(shown) == 0:
        raise InputError("there is nothing to draw; give at least one concept")
    rows = len(shown)
    axes = _axes(ax, 2 + model.n_bits / 8, 1 + min(rows, _NAMED) / 5)
    axes.imshow(shown.bits, cmap="binary", aspect="auto", interpolation="nearest", vmin=0, vmax=1)
    axes.set_xlabel("bit")
    if rows <= _NAMED:
        axes.set_yticks(range(rows), labels=shown.names)
    else:
        axes.set_ylabel("concept")
    return axes


def tree(model: Model, concept: ConceptLike, depth: int, ax: Any) -> Any:
    """The concept on the left, what is below it to the right; leaves are evenly apart."""
    depth = whole_number("depth", depth)
    native = model.hierarchy._native
    root = model.id(concept)
    levels, parent_of, order = {root: 0}, {}, [root]
    for here in order:
        if levels[here] < depth:
            for child in native.children(here).tolist():
                if child not in levels:
                    levels[child], parent_of[child] = levels[here] + 1, here
                    order.append(child)
    if len(order) > _MOST:
        raise InputError(f"{len(order):,} concepts are too many to draw; choose a smaller depth")
    heights = _heights(root, parent_of, order)
    rows = max(heights.values(), default=0) + 1
    axes = _axes(ax, 2.2 * (1 + max(levels.values())), 0.6 + 0.25 * rows)
    for child, parent in parent_of.items():
        x, y = [levels[parent], levels[child]], [heights[parent], heights[child]]
        axes.plot(x, y, color="0.7", linewidth=1, zorder=1)
    for one in order:
        box = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "0.7"}
        place = (levels[one], heights[one])
        axes.annotate(
            model.hierarchy.name(one), place, va="center", fontsize=8, bbox=box, color="black"
        )
    axes.set(xlim=(-0.1, max(levels.values()) + 1), ylim=(rows - 0.4, -0.6))
    axes.axis("off")
    return axes


def _heights(root: int, parent_of: dict[int, int], order: list[int]) -> dict[int, float]:
    """Leaves are numbered from the top; a parent is in the middle of its children."""
    children: dict[int, list[int]] = {}
    for child, parent in parent_of.items():
        children.setdefault(parent, []).append(child)
    heights: dict[int, float] = {}
    waiting, leaves = [root], 0
    while waiting:
        here = waiting.pop()
        waiting.extend(reversed(children.get(here, [])))
        if here not in children:
            heights[here] = float(leaves)
            leaves += 1
    for here in reversed(order):
        if here in children:
            heights[here] = float(np.mean([heights[child] for child in children[here]]))
    return heights
