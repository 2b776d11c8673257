"""Folders in the manner of model hubs: a model, ``config.json`` and a model card."""

from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING

from . import _core
from .errors import InputError, NotFound

if TYPE_CHECKING:
    from ._model import Model

MODEL, CONFIG, CARD = "model.safetensors", "config.json", "README.md"

_CARD = """---
library_name: binder
tags:
- hierarchy
- order-embedding
- binary-codes
{head}---

# {concepts:,} concepts in {bits} bits each

Every concept has one bit vector, such that *a* is-a *b* exactly when *a* has every bit of *b*.

```python
import binder

model = binder.Model.from_pretrained("path/to/this/folder")
model.is_a({child!r}, {parent!r})
```

| | |
|---|---|
{rows}

`model.safetensors` opens with any safetensors reader: `codes` are the words of the codes, `names`
and `name_offsets` the names.
"""


def save(model: Model, folder: str | os.PathLike[str], card: dict[str, str]) -> None:
    """Writes the three files."""
    place = pathlib.Path(folder)
    if place.exists() and not place.is_dir():
        raise InputError(f"{place} is a file; give a folder")
    place.mkdir(parents=True, exist_ok=True)
    model.save(place / MODEL)
    config = {
        "model_type": "binder",
        "library_version": _core.__version__,
        "concepts": len(model),
        "bits": model.n_bits,
        **model.notes,
    }
    text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
    (place / CONFIG).write_text(text, encoding="utf-8")
    (place / CARD).write_text(_card(model, card), encoding="utf-8")


def model_in(folder: str | os.PathLike[str]) -> pathlib.Path:
    """The model file of a folder; an error if it is none of ours."""
    place = pathlib.Path(folder)
    if not place.is_dir():
        raise NotFound(f"{place}: no such folder; nothing is downloaded, so fetch it first")
    if not (place / MODEL).exists():
        raise NotFound(f"{place} has no {MODEL}; Model.save_pretrained writes such a folder")
    config = place / CONFIG
    try:
        kind = json.loads(config.read_text(encoding="utf-8")).get("model_type", "binder")
    except FileNotFoundError:
        kind = "binder"
    except (ValueError, AttributeError):
        raise InputError(f"{config} is not a JSON object; make the folder again") from None
    if kind != "binder":
        raise InputError(f"{config} is for a model of the type {kind!r}, not binder")
    return place / MODEL


def _card(model: Model, card: dict[str, str]) -> str:
    pairs = model.hierarchy.named(model.hierarchy.pairs()[:1])
    child, parent = pairs[0] if pairs else (model.names[0], model.names[0]) if len(model) else "ab"
    rows = {"concepts": f"{len(model):,}", "bits a code": model.n_bits, **model.notes}
    return _CARD.format(
        head="".join(f"{key}: {json.dumps(value)}\n" for key, value in card.items()),
        concepts=len(model),
        bits=model.n_bits,
        child=child,
        parent=parent,
        rows="\n".join(f"| {key} | {value} |" for key, value in rows.items()),
    )
