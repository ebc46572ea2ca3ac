"""The notebook runs from its first cell to its last, and shows what it showed when it was committed."""

from __future__ import annotations

import nbformat
from nbclient import NotebookClient

from sessions import ROOT

NOTEBOOK = ROOT / "examples/notebooks/how-i-work-with-pi.ipynb"


def kinds(notebook):
    """For each cell the kinds of its outputs: pictures differ from one version of matplotlib to the next."""
    return [
        [sorted(output.get("data", {output.output_type: 0})) for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def test_the_notebook_runs():
    committed = nbformat.read(NOTEBOOK, as_version=4)
    fresh = nbformat.read(NOTEBOOK, as_version=4)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    NotebookClient(fresh, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    assert kinds(fresh) == kinds(committed)
    shown = {kind for cell in kinds(fresh) for output in cell for kind in output}
    assert {"image/png", "image/svg+xml", "text/html"} <= shown
    assert "error" not in shown


def test_the_committed_output_names_no_machine():
    text = NOTEBOOK.read_text()
    assert "/root/" not in text
    assert str(ROOT) not in text
