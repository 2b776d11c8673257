"""Small tables for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[object]], *, more: int = 0) -> str:
    """A table; columns without any text are left out. `more` rows are only counted."""
    cells = [[html.escape(str(cell)) for cell in row] for row in rows]
    kept = [at for at in range(len(header)) if at == 0 or any(row[at] for row in cells)]
    head = "".join(f"<th>{html.escape(header[at])}</th>" for at in kept)
    body = "".join(f"<tr>{''.join(f'<td>{row[at]}</td>' for at in kept)}</tr>" for row in cells)
    if more > 0:
        body += f'<tr><td colspan="{len(kept)}">… {more:,} more</td></tr>'
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def titled(title: str, below: str) -> str:
    """A bold line with something below it."""
    return f"<div><b>{html.escape(title)}</b>{below}</div>"


def text(lines: str) -> str:
    """A text as it is, in columns."""
    return f"<pre>{html.escape(lines)}</pre>"
