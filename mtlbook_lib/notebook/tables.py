"""Small tables of results: HTML for a page, aligned columns where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from mtlbook_lib._checks import entries, instance, real_array, texts
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
        body = "".join(f"<tr>{_cells(row)}</tr>" for row in self.rows)
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
        raise ValueError(f"measured must be a mean and its standard error; got {measured!r}.")
    try:
        return " ± ".join(format(number, instance("fmt", fmt, str)) for number in pair.tolist())
    except ValueError:
        raise ValueError(f"fmt must be a format for numbers, such as '.2f'; got {fmt!r}.") from None


def _cells(row: Sequence[str]) -> str:
    first, *others = map(escape, row)
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in others)
