"""Print what a teacher hands out from the built book: slides, problem sets, and the same with solutions.

Run as `python -m bookbuild.pdf.handouts`, after a build.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver

from bookbuild import without_options
from bookbuild.chapters import BUILD, chapters, parts
from bookbuild.front.contents import contents
from bookbuild.lint import NO_LAW
from bookbuild.pdf import joined
from bookbuild.pdf.printer import browser, print_page, printed

WINDOW = {
    "width": 1280,
    "height": 720,
    "deviceScaleFactor": 1,
    "mobile": False,
}  # what fits in it fits on a slide's sheet
SHEET = {"paperWidth": 1280 / 96, "paperHeight": 720 / 96, "printBackground": True}
SLIDE, PROBLEMS = (Path(__file__).with_name(f"{name}.js").read_text(encoding="utf8") for name in ("slide", "problems"))
Print = Callable[[webdriver.Chrome, str, Path, int], bytes]


def slide(driver: webdriver.Chrome, name: str, page: Path, number: int) -> bytes:
    """One sheet: the answer of a chapter in words, its best figure, and its law."""
    driver.get(page.resolve().as_uri())
    driver.execute_script(SLIDE, contents()["laws"].get(name), sorted(NO_LAW))
    return printed(driver, SHEET)


def problems(driver: webdriver.Chrome, name: str, page: Path, number: int) -> bytes:
    """The exercises of a chapter, with lines for their answers."""
    return print_page(driver, page, number, PROBLEMS, "")


def solutions(driver: webdriver.Chrome, name: str, page: Path, number: int) -> bytes:
    """The exercises of a chapter with their solutions."""
    return print_page(driver, page, number, PROBLEMS, "with solutions")


def put_together(driver: webdriver.Chrome, one: Print) -> list[joined.Printed]:
    """What `one` prints of each chapter, on sheets that are numbered on."""
    captions, names, pages = parts(), dict[Path, str](), list[tuple[str, str, Path]]()
    for chapter in chapters():
        page, folder = BUILD / "html/book" / f"{chapter.name}.html", chapter.name.partition("/")[0]
        if folder == "part0":  # a way in, which asks its questions in the text
            continue
        if not page.exists():
            raise SystemExit(f"Build the book first: {page} is not there.")
        names[page] = chapter.name
        pages.append((captions[folder], chapter.title, page))
    return joined.printed_in_turn(pages, 1, lambda page, number: one(driver, names[page], page, number))


@contextmanager
def projector() -> Iterator[webdriver.Chrome]:
    """Chromium with a window of a slide's size, in which pages look as on paper."""
    with browser() as driver:
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", WINDOW)
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        yield driver


def main() -> None:
    """Print the three files, one after the other."""
    with projector() as driver:
        for one, name, title in (
            (slide, "slides", "Slides"),
            (problems, "problems", "Problems"),
            (solutions, "solutions", "Problems with solutions"),
        ):
            book, target = put_together(driver, one), BUILD / f"{name}.pdf"
            joined.join(title, b"", book).write(target)
            sys.stdout.write(f"{len(book)} chapters on {sum(part.sheets for part in book)} sheets: {target}\n")


if __name__ == "__main__":
    without_options("bookbuild.pdf.handouts", __doc__)
    main()
