"""Small tables of results: HTML for a page, aligned columns where there is none."""

import re
from collections.abc import Sequence
from html import escape

from mtlbook_lib._checks import entries, instance, real_array, short, texts
from mtlbook_lib.notebook._show import show as _show


class Table:
    """A finished table: HTML for a page, aligned text elsewhere."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.columns, self.rows = tuple(columns), [tuple(row) for row in rows]

    def __str__(self) -> str:
        widths = [max(len(cell) for cell in column) for column in zip(self.columns, *self.rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in (self.columns, *self.rows)]
        return "\n".join(lines)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in self.columns)
        body = "".join(f"<tr>{_cells(self.columns, row)}</tr>" for row in self.rows)
        html = f'<table class="table mtl-results"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        return {"text/plain": str(self), "text/html": html}


def show(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Show a table of finished texts; the first column names the rows.

    Raises
    ------
    ValueError
        If there is no row, or a row has not one cell for each column.
    """
    names, lines = texts("columns", columns), [texts("rows", row) for row in entries("rows", rows)]
    lengths = {len(line) for line in lines}
    if lengths != {len(names)}:
        raise ValueError(f"rows must each have {len(names)} cells, one for each of columns; got {sorted(lengths)}.")
    _show(Table(names, lines))


def number(measured: tuple[float, float], fmt: str = ".2f") -> str:
    """A mean and its standard error as text, such as "1.25 ± 0.10"."""
    pair = real_array("measured", measured, ndim=1)
    if pair.shape != (2,):
        raise ValueError(f"measured must be a mean and its standard error; got {short(measured)}.")
    try:
        return " ± ".join(format(number, instance("fmt", fmt, str)) for number in pair.tolist())
    except ValueError:
        raise ValueError(f"fmt must be a format for numbers, such as '.2f'; got {short(fmt)}.") from None


def _cells(columns: Sequence[str], row: Sequence[str]) -> str:
    """The cells of a row; where a page is narrow, each carries the name of its column, and names of functions break."""
    first, *others = (escape(cell).replace("± ", "±\N{NO-BREAK SPACE}") for cell in row)
    first = re.sub(r"(?<=[a-z])([._])(?=[a-z])", r"\1<wbr>", first)
    named = zip(columns[1:], others, strict=True)
    return f'<th scope="row">{first}</th>' + "".join(f"<td{_label(column)}>{cell}</td>" for column, cell in named)


def _label(column: str) -> str:
    formula = "$" in column or "\\(" in column  # would be typeset inside the attribute
    return "" if formula else f' data-label="{escape(column)}"'
