"""The tutorial runs from its first cell to its last."""

import pytest

from conftest import ROOT


def test_tutorial():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    needed = "ipykernel duckdb matplotlib pandas pyarrow sklearn vega_datasets"
    for package in needed.split():
        pytest.importorskip(package)
    notebook = nbformat.read(ROOT / "examples" / "tutorial.ipynb", 4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    printed = "".join(
        output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", [])
    )
    assert "Model(82,114 concepts, 55 bits)" in printed and "F1 100.000%" in printed
