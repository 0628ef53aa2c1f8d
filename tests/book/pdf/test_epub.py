"""The EPUB: pages that are XML, a list of contents that says what they hold, and the format's own mark in front."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from bookbuild.pdf import epub

PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><body>{}</body></html>'
LIST = (
    '<package><item id="a" href="a.xhtml" media-type="x" /><item id="n" href="nav.xhtml" properties="nav"/></package>'
)


def book(path: Path, body: str) -> Path:
    with ZipFile(path, "w") as made:
        made.writestr("mimetype", "application/epub+zip", ZIP_STORED)
        for name, text in {"content.opf": LIST, "nav.xhtml": PAGE.format(""), "a.xhtml": PAGE.format(body)}.items():
            made.writestr(name, text, ZIP_DEFLATED)
    return path


def test_pages_become_xml_and_are_listed_with_what_they_hold(tmp_path: Path) -> None:
    body = 'a<wbr>b<br>&nbsp;&amp;<img src="x>y"><script>1 < 2</script><svg/>'
    epub.finish(book(tmp_path / "made.epub", body), tmp_path / "book.epub")
    with ZipFile(tmp_path / "book.epub") as found:
        assert found.infolist()[0].filename == "mimetype"
        assert found.infolist()[0].compress_type == ZIP_STORED
        assert found.read("a.xhtml").decode() == PAGE.format('a<wbr/>b<br/>\xa0&amp;<img src="x>y"/><svg/>')
        contents = found.read("content.opf").decode()
    assert '<item id="a" href="a.xhtml" media-type="x" properties="svg" />' in contents
    assert '<item id="n" href="nav.xhtml" properties="nav"/>' in contents


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<p hidden>a b</p>", '<p hidden="">a b</p>'),
        ('<option selected value="x y > z">x</option>', '<option selected="" value="x y > z">x</option>'),
        ('<input id="a" disabled></input> b', '<input id="a" disabled=""/> b'),
        ("<math><mi>x</mi></math>", '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>'),
        ("<p\n  hidden\n>open tag</p>", '<p\n  hidden=""\n>open tag</p>'),
    ],
)
def test_attributes_have_values_and_formulas_a_namespace(written: str, read: str) -> None:
    assert epub.as_xml(written) == read


def test_a_page_that_is_no_xml_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a\.xhtml is not well-formed"):
        epub.finish(book(tmp_path / "made.epub", "<p><b></p></b>"), tmp_path / "book.epub")
