"""The shared style: colours legible on both pages, panels that wrap, what the helpers draw, and tables of results."""

import subprocess
import sys
from typing import Any
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from mtlbook_lib.chapters import style
from mtlbook_lib.notebook import pictures, tables


def test_pyplot_is_not_needed() -> None:
    # pyplot keeps figures alive and shows them a second time at the end of a cell.
    code = """
import sys
from mtlbook_lib.chapters import style
from mtlbook_lib.notebook import pictures, tables
pictures.picture(style.panel()[0], "words")
print("matplotlib.pyplot" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_picture_has_a_panel_for_each_figure() -> None:
    two = [style.panel(letter=letter)[0] for letter in "ab"]
    shown = pictures.picture(two, ["left", "right"])._repr_mimebundle_()
    assert shown["text/plain"] == "left\nright"
    page = ElementTree.fromstring(shown["text/html"])
    assert (page.get("class"), [child.get("class") for child in page]) == ("mtl-figure", ["mtl-panel"] * 2)
    assert "display:flex;flex-wrap:wrap" in page.attrib["style"]
    assert [child[0].get("aria-label") for child in page] == ["left", "right"]
    assert [child.get("data-letter") for child in page] == ["a", "b"]


def test_one_text_for_several_panels_names_them_together() -> None:
    two = [style.panel()[0] for _ in range(2)]
    page = ElementTree.fromstring(pictures.picture(two, "A < B").html)
    assert (page.get("role"), page.get("aria-label")) == ("img", "A < B")
    assert [child[0].get("aria-hidden") for child in page] == ["true", "true"]


@pytest.mark.parametrize(("n", "alt"), [(1, ""), (1, ["a", "b"]), (2, ["a"]), (2, ["a", " "]), (2, ""), (0, "words")])
def test_every_panel_has_a_text(n: int, alt: Any) -> None:
    with pytest.raises(ValueError, match=f"one for each of the {n} panels" if n else "empty list"):
        pictures.picture([style.panel()[0] for _ in range(n)], alt)


COLUMNS, ROWS = ["condition", "slope"], [["a < b", "1.0 ± 0.1"], ["a much longer name", "-2"]]


def test_text_is_aligned():
    lines = str(tables.Table(COLUMNS, ROWS)).splitlines()
    assert lines == ["condition           slope", "a < b               1.0 ± 0.1", "a much longer name  -2"]


def test_page_has_every_cell_and_names_of_rows_and_columns():
    bundle = tables.Table(COLUMNS, ROWS)._repr_mimebundle_()
    soup = BeautifulSoup(bundle["text/html"], "html.parser")
    assert [cell.text for cell in soup.select("th[scope=col]")] == COLUMNS
    shown = [[cell.text for cell in row.find_all(["th", "td"])] for row in soup.select("tbody tr")]
    assert [[text.replace("\xa0", " ") for text in row] for row in shown] == ROWS
    assert [cell.text for cell in soup.select("th[scope=row]")] == [row[0] for row in ROWS]


def test_cells_know_their_column_and_where_a_narrow_page_may_break_them():
    columns, rows = ["experiment", "slope & error", "$k$", r"at \(s\)"], [["part.of_it", "1.0 ± 0.1", "2", "3"]]
    html = tables.Table(columns, rows)._repr_mimebundle_()["text/html"]
    soup = BeautifulSoup(html, "html.parser")
    labels = [cell.get("data-label") for cell in soup.select("td")]
    assert labels == ["slope & error", None, None]  # a formula is no plain text
    assert "part.<wbr>of_<wbr>it" in html
    assert soup.td.text == "1.0 ±\xa00.1"  # an error stays with its sign


@pytest.mark.parametrize("rows", [[], [["one"]], [["a", "b"], ["a", "b", "c"]]])
def test_rows_must_fit(rows):
    with pytest.raises(ValueError, match="rows must each have 2 cells"):
        tables.show(COLUMNS, rows)


def test_numbers_carry_their_error():
    assert tables.number((1.2345, 0.1)) == "1.23 ± 0.10"
    assert tables.number((12.0, 1.5), ".0f") == "12 ± 2"
