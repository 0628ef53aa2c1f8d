"""What is done to finished pages: style sheets lose what no page uses, pictures say how many panels they have."""

from pathlib import Path
from types import SimpleNamespace

from docutils import nodes

from bookbuild.typeset import figures, styles

STYLE = (
    'a{color:red}.fa-bars:before,.fa-navicon:before{content:"\\f0c9"}.fa-yen:before{content:"\\f157"}'
    "@media print{.card .row,b{margin:0}}.bs-tip-auto{top:0}p:not(.a,.b){left:0}"
)


def test_only_selectors_that_a_page_can_meet_are_kept() -> None:
    thin = styles.thinned(STYLE, {"fa-bars", "card", "row"})
    assert thin == STYLE.replace(",.fa-navicon:before", "").replace('.fa-yen:before{content:"\\f157"}', "")
    assert styles.thinned(STYLE, {"row"}) == (
        "a{color:red}@media print{b{margin:0}}.bs-tip-auto{top:0}p:not(.a,.b){left:0}"
    )


def test_classes_of_pages_and_words_of_their_scripts_are_kept(tmp_path: Path) -> None:
    files = {
        "book/one.html": '<i class="card fa-bars">',
        "_static/scripts/some-theme.js": 'icon("fa-yen")',
        f"_static/scripts/{styles.UNUSED}": 'all("fa-navicon")',
        styles.SHEET: STYLE,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf8")
    assert styles.used(tmp_path) == {"card", "fa-bars", "icon", "fa-yen"}
    site = {"outdir": tmp_path, "builder": SimpleNamespace(name="html")}
    styles.thin(SimpleNamespace(**site), OSError())
    assert (tmp_path / styles.SHEET).read_text(encoding="utf8") == STYLE
    styles.thin(SimpleNamespace(**site), None)
    sheet = (tmp_path / styles.SHEET).read_text(encoding="utf8")
    assert "fa-bars" in sheet
    assert "fa-yen" in sheet
    assert "fa-navicon" not in sheet
    assert ".card" not in sheet


def test_no_maps_are_shipped_and_new_tabs_are_closed_off(tmp_path: Path) -> None:
    files = {
        "_static/scripts/a.js": "go();\n//# sourceMappingURL=a.js.map",
        "_static/scripts/a.js.map": "{}",
        "_static/styles/b.css": "a{}\n/*# sourceMappingURL=b.css.map*/",
        "_static/styles/b.css.map": "{}",
        "one.html": '<a href="x" target="_blank">x</a><a target="_blank" class="y" rel="noreferrer">y</a>',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf8")
    site = SimpleNamespace(outdir=tmp_path, builder=SimpleNamespace(name="html"))
    for tidy in (styles.unmap, styles.close_off):
        tidy(site, None)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")}
    assert left == {name for name in files if not name.endswith(".map")}
    assert (tmp_path / "_static/scripts/a.js").read_text() == "go();"
    assert (tmp_path / "_static/styles/b.css").read_text() == "a{}"
    page = (tmp_path / "one.html").read_text()
    assert page.startswith('<a href="x" target="_blank" rel="noopener">')
    assert page.endswith('<a target="_blank" class="y" rel="noreferrer">y</a>')


def test_pictures_say_how_many_panels_they_have() -> None:
    panel = '<div class="mtl-panel" style="max-width:9px"><svg></svg></div>'
    one, two = (f'<div class="mtl-figure" style="">{panel * n}</div>' for n in (1, 2))
    doctree = nodes.section("", nodes.raw("", f"<p>{two}{one}</p>", format="html"), nodes.raw("", "<b>", format="html"))
    figures.count_panels(SimpleNamespace(), doctree)
    first, second = doctree.children
    assert first.astext().replace(' data-panels="2"', "", 1).replace(' data-panels="1"', "", 1) == f"<p>{two}{one}</p>"
    assert first.astext().index('data-panels="2"') < first.astext().index('data-panels="1"')
    assert second.astext() == "<b>"
