"""Conversions to other packages. Each package is imported when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._optional import need

if TYPE_CHECKING:
    from ._hierarchy import Hierarchy
    from ._model import Model


def hierarchy_to_networkx(hierarchy: Hierarchy) -> Any:
    networkx = need("networkx", what="to_networkx()")
    graph, core = networkx.DiGraph(), hierarchy._native
    for id, name in enumerate(hierarchy.names):
        synonyms = [text for text, _ in core.synonyms(id)]
        texts = {"label": core.label(id), "definition": core.definition(id), "synonyms": synonyms}
        graph.add_node(name, **{key: text for key, text in texts.items() if text})
    graph.add_edges_from(hierarchy.named(hierarchy.pairs()))
    return graph


def model_to_networkx(model: Model) -> Any:
    graph = hierarchy_to_networkx(model.hierarchy)
    bits = model.bits()
    for name, row in zip(model.names, bits):
        graph.nodes[name]["code"] = "".join(map(str, row.tolist()))
    return graph


def hierarchy_to_pandas(hierarchy: Hierarchy) -> Any:
    pandas = need("pandas", what="to_pandas()")
    return pandas.DataFrame(_pair_columns(hierarchy))


def hierarchy_to_polars(hierarchy: Hierarchy) -> Any:
    polars = need("polars", what="to_polars()")
    return polars.DataFrame({name: list(texts) for name, texts in _pair_columns(hierarchy).items()})


def hierarchy_to_arrow(hierarchy: Hierarchy) -> Any:
    pyarrow = need("pyarrow", what="to_arrow()")
    columns = {
        name: pyarrow.array(texts, pyarrow.string())
        for name, texts in _pair_columns(hierarchy).items()
    }
    return pyarrow.table(columns)


def _pair_columns(hierarchy: Hierarchy) -> dict[str, Any]:
    pairs, names = hierarchy.pairs(), np.array(hierarchy.names, dtype=object)
    return {"child": names[pairs[:, 0]], "parent": names[pairs[:, 1]]}


def _code_columns(model: Model) -> dict[str, Any]:
    """The words of the codes: c0, c1, …, as `binder export` names them.

    If a code has one word, it is a view.
    """
    return {f"c{word}": model.codes[:, word] for word in range(model.codes.shape[1])}


def _bit_columns(model: Model) -> dict[str, Any]:
    return {f"b{bit}": column for bit, column in enumerate(np.asfortranarray(model.bits()).T)}


def model_to_pandas(model: Model, bits: bool) -> Any:
    pandas = need("pandas", what="to_pandas()")
    columns: dict[str, Any] = {"name": model.names}
    if (labels := model.hierarchy.labels) is not None:
        columns["label"] = labels
    columns |= _bit_columns(model) if bits else _code_columns(model)
    return pandas.DataFrame(columns, index=pandas.RangeIndex(len(model), name="id"))


def model_to_polars(model: Model, bits: bool) -> Any:
    polars = need("polars", what="to_polars()")
    columns: dict[str, Any] = {"id": np.arange(len(model), dtype=np.uint32), "name": model.names}
    if (labels := model.hierarchy.labels) is not None:
        columns["label"] = labels
    return polars.DataFrame({**columns, **(_bit_columns(model) if bits else _code_columns(model))})


def model_to_torch(model: Model, concepts: Any) -> Any:
    torch = need("torch", what="to_torch()")
    return torch.from_numpy(np.array(model.bits(concepts)))


def model_to_arrow(model: Model) -> Any:
    pyarrow = need("pyarrow", what="to_arrow()")
    columns = {
        "id": pyarrow.array(np.arange(len(model), dtype=np.uint32)),
        "name": pyarrow.array(model.names, pyarrow.string()),
        "label": pyarrow.array(model.hierarchy.labels or [None] * len(model), pyarrow.string()),
    }
    columns |= {name: pyarrow.array(words) for name, words in _code_columns(model).items()}
    return pyarrow.table(columns).replace_schema_metadata({"bits": str(model.n_bits)})


def model_to_keyed_vectors(model: Model) -> Any:
    models = need("gensim.models", what="to_keyed_vectors()")
    vectors = models.KeyedVectors(vector_size=model.n_bits, dtype=np.float32)
    vectors.add_vectors(model.names, model.bits().astype(np.float32))
    return vectors
