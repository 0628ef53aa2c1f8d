"""What a page names of its chapter's own leads to its source."""

from urllib.parse import urldefrag

import pytest
from small_book import Build, words

from bookbuild.pages.sources import defined


def test_a_function_that_a_page_names_leads_to_its_source_and_back(build: Build) -> None:
    pages = build(None)
    (link,) = pages["intro"].select("a[href*=_modules]")
    page, anchor = urldefrag(str(link["href"]))
    assert (page, anchor) == ("../_modules/mtlbook_lib/chapters/part2/one_mode/experiment.html", "growth")
    assert words(link) == "growth()"
    block = pages["experiment"].find(id="growth")
    assert words(block).startswith("[docs] def growth(")
    back = urldefrag(str(block.find(class_="viewcode-back")["href"]))
    assert back.url.endswith("book/intro.html")
    assert pages["intro"].find(id=back.fragment) is not None


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("mtlbook_lib.theory.softmax.rem_gain", ("mtlbook_lib.theory.softmax.random_energy", "rem_gain")),
        ("mtlbook_lib.forecast.JointRegressor.fit", ("mtlbook_lib.forecast._related.regressor", "JointRegressor.fit")),
        ("mtlbook_lib.chapters.sweep", ("mtlbook_lib.chapters.sweep", "")),
        ("mtlbook_lib.theory.softmax.gone", None),
        ("mtlbook_lib.theory.gone.gain", None),
    ],
)
def test_where_a_name_is_defined(target: str, found: tuple[str, str] | None) -> None:
    assert defined(target) == found
