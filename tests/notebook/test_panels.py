"""What every panel has: the rule that a build and a test of a chapter ask of each of its figures."""

import numpy as np
import pytest

from mtlbook_lib.chapters import style
from mtlbook_lib.notebook import _show, pictures
from mtlbook_lib.notebook._panels import lacking


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
