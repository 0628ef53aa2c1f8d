"""The side bar: no link is lost, core chapters are marked from every page, others are folded by kind."""

from posixpath import relpath

import pytest
from bs4 import BeautifulSoup

from bookbuild.chapters import chapters, registered_claims
from bookbuild.front import contents, sidebar
from bookbuild.pages.outcomes import OWN

PARTS = {name.partition("/")[0] for name in contents.listed()}


def item(name: str, page: str) -> str:
    here = f"book/{name}" == page
    href = "#" if here else relpath(f"book/{name}.html", page.rpartition("/")[0])
    kind = "toctree-l1 current active" if here else "toctree-l1"
    return f'<li class="{kind}"><a class="reference internal" href="{href}">{name}</a></li>'


def bar(page: str) -> str:
    """The list as the theme makes it, with a page below another one, which stays as it is."""
    lists = []
    for part in sorted(PARTS):
        items = "\n".join(item(name, page) for name in contents.listed() if name.startswith(part))
        lists.append(f'<p class="caption">{part}</p>\n<ul class="nav bd-sidenav">\n{items}\n</ul>')
    api = '<li class="toctree-l1 has-children"><a class="reference internal" href="api.html">API</a>'
    return "\n".join([*lists, f'<ul class="nav bd-sidenav">\n{api}<ul><li>x</li></ul></li>\n</ul>'])


@pytest.mark.parametrize("page", ["book/intro", "book/part1/noise-spectrum", "book/part4/closed-flow"])
def test_every_link_is_kept_and_each_chapter_stands_where_it_belongs(page: str) -> None:
    before, after = (BeautifulSoup(html, "html.parser") for html in (bar(page), sidebar.marked(bar(page), page)))
    assert sorted(link["href"] for link in before("a")) == sorted(link["href"] for link in after("a"))
    assert [link.text for link in after("a", class_="mtl-core")] == contents.contents()["core"]
    folded = [link.text for link in after.select("details a")]
    assert sorted(folded) == sorted(sidebar.specialists() | set(contents.contents()["beyond"]))
    assert [int(size.text) for size in after.select(".mtl-fold-size")] == [len(fold("a")) for fold in after("details")]
    opened = [link.text for link in after.select("details[open] a")]
    assert (page.removeprefix("book/") in opened) == bool(opened) == (page == "book/part4/closed-flow")


def test_specialists_are_neither_core_nor_on_a_way() -> None:
    known = contents.contents()
    assert sidebar.specialists().isdisjoint({*known["core"], *known["ways"]["day"]})
    assert sidebar.specialists() < set(contents.listed())
    assert not any(name.endswith("/explorer") for name in sidebar.specialists())


def test_chapters_without_a_statement_of_the_papers_stand_beyond_them() -> None:
    """Parts I to VI read the papers; in each part what goes beyond comes last, before its explorer."""
    of_papers = {entry["chapter"] for entry in registered_claims() if entry["paper"] != OWN}
    own = {chapter.name for chapter in chapters()} - of_papers - {"part0/hour"}
    beyond = contents.contents()["beyond"]
    assert {name for name in own if not name.startswith("part7")} <= set(beyond)
    for part in {name.partition("/")[0] for name in beyond}:
        mine = [name for name in contents.listed() if name.startswith(part) and not name.endswith("/explorer")]
        last = [name for name in beyond if name.startswith(part)]
        assert mine[-len(last) :] == last


def test_the_theme_gets_the_folded_list_and_other_lists_as_they_are() -> None:
    context = {"generate_toctree_html": lambda kind, **options: bar("book/intro")}
    sidebar.offer(None, "book/intro", "page.html", context, None)  # type: ignore[arg-type]
    made = context["generate_toctree_html"]
    assert made(kind="sidebar", maxdepth=4) == sidebar.marked(bar("book/intro"), "book/intro") != bar("book/intro")
    assert made(kind="raw") == bar("book/intro")
    sidebar.offer(None, "search", "search.html", empty := {}, None)  # type: ignore[arg-type]
    assert empty == {}
