"""`binder.Concept`: one concept of a model, which notebooks show as a drawing."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ._answers import Description, bits_of

if TYPE_CHECKING:
    from ._arrays import ConceptLike
    from ._model import Model

#: Bits in a row of the drawing.
_ROW = 32


class Concept:
    """A concept of a model: ``model["dog.n.01"]``. In a notebook it shows its bits as circles.

    >>> import binder
    >>> cat = binder.encode(binder.Hierarchy([("cat", "pet"), ("dog", "pet")]))["cat"]
    >>> cat
    Concept('cat', ●○)
    >>> cat.is_a("pet"), cat.parents
    (True, ['pet'])
    """

    __slots__ = ("id", "model", "name")

    def __init__(self, model: Model, id: int, name: str) -> None:
        self.model, self.id, self.name = model, id, name

    @property
    def label(self) -> str | None:
        """Its label, if the source has one."""
        return self.model.hierarchy.label(self.id)

    @property
    def code(self) -> NDArray[np.uint64]:
        """The words of its code; a view, not a copy."""
        code: NDArray[np.uint64] = self.model.codes[self.id]
        return code

    @property
    def bits(self) -> NDArray[np.uint8]:
        """Its bits, 0 or 1 each."""
        return bits_of(self.code, self.model.n_bits)

    @property
    def parents(self) -> list[str]:
        """The nearest concepts above it."""
        return self.model.hypernyms(self.id, nearest=True)

    @property
    def children(self) -> list[str]:
        """The nearest concepts below it."""
        return self.model.hyponyms(self.id, nearest=True)

    @property
    def hypernyms(self) -> list[str]:
        """Everything above, the most general first."""
        return self.model.hypernyms(self.id)

    @property
    def hyponyms(self) -> list[str]:
        """Everything below, the most general first."""
        return self.model.hyponyms(self.id)

    def is_a(self, parent: ConceptLike) -> bool:
        """Whether it is a `parent`."""
        return self.model.is_a(self.id, parent)

    def describe(self) -> Description:
        """All about it."""
        return self.model.describe(self.id)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Concept):
            return NotImplemented
        return self.name == other.name and self.model == other.model

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        circles = "".join("●" if bit else "○" for bit in self.bits)
        return f"Concept({self.name!r}, {circles})"

    def _repr_html_(self) -> str:
        """Its name, label and place, and a circle for each bit with its meaning as a tooltip."""
        about = self.describe()
        label = (
            f' <span style="opacity:.7">{html.escape(about.label)}</span>' if about.label else ""
        )
        counts = f"{about.hypernyms:,} above, {about.hyponyms:,} below"
        lines = [
            f"<b>{html.escape(self.name)}</b>{label}",
            f"<small>{counts}; parents: {_listed(about.parents)}</small>",
        ]
        origins = {meaning.bit: ", ".join(meaning.origin) for meaning in about.bits}
        return (
            f'<div style="line-height:1.5">{"<br>".join(lines)}<br>{self._circles(origins)}</div>'
        )

    def _circles(self, origins: dict[int, str]) -> str:
        size, width = 14, self.model.n_bits
        circles = []
        for bit in range(width):
            x, y = size * (bit % _ROW) + size // 2, size * (bit // _ROW) + size // 2
            fill = "currentColor" if bit in origins else "none"
            title = html.escape(f"bit {bit}" + (f": {origins[bit]}" if bit in origins else ""))
            shape = f'<circle cx="{x}" cy="{y}" r="5" fill="{fill}" stroke="currentColor"/>'
            circles.append(f"<g><title>{title}</title>{shape}</g>")
        across, down = size * min(width, _ROW), size * -(-width // _ROW)
        label = html.escape(repr(self))
        svg = f'<svg width="{across}" height="{down}" role="img" aria-label="{label}"'
        return f'{svg} pointer-events="all">{"".join(circles)}</svg>'


def _listed(names: list[str], most: int = 5) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return (html.escape(", ".join(names[:most])) or "none") + more
