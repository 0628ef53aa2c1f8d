"""A slider over frames: the widget state alone must be enough for a page without a kernel."""

import re
from typing import Any

import pytest
from ipywidgets.embed import dependency_state
from matplotlib.figure import Figure

from mtlbook_lib.chapters import style
from mtlbook_lib.notebook import frames
from mtlbook_lib.notebook._mime import FIGURE


def draw(value: float) -> Figure:
    figure, ax = style.panel(width=2, height=1.5, xlim=(0, 1), ylim=(0, 3))
    ax.set(xlabel="time", ylabel="loss")
    style.threshold(ax, y=value)
    return figure


def build(values: Any = (0.5, 1.0, 2.0), **options: Any) -> frames.Frames:
    return frames.build(draw, values, "aspect ratio A", lambda value: f"line at {value}", **options)


def states(widget: frames.Frames, model: str) -> list[tuple[str, dict[str, Any]]]:
    """Identities and states of the widgets of one kind, as a page stores them."""
    state = dependency_state([widget])
    return [(name, entry["state"]) for name, entry in state.items() if entry["model_name"] == model]


def test_state_holds_every_frame_with_its_text() -> None:
    widget = build()
    pages = {f"IPY_MODEL_{name}": state["value"] for name, state in states(widget, "HTMLModel")}
    ((_, stack),) = states(widget, "StackModel")
    texts = [re.findall('aria-label="([^"]+)"', pages[name]) for name in stack["children"]]
    assert texts == [["line at 0.5"], ["line at 1.0"], ["line at 2.0"]]


def test_link_joins_the_slider_to_the_stack() -> None:
    widget = build()
    ((slider, _),) = states(widget, "SelectionSliderModel")
    ((stack, _),) = states(widget, "StackModel")
    ((_, link),) = states(widget, "LinkModel")
    assert link["source"] == [f"IPY_MODEL_{slider}", "index"]
    assert link["target"] == [f"IPY_MODEL_{stack}", "selected_index"]


def test_slider_shows_the_values_and_its_whole_label() -> None:
    widget = build(fmt="{:.2f}", start=1)
    ((_, slider),) = states(widget, "SelectionSliderModel")
    assert slider["_options_labels"] == ("0.50", "1.00", "2.00")
    assert (slider["index"], slider["description"]) == (1, "aspect ratio A")
    assert widget.stack.selected_index == 1
    assert widget.control.style.description_width == "initial"


def test_small_and_large_numbers_are_written_as_powers_of_ten() -> None:
    ((_, slider),) = states(build((1e-5, 2.5e-5, 0.001, 3e6)), "SelectionSliderModel")
    assert slider["_options_labels"] == ("10⁻⁵", "2.5·10⁻⁵", "0.001", "3·10⁶")


def test_names_are_chosen_from_a_list_that_is_joined_to_the_stack(capsys: pytest.CaptureFixture[str]) -> None:
    frames.choice(lambda name: draw(len(name)), ["one", "three"], "task A", lambda name: f"task {name}", start=1)
    assert capsys.readouterr().out == "task A: 2 frames, one to three\n"
    widget = frames.build(lambda name: draw(1.0), ["one", "three"], "task A", str, "{}", 1, frames.widgets.Dropdown)
    ((name, control),) = states(widget, "DropdownModel")
    ((_, link),) = states(widget, "LinkModel")
    assert (control["_options_labels"], control["index"]) == (("one", "three"), 1)
    assert link["source"] == [f"IPY_MODEL_{name}", "index"]


def test_frames_share_no_ids_even_when_they_are_equal() -> None:
    widget = frames.build(lambda value: draw(1.0), [1, 2, 3], "n", lambda value: "the same")
    ids = [name for child in widget.stack.children for name in re.findall(r'\bid="([^"]+)"', child.value)]
    assert len(ids) == len(set(ids)) > 0


def test_a_frame_may_have_several_panels() -> None:
    widget = frames.build(lambda value: [draw(value), draw(value)], [1, 2], "n", lambda value: f"two at {value}")
    assert [child.value.count("<svg") for child in widget.stack.children] == [2, 2]


