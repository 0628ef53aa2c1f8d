"""In a real kernel, from a chapter's folder: what a page receives."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from mtlbook_lib.notebook import pictures

REGISTER = """
- {id: one, paper: beyond, place: [Eq. 1], statement: It is $1$., check: z-score, tolerance: 4,
   why: Four standard errors., verdict: holds, resolves: 0.1, scope: One network.}
"""
CELLS = (
    "from mtlbook_lib.chapters import style\nfrom mtlbook_lib.notebook import claims, frames, pictures, progress",
    "claims.check('one', 1.01, 1.0, standard_error=0.01)",
    "panel, ax = style.panel('time', 'error')\nax.plot([1, 2])\n_ = pictures.show(panel, 'what to see')",
    "frames.slider(lambda v: panel, [1, 2], 'A', str)\nfor n in progress.bar(range(2)):\n    pass",
)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[list[NotebookNode]]:
    """The outputs of each cell."""
    book = tmp_path_factory.mktemp("book")
    (book / "claims.yml").write_text(REGISTER, encoding="utf8")
    chapters: Path = book / "part1"
    chapters.mkdir()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    client = NotebookClient(notebook, resources={"metadata": {"path": str(chapters)}})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MTLBOOK_BUILD", "1")
        patch.setenv("MTLBOOK_CLAIMS", str(book / "claims.yml"))
        client.execute()
    return [cell.outputs for cell in notebook.cells]


def test_each_cell_shows_one_thing(outputs: list[list[NotebookNode]]) -> None:
    assert [len(found) for found in outputs] == [0, 1, 1, 1]
    assert [found[0].output_type for found in outputs[1:]] == ["display_data"] * 3


def test_claim_reaches_the_page(outputs: list[list[NotebookNode]]) -> None:
    data = outputs[1][0]["data"]
    assert data["text/plain"] == (
        "one: holds: measured 1.01 ± 0.01, expected 1, z = 1.00 (tolerance 4 standard errors; would have seen 0.04)"
    )
    assert data["application/vnd.mtlbook.claim+json"]["z"] == pytest.approx(1.0)
    assert 'id="claim-one"' in data["text/html"]


def test_figure_reaches_the_page(outputs: list[list[NotebookNode]]) -> None:
    data = outputs[2][0]["data"]
    assert (data["text/plain"], set(data)) == ("what to see", {"text/plain", "text/html", pictures.MIME_TYPE})


def test_slider_reaches_the_page(outputs: list[list[NotebookNode]]) -> None:
    data = outputs[3][0]["data"]
    assert data["text/plain"] == "A: 2 frames, 1 to 2"
    assert "application/vnd.jupyter.widget-view+json" in data
