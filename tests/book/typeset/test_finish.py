"""What is done to finished pages: no maps, closed tabs, pictures that say how many panels they have."""

from pathlib import Path
from types import SimpleNamespace

from docutils import nodes

from bookbuild.typeset import figures, styles


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
