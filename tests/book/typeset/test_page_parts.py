"""Figures with a slider as plain HTML, and what links show before they are followed."""

from types import SimpleNamespace
from typing import Any

import ipywidgets as widgets
import pytest
from bs4 import BeautifulSoup
from matplotlib.figure import Figure
from sphinx.errors import ExtensionError

from bookbuild.typeset import frames, previews
from mtlbook_lib.notebook import frames as notebook_frames


def drawn(value: float) -> Figure:
    figure = Figure(figsize=(2, 1))
    figure.add_subplot().plot([0, value])
    return figure


def states(widget: widgets.Widget) -> dict[str, Any]:
    """What a notebook stores of its widgets."""
    everything = widgets.Widget.get_manager_state(drop_defaults=False, widgets=None)["state"]
    assert widget.model_id in everything
    return everything


@pytest.fixture
def slider() -> notebook_frames.Frames:
    return notebook_frames.build(drawn, [1.0, 2.0, 3.0], "strength <s>", lambda value: f"up to {value}", start=1)


def test_a_slider_becomes_html(slider: notebook_frames.Frames) -> None:
    found = frames.read(states(slider), slider.model_id)
    assert (found.control, found.names, found.start) == ("slider", ["1", "2", "3"], 1)
    page = BeautifulSoup(frames.html(found, "frames-0"), "html.parser")
    control = page.select_one("input[type=range]")
    assert page.select_one(f"label[for={control['id']}]").get_text() == "strength <s>"
    assert [control[name] for name in ("min", "max", "value", "aria-valuetext")] == ["0", "2", "1", "2"]
    assert [frame.has_attr("hidden") for frame in page.select(".mtl-frame")] == [True, False, True]
    assert control["data-names"] == '["1", "2", "3"]'
    assert "up to 2.0" in page.select(".mtl-frame")[1].select_one("svg")["aria-label"]


def test_names_of_frames_are_written_as_they_are() -> None:
    named = frames.Frames("slider", "ε", ["ε = 1", "ε = 2"], ["", ""], 0)
    assert "&quot;ε = 1&quot;" in frames.html(named, "frames-0")


def test_a_list_becomes_html(slider: notebook_frames.Frames) -> None:
    names = widgets.Dropdown(options=["one & two", "three", "four"], index=1, description="digits")
    box = widgets.VBox([names, slider.stack])
    found = frames.read(states(box), box.model_id)
    page = BeautifulSoup(frames.html(found, "frames-0"), "html.parser")
    assert [option.get_text() for option in page.select("select option")] == ["one & two", "three", "four"]
    assert [option.has_attr("selected") for option in page.select("option")] == [False, True, False]


def test_another_widget_is_an_error(slider: notebook_frames.Frames) -> None:
    box = widgets.VBox([widgets.Text(), slider.stack])
    with pytest.raises(ExtensionError, match="got TextModel above StackModel"):
        frames.read(states(box), box.model_id)


BODY = """
<h2 id="top">Title</h2><div class="math notranslate" id="equation-a"><div>x</div><span>(1)</span></div>
<div class="proof theorem admonition" id="thm"><div>deep <div>deeper</div></div></div>
<div class="cell" id="cell">c</div>
<figure class="align-default" id="fig"><div class="mtl-frame">one</div>
<div class="mtl-frame" hidden><div>two</div></div>
<figcaption>caption</figcaption></figure>
<dl><dt id="term-mode">mode</dt><dd><p>a triple</p></dd></dl>
<dt class="sig" id="mtlbook_lib.f">f</dt>
"""


def test_targets_are_whole_elements() -> None:
    found = dict(previews.targets(BODY))
    assert list(found) == ["equation-a", "thm", "fig", "term-mode"]
    assert found["thm"].endswith("deep <div>deeper</div></div></div>")
    assert found["term-mode"] == '<dt id="term-mode">mode</dt><dd><p>a triple</p></dd>'


def test_an_element_that_is_not_closed_is_an_error() -> None:
    with pytest.raises(ValueError, match="must close the <div>"):
        previews.element("<div><div></div>", 0, "div")


def test_a_figure_is_a_script_of_its_own(tmp_path: Any) -> None:
    previews.write(SimpleNamespace(outdir=tmp_path), "part/page", "", {"body": BODY}, SimpleNamespace())
    page, figure = (tmp_path / previews.FOLDER / name for name in ("part--page.js", "part--page--fig.js"))
    assert page.read_text().startswith('window.mtlPreviews("part/page", {"equation-a": "<div')
    assert '"fig": null' in page.read_text()
    assert "one" in figure.read_text()
    assert "two" not in figure.read_text()


def test_a_page_without_text_has_no_script(tmp_path: Any) -> None:
    previews.write(SimpleNamespace(outdir=tmp_path), "search", "", {}, None)
    assert list(tmp_path.iterdir()) == []