def test_another_machine_has_to_draw_the_ends_and_what_is_shown_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside a build nothing is compared, so nothing is sent."""
    assert FIGURE not in build()._repr_mimebundle_()
    monkeypatch.setattr(frames.pictures, "on_page", lambda: True)
    panels = build((0.5, 1.0, 2.0, 2.5), start=1)._repr_mimebundle_()[FIGURE]
    assert [panel["alt"] for panel in panels] == ["line at 0.5", "line at 1.0", "line at 2.5"]
    heights = [panel["places"][0][1] for panel in panels]
    assert heights == pytest.approx([1 / 6, 1 / 3, 5 / 6], abs=1e-3)


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([1.0], {}, "values must be at least 2; got 1"),
        ([1.0, 1.001], {"fmt": "{:.1f}"}, "values must differ as they are written"),
        ([1.0, 2.0], {"start": 2}, "start must be the index of a frame, 0 to 1; got 2"),
        ([1.0, 2.0], {"start": -1}, "start must be the index of a frame"),
    ],
)
def test_settings_that_make_no_slider(values: list[float], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build(values, **options)


@pytest.mark.parametrize(
    ("profile", "start", "shown", "index"),
    [("quick", 0, [1, 5], 0), ("quick", 2, [1, 3, 5], 1), ("quick", 4, [1, 5], 1), ("paper", 2, [1, 2, 3, 4, 5], 2)],
)
def test_the_quick_profile_draws_the_ends_and_what_is_shown_first(
    profile: str, start: int, shown: list[int], index: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MTLBOOK_PROFILE", profile)
    found: list[frames.Frames] = []
    monkeypatch.setattr(frames, "show", found.append)
    frames.slider(draw, range(1, 6), "place", str, start=start)
    assert found[0].control._options_labels == tuple(str(value) for value in shown)
    assert found[0].stack.selected_index == index


def test_a_wrong_start_is_an_error_in_the_quick_profile_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTLBOOK_PROFILE", "quick")
    for start in (-1, 3):
        with pytest.raises(ValueError, match="start must be the index of a frame, 0 to 2"):
            frames.slider(draw, (1, 2, 3), "place", str, start=start)


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> list[frames.Frames]:
    """What is shown where a reader runs a cell."""
    found: list[frames.Frames] = []
    monkeypatch.setattr(frames, "show", found.append)
    monkeypatch.setattr(frames, "in_kernel", lambda: True)
    monkeypatch.delenv("MTLBOOK_BUILD", raising=False)
    return found


def asked(widget: frames.Frames, text: str) -> tuple[str, str, str]:
    """What a reader's number chooses: the slider's name for it, its picture's text, and what is said."""
    field, said = widget.children[2].children
    field.value = text
    index = widget.control.index
    return (
        widget.control._options_labels[index],
        *re.findall('aria-label="([^"]+)"', widget.stack.children[index].value),
        said.value,
    )


def test_a_reader_may_ask_for_another_number(live: list[frames.Frames]) -> None:
    frames.slider(draw, [2.0, 1.0, 0.5], "A", lambda value: f"line at {value}")
    (widget,) = live
    assert asked(widget, "1.5") == ("1.5", "line at 1.5", "")
    assert asked(widget, "0,25") == ("0.25", "line at 0.25", "")
    assert widget.control._options_labels == ("2", "1.5", "1", "0.5", "0.25")
    assert asked(widget, "2") == ("2", "line at 2.0", "")
    assert asked(widget, "two")[::2] == ("2", "A number, please, such as 0.25.")
    assert len(widget.stack.children) == 5


def test_where_results_are_kept_the_nearest_picture_is_shown(live: list[frames.Frames]) -> None:
    kept = {10: 0.5, 100: 1.0}
    frames.slider(lambda n: draw(kept[n]), kept, "n", lambda n: f"{n} examples")
    frames.slider(lambda n: draw(1 if n < 50 else float("nan")), [10, 20], "n", lambda n: f"{n} examples")
    assert asked(live[0], "30") == ("10", "10 examples", "10 is the nearest drawn.")
    assert asked(live[0], "1e2") == ("100", "100 examples", "")
    assert asked(live[1], "5") == ("5", "5 examples", "")
    assert asked(live[1], "15") == ("15", "15 examples", "")
    assert live[1].control._options_labels == ("5", "10", "15", "20")
    assert asked(live[1], "60") == (
        "20",
        "20 examples",
        "20 is the nearest drawn.",
    )  # a panel in which nothing is drawn


def test_a_build_has_no_field_and_names_have_none(live: list[frames.Frames], monkeypatch: pytest.MonkeyPatch) -> None:
    frames.slider(lambda name: draw(1.0), ["a", "b"], "n", str, "{}")
    monkeypatch.setenv("MTLBOOK_BUILD", "1")
    frames.slider(draw, [1.0, 2.0], "A", str)
    assert [len(widget.children) for widget in live] == [2, 2]
