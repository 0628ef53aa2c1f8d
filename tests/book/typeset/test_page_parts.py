"""Figures with a slider as plain HTML."""

from typing import Any

import ipywidgets as widgets
import pytest
from bs4 import BeautifulSoup
from matplotlib.figure import Figure
from sphinx.errors import ExtensionError

from bookbuild.typeset import frames
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


def test_an_element_is_whole_and_a_figure_has_one_frame() -> None:
    body = '<p><div id="thm"><div>deep <div>deeper</div></div></div></p>'
    assert frames.element(body, 3, "div") == body[3:-4]
    with pytest.raises(ValueError, match="must close the <div>"):
        frames.element("<div><div></div>", 0, "div")
    hidden = '<div class="mtl-frame" hidden><div>two</div></div>'
    assert frames.light(f'<figure><div class="mtl-frame">one</div>{hidden}</figure>').count("mtl-frame") == 1
