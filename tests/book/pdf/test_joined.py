"""The joined PDF: sheets in order, an outline by parts, links that lead to sheets instead of files."""

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import Link

from bookbuild import chapters
from bookbuild.pdf import __main__ as pdf
from bookbuild.pdf import joined


def sheets(number: int, *addresses: str) -> bytes:
    """A PDF with blank sheets, the first of which has these links, and an outline of its own."""
    writer = PdfWriter()
    for _ in range(number):
        writer.add_blank_page(100, 100)
    for address in addresses:
        writer.add_annotation(0, Link(rect=(0, 0, 9, 9), url=address))
    writer.add_outline_item(title="printed by Chromium", page_number=0)
    held = BytesIO()
    writer.write(held)
    return held.getvalue()


@pytest.fixture
def book(tmp_path: Path) -> list[joined.Printed]:
    one, two, three = (tmp_path / f"{name}.html" for name in ("one", "two", "three"))
    there = f"{two.as_uri()}#section"
    return [
        joined.Printed("", "Front", one, sheets(2, there, "https://example.org", (tmp_path / "no.html").as_uri())),
        joined.Printed("Part I", "Two", two, sheets(3)),
        joined.Printed("Part I", "Three", three, sheets(1, one.as_uri())),
    ]


def written(book: list[joined.Printed]) -> PdfReader:
    held = BytesIO()
    joined.join("Title", sheets(1, book[1].page.as_uri()), book).write(held)
    return PdfReader(held)


def goal(reader: PdfReader, sheet: int, number: int = 0) -> int | str:
    """Where a link leads: the index of a sheet, or an address."""
    action = reader.pages[sheet]["/Annots"][number].get_object()["/A"]
    if action["/S"] == "/URI":
        return str(action["/URI"])
    # Blank sheets are equal: they are told apart by their numbers in the file.
    numbers = [page.indirect_reference.idnum for page in reader.pages if page.indirect_reference]
    return numbers.index(action["/D"][0].get_object().indirect_reference.idnum)


def test_all_sheets_are_there_in_order_with_an_outline_by_parts(book: list[joined.Printed]) -> None:
    reader = written(book)
    assert [printed.sheets for printed in book] == [2, 3, 1]
    assert len(reader.pages) == 1 + 2 + 3 + 1
    assert reader.metadata is not None
    assert reader.metadata.title == "Title"
    front, part, inner = reader.outline
    assert [entry.title for entry in (front, part, *inner)] == ["Front", "Part I", "Two", "Three"]
    assert [reader.get_destination_page_number(entry) for entry in (front, part, *inner)] == [1, 3, 3, 6]


def test_links_between_pages_lead_to_sheets_and_others_stay(book: list[joined.Printed]) -> None:
    reader = written(book)
    assert goal(reader, 0) == 3
    assert [goal(reader, 1, i) for i in (0, 1)] == [3, "https://example.org"]
    assert str(goal(reader, 1, 2)).endswith("no.html")
    assert goal(reader, 6) == 1


def test_contents_list_parts_once_and_numbers(book: list[joined.Printed]) -> None:
    text = joined.contents_html("A & B", book, [2, 4, 7])
    assert "<h1>A &amp; B</h1>" in text
    assert text.count("<h2>") == 1
    assert text.index(">Front</a><span>2<") < text.index("Part I") < text.index(">Two</a><span>4<")
    assert book[2].page.as_uri() in text


def test_every_page_but_the_reference_of_the_library_is_printed() -> None:
    printed = [page.relative_to(chapters.BUILD / "html").with_suffix("").as_posix() for *_, page in pdf.pages()]
    book = [path.relative_to(chapters.ROOT).with_suffix("").as_posix() for path in chapters.pages()]
    assert printed == [name for name in book if not name.startswith("book/reference/api")]
    assert all(title for _, title, _ in pdf.pages())
