"""The best figure of a chapter in its summary."""

from types import SimpleNamespace

from docutils import nodes

from bookbuild.pages import brief

SVG = '<svg id="f0123456789-1"><use href="#f0123456789-1"/></svg>'
PANELS = f'<div class="mtl-figure" style=""><div class="mtl-panel">{SVG}</div></div>'
FRAMES = (
    '<div class="mtl-frames"><label>time</label><div class="mtl-frame" hidden><div class="mtl-figure">no</div></div>'
    f'<div class="mtl-frame">{PANELS}</div></div>'
)
APP = SimpleNamespace(builder=SimpleNamespace(format="html"))


def figure(identity: str, html: str) -> nodes.figure:
    return nodes.figure("", nodes.raw("", html, format="html"), ids=[identity])


def chapter(links: list[str], near: nodes.Node, far: nodes.Node, title: str = "In brief") -> nodes.section:
    """A chapter whose summary has links, with a figure before the next heading and one behind it."""
    words = nodes.paragraph("", "", *(nodes.reference("", "Fig.", refid=name) for name in links))
    strip = nodes.paragraph("", "Verdicts", classes=["mtl-verdicts"])
    box = nodes.admonition("", nodes.title("", title), words, strip)
    return nodes.section("", box, near, nodes.section("", far))


def copied(tree: nodes.section, app: SimpleNamespace = APP) -> list[str]:
    """What the summary has between its words and its strip of verdicts."""
    brief.show_best(app, tree, "book/part1/one")
    box = tree[0]
    assert "mtl-verdicts" in box[-1]["classes"]
    return [child.astext() for child in box[2:-1]]


def test_the_figure_that_a_summary_names_first_stands_in_it() -> None:
    (text,) = copied(chapter(["elsewhere", "fig-b", "fig-a"], figure("fig-a", "<b>"), figure("fig-b", PANELS)))
    assert text == f'<div class="mtl-brief">{PANELS.replace("f0123456789-1", "brief-f0123456789-1")}</div>'


def test_of_a_slider_it_is_the_frame_that_is_shown_first() -> None:
    (text,) = copied(chapter(["fig-b"], figure("fig-a", "<b>"), figure("fig-b", FRAMES)))
    assert text.startswith('<div class="mtl-brief"><div class="mtl-figure"')
    assert "brief-f0123456789-1" in text
    assert "label" not in text


def test_of_many_panels_the_ends_stand_in_one_row() -> None:
    panels = "".join(f'<div class="mtl-panel"><i>{name}</i></div>' for name in "abcde")
    many = f'<div class="mtl-figure">{panels}</div>'
    (text,) = copied(chapter(["fig-b"], figure("fig-a", "<b>"), figure("fig-b", many)))
    assert [name for name in "abcde" if f"<i>{name}</i>" in text] == ["a", "e"]
    assert text.count("<div") == text.count("</div>")


def test_a_figure_that_follows_the_summary_is_not_shown_twice() -> None:
    assert copied(chapter(["fig-a", "fig-b"], figure("fig-a", PANELS), figure("fig-b", PANELS))) == []


def test_nothing_is_copied_without_a_figure_a_summary_or_a_page() -> None:
    both = figure("fig-a", PANELS), figure("fig-b", PANELS)
    assert copied(chapter(["elsewhere"], *both)) == []
    assert copied(chapter(["fig-b"], figure("fig-a", PANELS), figure("fig-b", "<b>"))) == []
    assert copied(chapter(["fig-b"], *both, title="Note")) == []
    assert copied(chapter(["fig-b"], *both), SimpleNamespace(builder=SimpleNamespace(format="latex"))) == []
