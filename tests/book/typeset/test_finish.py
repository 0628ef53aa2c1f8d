"""What is done to finished pages: icons that nobody shows are dropped, pictures say how many panels they have."""

from pathlib import Path
from types import SimpleNamespace

from docutils import nodes

from bookbuild.typeset import figures, icons

STYLE = (
    'a{color:red}.fa-bars:before,.fa-navicon:before{content:"\\f0c9"}.fa-yen:before{content:"\\f157"}'
    ".fa-solid{font-weight:900}.fa-back:before{content:var(--icon)}"
)


def test_only_icons_that_a_page_shows_keep_their_rule() -> None:
    thin = icons.thinned(STYLE, {"fa-bars", "fa-solid"})
    assert thin == STYLE.replace('.fa-yen:before{content:"\\f157"}', "")
    assert icons.thinned(STYLE, set()).count("content") == 1  # the one that is no icon's


def test_icons_of_pages_and_of_the_theme_are_kept(tmp_path: Path) -> None:
    files = {
        "book/one.html": '<i class="fa-solid fa-bars">',
        "_static/scripts/some-theme.js": 'icon("fa-yen")',
        "_static/scripts/fontawesome.js": 'all("fa-back")',
        icons.STYLE: STYLE,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf8")
    assert icons.used(tmp_path) == {"fa-solid", "fa-bars", "fa-yen"}
    icons.thin(SimpleNamespace(outdir=tmp_path), None)
    assert (tmp_path / icons.STYLE).read_text(encoding="utf8") == STYLE
    (tmp_path / "book/one.html").unlink()
    icons.thin(SimpleNamespace(outdir=tmp_path), None)
    assert "fa-bars" not in (tmp_path / icons.STYLE).read_text(encoding="utf8")


def test_pictures_say_how_many_panels_they_have() -> None:
    panel = '<div class="mtl-panel" style="max-width:9px"><svg></svg></div>'
    one, two = (f'<div class="mtl-figure" style="">{panel * n}</div>' for n in (1, 2))
    doctree = nodes.section("", nodes.raw("", f"<p>{two}{one}</p>", format="html"), nodes.raw("", "<b>", format="html"))
    figures.count_panels(SimpleNamespace(), doctree)
    first, second = doctree.children
    assert first.astext().replace(' data-panels="2"', "", 1).replace(' data-panels="1"', "", 1) == f"<p>{two}{one}</p>"
    assert first.astext().index('data-panels="2"') < first.astext().index('data-panels="1"')
    assert second.astext() == "<b>"
