"""The whole book as one EPUB, by Sphinx's own builder, after `make book`. Run as `python -m bookbuild.pdf.epub`."""

from __future__ import annotations

import re
import sys
from html import unescape
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, ZipFile

from bookbuild import without_options
from bookbuild.chapters import BUILD, ROOT, read_yaml
from bookbuild.execute import CACHE, workers
from bookbuild.front import offered

BOOK = BUILD / "book.epub"
SETTINGS = {
    "epub_basename": "book",
    "epub_identifier": "mtlbook",
    "epub_uid": "mtlbook",
    "epub_scheme": "ID",
    "epub_tocscope": "includehidden",
    "epub_show_urls": "no",
    "epub_css_files": ["ebook.css"],
    "suppress_warnings": ["mystnb.unknown_mime_type", "epub.unknown_project_files"],
}
_VOID = re.compile(r'<(br|col|hr|img|input|link|meta|source|wbr)\b((?:[^>"]|"[^"]*")*?)\s*/?>(?:</\1>)?')
# A start tag with more than attributes and their values: few of a page are, and the others stay as they are.
_OPEN = re.compile(r'<[A-Za-z][\w:-]*+(?:\s+[\w:.-]+="[^"]*")*+(?!\s*/?>)(?:[^>"]|"[^"]*")*>')
_BARE = re.compile(r'(\s[\w:-]+)(?=[\s/>])|="[^"]*"')  # an attribute without a value, or a value, which is left alone
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z]\w*;")
_MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML"'  # HTML knows it without, XML does not
_SCRIPT = re.compile(r"<script\b[^>]*/>|<script\b.*?</script>|</?noscript>", re.DOTALL)
_ITEM = re.compile(r'(<item [^>]*href="([^"]+\.xhtml)"[^>]*?)(\s*/>)')
_USED = {"svg": "<svg", "mathml": "<math"}  # what a list of contents has to say of a page


def main() -> int:
    """Build, and put the book beside the pages; 1 if it cannot be built."""
    from jupyter_book.sphinx import build_sphinx  # imported here: it takes a second

    title = read_yaml(ROOT / "_config.yml")["title"]
    settings = SETTINGS | {"external_toc_path": str(ROOT / "_toc.yml"), "nb_execution_cache_path": str(CACHE)}
    settings |= {"epub_title": title, "epub_description": title, "latex_individualpages": False}
    folder = BUILD / "epub" / "book"  # Sphinx remembers what it read beside the folder: apart from that of the pages
    made = {"noconfig": True, "path_config": ROOT / "_config.yml", "confoverrides": settings, "builder": "epub"}
    if build_sphinx(ROOT, folder, quiet=True, jobs=workers(), **made) != 0:
        return 1
    finish(folder / "book.epub", BOOK)
    offered.offer()
    print(BOOK)
    return 0


def finish(made: Path, target: Path) -> None:
    """Copy the book with pages that are XML, as its readers demand; a page that is none is an error."""
    with ZipFile(made) as source:
        parts = {item: source.read(item) for item in source.infolist()}
    pages = {item.filename: as_xml(data.decode()) for item, data in parts.items() if item.filename.endswith(".xhtml")}
    for name, text in pages.items():
        try:
            ElementTree.fromstring(text)
        except ElementTree.ParseError as error:
            raise ValueError(f"{name} is not well-formed: {error}") from error
    with ZipFile(target, "w", ZIP_DEFLATED) as sink:
        for item, data in parts.items():  # the first one, by which a reader knows the format, stays uncompressed
            if item.filename.endswith(".opf"):
                data = listed(data.decode(), pages).encode()
            sink.writestr(item, pages.get(item.filename, data))


def as_xml(text: str) -> str:
    """A page with closed elements, a value for each attribute, named formulas, letters for entities, and no scripts."""
    text = _OPEN.sub(valued, _VOID.sub(r"<\1\2/>", _SCRIPT.sub("", text)))
    return _ENTITY.sub(lambda found: unescape(found[0]), re.sub(r"<math(?![^>]* xmlns)", _MATH, text))


def valued(tag: re.Match[str]) -> str:
    """A start tag in which `hidden` is `hidden=""`."""
    return _BARE.sub(lambda found: f'{found[1]}=""' if found[1] else found[0], tag[0])


def listed(contents: str, pages: dict[str, str]) -> str:
    """The list of contents, which says of each page whether it has drawings and formulas."""

    def item(found: re.Match[str]) -> str:
        used = " ".join(name for name, tag in _USED.items() if tag in pages.get(found[2], ""))
        return f'{found[1]} properties="{used}"{found[3]}' if used and "properties=" not in found[1] else found[0]

    return _ITEM.sub(item, contents)


if __name__ == "__main__":
    without_options("bookbuild.pdf.epub", __doc__)
    sys.exit(main())
