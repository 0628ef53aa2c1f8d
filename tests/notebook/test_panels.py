"""What every panel has: the rule that a build and a test of a chapter ask of each of its figures."""

import numpy as np
import pytest

from bookbuild.compare import Shown, differences
from mtlbook_lib.chapters import style
from mtlbook_lib.notebook import _show, pictures
from mtlbook_lib.notebook._panels import drawn, lacking


def panel(x=(1, 2), xlabel="time", ylabel="error"):
    figure, ax = style.panel(xlabel, ylabel, "b")
    ax.plot(x, np.arange(len(x)))
    return figure


def test_data_and_labels_are_enough():
    assert lacking(panel()) == []


@pytest.mark.parametrize("x", [(), (np.nan, np.nan)])
def test_a_panel_without_a_finite_point_is_empty(x):
    assert lacking(panel(x)) == ["nothing is drawn in it"]
    assert lacking(panel()) == []


def test_an_axis_with_numbers_needs_a_label():
    assert lacking(panel(xlabel="")) == ["its x axis has no label"]
    assert lacking(panel(xlabel="", ylabel="")) == ["its x axis has no label", "its y axis has no label"]
    logarithmic = panel(ylabel="")
    logarithmic.axes[0].set_yscale("log")
    assert lacking(logarithmic) == ["its y axis has no label"]


def test_names_at_the_ticks_and_schemes_need_none():
    named, scheme, bare = (panel(xlabel="", ylabel="error") for _ in range(3))
    named.axes[0].set_xticks([1, 2], ["linear", "wide"])
    scheme.axes[0].set_axis_off()
    bare.axes[0].set_xticks([])
    assert [lacking(figure) for figure in (named, scheme, bare)] == [[], [], []]


def test_a_scale_of_colours_needs_a_label():
    figure, ax = style.panel("inputs", "outputs")
    bar = figure.colorbar(ax.pcolormesh(np.eye(3)), ax=ax)
    assert lacking(figure) == ["its y axis has no label"]
    bar.set_label("similarity")
    assert lacking(figure) == []


def test_a_page_refuses_what_is_incomplete(monkeypatch):
    assert "svg" in pictures.picture(panel(xlabel=""), "a line").html
    monkeypatch.setattr(pictures, "on_page", lambda: True)
    assert "svg" in pictures.picture(panel(), "a line").html
    with pytest.raises(ValueError, match="figures must be complete; in panel 'b' its x axis has no label"):
        pictures.picture(panel(xlabel=""), "a line")
    assert not _show.on_page()


CURVES = np.array([[0.0, 1.0, 2.0, 3.0], [3.0, 3.5, 3.6, 4.0]])


def everything(curves=CURVES, bars=(1.0, 2.0), band=0.2, picture=0.3, log=False):
    """Lines, a band, points with bars, a histogram and a map, as chapters draw them."""
    one, ax = style.panel("time", "error", "a")
    for values in curves:
        ax.plot([1, 2, 3, 4], values + 1)
    ax.fill_between([1, 2, 3, 4], CURVES[1], CURVES[1] + band)
    ax.errorbar([1, 2], [2, 3], yerr=[0.1, 0.2], fmt="o")
    ax.axhline(2.5)
    ax.set_yscale("log" if log else "linear")
    two, ax = style.panel("value", "count", "b")
    ax.bar([0, 1], bars)
    three, ax = style.panel("x", "y", "c")
    ax.imshow(np.full((4, 5), picture), vmin=0, vmax=1)
    return [panel for figure in (one, two, three) for panel in drawn(figure)]


def told(now, then):
    return "\n".join(differences([Shown("alt", None, now)], [Shown("alt", None, then)])[:-1])


def test_the_same_figure_has_no_differences_and_noise_has_none_either():
    assert told(everything(), everything()) == ""
    assert told(everything(CURVES * 1.01), everything()) == ""


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"curves": CURVES[::-1]}, "panel 1: what is drawn as number 1 lies at"),
        ({"curves": CURVES[:1]}, "panel 1: 5 things are drawn, the reference has 6"),
        ({"curves": 2 * CURVES}, "panel 1: the y axis is from"),
        ({"band": 1.0}, "panel 1: "),
        ({"log": True}, "panel 1: "),
        ({"bars": (2.0, 1.0)}, "panel 2: what is drawn as number 1 lies at"),
        ({"picture": 0.6}, "panel 3: what is drawn as number 1 lies at"),
    ],
)
def test_another_figure_is_named_by_panel_and_place(changed, said):
    found = told(everything(**changed), everything())
    assert said in found


def test_a_panel_that_is_missing_is_said():
    assert "2 panels are drawn, the reference has 3" in told(everything()[:2], everything())


def test_a_picture_stands_for_its_mean_colour():
    figure, ax = style.panel("x", "y")
    ax.imshow(np.array([[[0.0, 0.25, 1.0], [0.5, 0.25, 1.0]]]))
    assert drawn(figure)[0]["places"] == [[0.25, 0.25, 1.0, 1.0]]
