"""A figure inside a page: its own ids, the page's colours, the same text on every run."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.mathtext import MathTextParser

from mtlbook_lib.chapters import style
from mtlbook_lib.notebook.svg import _words, pixel_width, to_svg

SVG = "{http://www.w3.org/2000/svg}"


def example(shift: float = 0.0) -> Figure:
    figure, ax = style.panel(xlabel=r"value $\hat s$", ylabel="density", letter="a")
    x = np.linspace(0, 1, 50)
    style.line(ax, x, x**2 + shift, label="theory")
    style.points(ax, x[::10], x[::10], 0.1 * np.ones(5), label="simulation")
    style.threshold(ax, x=0.5, label="edge")
    ax.legend()
    return figure


def ids(svg: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', svg)


def test_same_figure_same_text() -> None:
    assert to_svg(example(), "words") == to_svg(example(), "words")


def test_words_are_typeset_once_for_all_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = to_svg(example(), "words")
    seen = []
    monkeypatch.setattr(MathTextParser, "parse", lambda self, text, *_, **__: seen.append(text))
    assert to_svg(example(), "words") == svg
    assert not seen


def test_a_formula_in_another_font_is_typeset_anew() -> None:
    def other() -> Figure:
        figure = example()
        figure.axes[0].xaxis.label.set_math_fontfamily("stix")
        return figure

    after_another = [to_svg(draw(), "words") for draw in (example, other)][1]
    _words.cache_clear()
    assert to_svg(other(), "words") == after_another


def test_ids_are_unique_and_references_lead_to_them() -> None:
    svg = to_svg(example(), "words")
    assert len(ids(svg)) == len(set(ids(svg))) > 5
    referred = set(re.findall(r'(?:href="|url\()#([^")]+)', svg))
    assert referred == set(ids(svg))


def test_figures_share_no_ids() -> None:
    variants = [to_svg(example(), "a"), to_svg(example(0.1), "a"), to_svg(example(), "b"), to_svg(example(), "a", "2")]
    together = [name for svg in variants for name in ids(svg)]
    assert len(together) == len(set(together))


def test_black_is_the_text_colour_of_the_page() -> None:
    svg = to_svg(example(), "words")
    assert "#000" not in svg
    assert svg.count("stroke:currentColor") > 5
    assert "fill:currentColor" in ElementTree.fromstring(svg).attrib["style"]


def test_only_coloured_words_are_mixed_with_the_text_colour() -> None:
    figure = example()
    figure.axes[0].text(0.2, 0.5, "word", color="#a3123a")
    figure.axes[0].axvspan(0.6, 0.8, color="#12a33a")
    svg = to_svg(figure, "words")
    assert "fill:color-mix(in srgb,#a3123a 65%,currentColor)" in svg
    assert "fill:#12a33a" in svg
    assert svg.count("color-mix(") == svg.count("fill:color-mix(in srgb,#a3123a")


def test_no_style_rule_reaches_the_page_and_no_metadata() -> None:
    tags = {element.tag for element in ElementTree.fromstring(to_svg(example(), "words")).iter()}
    assert SVG + "style" not in tags
    assert SVG + "metadata" not in tags
    assert not any("rdf" in tag for tag in tags)


def test_positions_are_rounded_but_glyph_scales_are_not() -> None:
    root = ElementTree.fromstring(to_svg(example(), "words"))
    transforms = " ".join(element.get("transform", "") for element in root.iter())
    assert "scale(0.015625)" in transforms
    assert not re.search(r"\d\.\d{3}", re.sub(r"scale\([^)]*\)", "", transforms))
    paths = " ".join(element.get("d", "") for element in root.iter())
    assert not re.search(r"\d\.\d{3}", paths)
    assert not re.search(r"-0(?![.\d])", paths)


def test_rounding_moves_nothing_by_more_than_half_a_hundredth() -> None:
    figure, ax = style.panel(xlim=(0, 1), ylim=(0, 1))
    ax.plot([0, 0.123456, 1], [0, 0.654321, 1], color="#123456")
    root = ElementTree.fromstring(to_svg(figure, "words"))
    drawn = next(element for element in root.iter() if "#123456" in element.get("style", ""))
    numbers = np.array([float(text) for text in re.findall(r"-?[\d.]+", drawn.attrib["d"])]).reshape(3, 2)
    pixels = ax.transData.transform([(0, 0), (0.123456, 0.654321), (1, 1)]) * 72 / figure.dpi
    pixels[:, 1] = figure.get_size_inches()[1] * 72 - pixels[:, 1]
    np.testing.assert_allclose(numbers, pixels, atol=0.0051)


def test_accessible_name() -> None:
    root = ElementTree.fromstring(to_svg(example(), 'A < B & "C"'))
    assert (root.get("role"), root.get("aria-label")) == ("img", 'A < B & "C"')
    assert root[0].tag == SVG + "title"
    assert root[0].text == 'A < B & "C"'


def test_without_a_name_it_is_hidden_from_screen_readers() -> None:
    root = ElementTree.fromstring(to_svg(example()))
    assert root.get("aria-hidden") == "true"
    assert root.find(SVG + "title") is None


def test_size_is_in_pixels_and_shrinks_with_the_page() -> None:
    root = ElementTree.fromstring(to_svg(example(), "words"))
    assert (root.get("width"), root.get("height")) == ("326", "259")
    assert "max-width:100%;height:auto" in root.attrib["style"]
    assert root.get("viewBox") == "0 0 244.8 194.4"
    assert pixel_width(Figure(figsize=(4, 3))) == 384


def test_clipped_lines_keep_their_clip() -> None:
    root = ElementTree.fromstring(to_svg(example(), "words"))
    clips = {element.attrib["id"] for element in root.iter(SVG + "clipPath")}
    used = {match for e in root.iter() for match in re.findall(r"url\(#(.*?)\)", e.get("clip-path", ""))}
    assert used == clips != set()


def test_a_figure_comes_back_as_it_was() -> None:
    figure = example()
    engine, canvas, dpi = figure.get_layout_engine(), figure.canvas, figure.dpi
    before = to_svg(figure, "words")
    assert (figure.get_layout_engine(), figure.canvas, figure.dpi) == (engine, canvas, dpi)
    assert to_svg(figure, "words") == before


def test_background_is_transparent_and_legend_has_no_box() -> None:
    svg = to_svg(example(), "words")
    assert "#fff" not in svg
    assert "#cccccc" not in svg
