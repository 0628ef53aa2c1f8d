"""Pictures say how many panels they have."""

from types import SimpleNamespace

from docutils import nodes

from bookbuild.typeset import figures


def test_pictures_say_how_many_panels_they_have() -> None:
    panel = '<div class="mtl-panel" style="max-width:9px"><svg></svg></div>'
    one, two = (f'<div class="mtl-figure" style="">{panel * n}</div>' for n in (1, 2))
    doctree = nodes.section("", nodes.raw("", f"<p>{two}{one}</p>", format="html"), nodes.raw("", "<b>", format="html"))
    figures.count_panels(SimpleNamespace(), doctree)
    first, second = doctree.children
    assert first.astext().replace(' data-panels="2"', "", 1).replace(' data-panels="1"', "", 1) == f"<p>{two}{one}</p>"
    assert first.astext().index('data-panels="2"') < first.astext().index('data-panels="1"')
    assert second.astext() == "<b>"
