"""Print the built book into one PDF. Run as `python -m bookbuild.pdf`, after a build."""

import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import accumulate
from pathlib import Path

from selenium import webdriver

from bookbuild import without_options
from bookbuild.chapters import BUILD, ROOT, contents, page_title, read_yaml
from bookbuild.pdf import joined
from bookbuild.pdf.printer import browser, print_page

TARGET = BUILD / "book.pdf"
LEFT_OUT = "api"  # the reference of the library is for looking up, not for reading on paper


def pages() -> Iterator[tuple[str, str, Path]]:
    """Part, title and file in the site of each page of the book that is printed."""
    for part, names in contents().items():
        for name in names:
            if not Path(name).name.startswith(LEFT_OUT):
                yield part, page_title(ROOT / f"{name}.md"), BUILD / "html" / f"{name}.html"


def print_contents(driver: webdriver.Chrome, title: str, book: list[joined.Printed], numbers: list[int]) -> bytes:
    """The table of contents as PDF."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "contents.html")
        page.write_text(joined.contents_html(title, book, numbers), encoding="utf8")
        return print_page(driver, page, 1)


def main() -> None:
    """Print every page, then the contents, which need the pages' numbers, and join them."""
    title = read_yaml(ROOT / "_config.yml")["title"]
    listed = list(pages())
    if missing := [page for *_, page in listed if not page.exists()]:
        raise SystemExit(f"Build the book first: {missing[0]} is not there.")
    with browser() as driver:
        blank = [joined.Printed(part, name, page, b"") for part, name, page in listed]
        number = 1 + joined.sheets(print_contents(driver, title, blank, [0] * len(blank)))
        book = joined.printed_in_turn(listed, number, partial(print_page, driver))
        *numbers, end = accumulate((printed.sheets for printed in book), initial=number)
        contents_ = print_contents(driver, title, book, numbers)
    joined.join(title, contents_, book).write(TARGET)
    sys.stdout.write(f"{len(book)} pages of the book on {end - 1} sheets: {TARGET}\n")


if __name__ == "__main__":
    without_options("bookbuild.pdf", __doc__)
    main()
