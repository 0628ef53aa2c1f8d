"""Tables read alike as text and on a page, and refuse rows that do not fit."""

import pytest
from bs4 import BeautifulSoup

from mtlbook_lib.notebook import tables

COLUMNS, ROWS = ["condition", "slope"], [["a < b", "1.0 ± 0.1"], ["a much longer name", "-2"]]


def test_text_is_aligned():
    lines = str(tables.Table(COLUMNS, ROWS)).splitlines()
    assert lines == ["condition           slope", "a < b               1.0 ± 0.1", "a much longer name  -2"]


def test_page_has_every_cell_and_names_of_rows_and_columns():
    bundle = tables.Table(COLUMNS, ROWS)._repr_mimebundle_()
    soup = BeautifulSoup(bundle["text/html"], "html.parser")
    assert [cell.text for cell in soup.select("th[scope=col]")] == COLUMNS
    assert [[cell.text for cell in row.find_all(["th", "td"])] for row in soup.select("tbody tr")] == ROWS
    assert [cell.text for cell in soup.select("th[scope=row]")] == [row[0] for row in ROWS]


def test_show_prints_where_no_notebook_runs(capsys):
    tables.show(COLUMNS, ROWS)
    assert capsys.readouterr().out.strip() == str(tables.Table(COLUMNS, ROWS))


@pytest.mark.parametrize("rows", [[], [["one"]], [["a", "b"], ["a", "b", "c"]]])
def test_rows_must_fit(rows):
    with pytest.raises(ValueError, match="rows must each have 2 cells"):
        tables.show(COLUMNS, rows)


def test_numbers_carry_their_error():
    assert tables.number((1.2345, 0.1)) == "1.23 ± 0.10"
    assert tables.number((12.0, 1.5), ".0f") == "12 ± 2"
