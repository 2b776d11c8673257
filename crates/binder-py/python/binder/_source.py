"""What a hierarchy can be made from, besides paths: frames, graphs, dictionaries, files, pairs."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from . import _core
from .errors import InputError

Options = dict[str, Any]


def from_object(source: Any, options: Options, bar: Any) -> _core.Hierarchy:
    """A hierarchy from an object, told by what it offers."""
    reverse, cycles = options["reverse"], options["cycles"]
    if hasattr(source, "edges") and hasattr(source, "nodes"):
        return from_graph(source, reverse, cycles, bar)
    if hasattr(source, "columns") and hasattr(source, "iloc"):
        return _from_pandas(source, options, bar)
    if hasattr(source, "__arrow_c_stream__"):
        options = _by_position(options, _columns_of(source))
        return _core.from_arrow(source.__arrow_c_stream__(), options, bar)
    if isinstance(source, Mapping):
        return _from_mapping(source, reverse, cycles)
    if hasattr(source, "read"):
        return _from_file(source, options, bar)
    if isinstance(source, np.ndarray):
        source = source.tolist()
    if not hasattr(source, "__iter__"):
        kind = type(source).__name__
        raise InputError(
            "a hierarchy comes from a path, a file, a graph, a frame, a dictionary or pairs, not "
            f"from {kind}"
        )
    rows = iter(source)
    for first in rows:
        rows = itertools.chain([first], rows)
        if isinstance(first, Mapping):
            return _from_records(list(rows), options, bar)
        break
    _refuse_options(options)
    return _core.from_pairs(rows, [], reverse, cycles)


#: What a reader may be told, and pairs need not be.
_READING = ("columns", "child", "parent", "label", "definition", "cell_separator", "format")


def _refuse_options(options: Options) -> None:
    for name in _READING:
        if options[name] is not None:
            raise InputError(f"{name} is for files and frames, and this is neither; leave it out")


def from_graph(graph: Any, reverse: bool, cycles: str, bar: Any) -> _core.Hierarchy:
    """A NetworkX graph. Its nodes may be anything; their ``str`` are the names."""
    if not graph.is_directed():
        raise InputError(
            "the graph is undirected, so its edges do not say which end is the parent; give a "
            "DiGraph whose edges lead from child to parent"
        )
    names: dict[str, Any] = {}
    for node in graph.nodes():
        if (other := names.setdefault(str(node), node)) is not node and other != node:
            raise InputError(f"the nodes {other!r} and {node!r} are both called {str(node)!r}")
    parents: dict[str, list[str]] = {name: [] for name in names}
    for edge in graph.edges():
        child, parent = (str(edge[1]), str(edge[0])) if reverse else (str(edge[0]), str(edge[1]))
        parents[child].append(parent)
    texts = [_texts(graph.nodes[node]) for node in names.values()]
    columns: list[list[Any]] = [list(parents), list(parents.values())]
    columns.extend(list(column) for column in zip(*texts))
    return _from_columns(_TEXTS[: len(columns)], columns, {"cycles": cycles}, bar)


_TEXTS = ["child", "parent", "label", "definition", "synonyms"]


def _texts(node: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    label = node.get("label", node.get("name"))
    return label, node.get("definition", node.get("def")), node.get("synonyms", node.get("synonym"))


def _from_columns(
    names: list[str], columns: list[list[Any]], options: Options, bar: Any
) -> _core.Hierarchy:
    return _core.from_columns(names, columns, {**NO_OPTIONS, **options}, bar)


#: The options of a reader that is told nothing.
NO_OPTIONS: Options = {
    "format": None,
    "columns": None,
    "header": None,
    "child": None,
    "parent": None,
    "label": None,
    "aliases": [],
    "definition": None,
    "relation_column": None,
    "cell_separator": None,
    "delimiter": None,
    "lenient": False,
    "reverse": False,
    "comment": None,
    "cycles": "refuse",
    "relations": [],
    "language": None,
    "verbs": False,
}


def _from_pandas(frame: Any, options: Options, bar: Any) -> _core.Hierarchy:
    """As columns of Python objects, which do not need pyarrow. A named index is a column, too."""
    if all(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    names = [str(name) for name in frame.columns]
    columns = [frame.iloc[:, at].tolist() for at in range(len(names))]
    return _core.from_columns(names, columns, _by_position(options, names), bar)


def _from_records(rows: list[Any], options: Options, bar: Any) -> _core.Hierarchy:
    """A dictionary for each row, as JSON has them; a key that a row lacks is an empty cell."""
    if not all(isinstance(row, Mapping) for row in rows):
        raise InputError("some rows are dictionaries and some are not; give all of them alike")
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = [[row.get(name) for row in rows] for name in names]
    texts = [str(name) for name in names]
    return _core.from_columns(texts, columns, _by_position(options, texts), bar)


def _columns_of(source: Any) -> list[str]:
    names = getattr(source, "column_names", getattr(source, "columns", []))
    return [str(name) for name in names if isinstance(name, str)]


def _by_position(options: Options, names: list[str]) -> Options:
    """With ``reverse``, the columns are taken in their order, whatever their names say."""
    told = any(options[name] is not None for name in ("columns", "child", "parent"))
    if options["reverse"] and not told and len(names) == 2:
        return {**options, "columns": (names[0], names[1])}
    return options


def _from_mapping(source: Mapping[Any, Any], reverse: bool, cycles: str) -> _core.Hierarchy:
    """From children to their parents, or nested, from parents to what is below them."""
    if any(isinstance(value, Mapping) for value in source.values()):
        pairs, concepts = list(_nested(source)), _all_keys(source)
    else:
        pairs = [(child, one) for child, above in source.items() for one in _several(above)]
        concepts = list(source)
    return _core.from_pairs(pairs, [str(concept) for concept in concepts], reverse, cycles)


def _several(value: Any) -> Iterable[Any]:
    if value is None or value == "" or (isinstance(value, float) and np.isnan(value)):
        return ()
    if isinstance(value, (list, tuple, np.ndarray)):
        return value
    return sorted(value, key=str) if isinstance(value, (set, frozenset)) else (value,)


def _nested(tree: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """The pairs of a nested dictionary; a loop of its own, because trees may be deep."""
    waiting = [tree]
    while waiting:
        here = waiting.pop()
        for parent, below in here.items():
            for child in below if isinstance(below, Mapping) else _several(below):
                yield child, parent
            if isinstance(below, Mapping):
                waiting.append(below)


def _all_keys(tree: Mapping[Any, Any]) -> list[Any]:
    keys: list[Any] = []
    waiting = [tree]
    while waiting:
        here = waiting.pop()
        keys.extend(here)
        waiting.extend(below for below in here.values() if isinstance(below, Mapping))
    return keys


def _from_file(file: Any, options: Options, bar: Any) -> _core.Hierarchy:
    content = file.read()
    data = content.encode() if isinstance(content, str) else bytes(content)
    name = getattr(file, "name", None)
    name = os.fspath(name) if isinstance(name, (str, os.PathLike)) else "the file"
    return _core.read_bytes(data, name, options, bar)
