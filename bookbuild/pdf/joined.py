"""Joins printed pages into one file: an outline, links that lead to sheets of the file, and a table of contents."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject

STYLE = """
body { font: 11pt sans-serif; }
a { color: inherit; text-decoration: none; } h2 { font-size: 12pt; margin: .8em 0 .2em; }
p { display: flex; justify-content: space-between; margin: .15em 0; }
"""


@dataclass(frozen=True)
class Printed:
    """One page of the book: its part, title, file in the site, and what Chromium made of it."""

    part: str
    title: str
    page: Path
    data: bytes

    @cached_property
    def sheets(self) -> int:
        """How many sheets of paper it takes."""
        return sheets(self.data)


def sheets(data: bytes) -> int:
    """The number of sheets of a PDF."""
    return len(PdfReader(BytesIO(data)).pages)


def printed_in_turn(
    pages: Iterable[tuple[str, str, Path]], number: int, data: Callable[[Path, int], bytes]
) -> list[Printed]:
    """Pages (part, title, file in the site), printed by `data` on sheets that are numbered on from `number`."""
    book: list[Printed] = []
    for part, title, page in pages:
        book.append(Printed(part, title, page, data(page, number)))
        number += book[-1].sheets
    return book


def contents_html(title: str, book: list[Printed], numbers: list[int]) -> str:
    """A page that lists parts and chapters with the numbers of their first sheets, each a link."""
    lines, last = [], ""
    for printed, number in zip(book, numbers, strict=True):
        lines += [f"<h2>{escape(printed.part)}</h2>"] if printed.part != last else []
        uri = escape(printed.page.resolve().as_uri())
        lines.append(f'<p><a href="{uri}">{escape(printed.title)}</a><span>{number}</span></p>')
        last = printed.part
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style><h1>{escape(title)}</h1>{''.join(lines)}"


def join(title: str, contents: bytes, book: list[Printed]) -> PdfWriter:
    """One file of the contents, where there are any, and all pages, with an outline by parts."""
    writer = PdfWriter()
    writer.add_metadata({"/Title": title})
    if contents:
        writer.append(BytesIO(contents), import_outline=False)
    first: dict[Path, int] = {}
    parts: dict[str, object] = {}
    for printed in book:
        first[printed.page.resolve()] = start = len(writer.pages)
        writer.append(BytesIO(printed.data), import_outline=False)
        if printed.part and printed.part not in parts:
            parts[printed.part] = writer.add_outline_item(title=printed.part, page_number=start)
        writer.add_outline_item(title=printed.title, page_number=start, parent=parts.get(printed.part))  # type: ignore[arg-type]
    lead_inside(writer, first)
    return writer


def lead_inside(writer: PdfWriter, first: dict[Path, int]) -> None:
    """Turn links to files of the site into links to sheets of this file."""
    for sheet in writer.pages:
        for entry in sheet.get("/Annots", []):
            link = entry.get_object()
            address = str(link.get("/A", {}).get("/URI", ""))
            target = Path(unquote(address.removeprefix("file://").partition("#")[0]))
            if address.startswith("file://") and target in first:
                link[NameObject("/A")] = go_to(writer, first[target])


def go_to(writer: PdfWriter, sheet: int) -> DictionaryObject:
    """The action that shows the top of a sheet."""
    goal = ArrayObject([writer.pages[sheet].indirect_reference, NameObject("/Fit")])
    return DictionaryObject({NameObject("/S"): NameObject("/GoTo"), NameObject("/D"): goal})
