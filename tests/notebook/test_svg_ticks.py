"""Ticks are set and measured once while a figure is drawn, and anew where what they depend on has changed."""

import pytest
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from mtlbook_lib.notebook import svg


@pytest.fixture
def measured(monkeypatch):
    """How many ticks matplotlib measured, each time that it did."""
    sizes, measure = [], Axis._get_ticklabel_bboxes

    def counted(axis, ticks, renderer=None):
        sizes.append(len(ticks))
        return measure(axis, ticks, renderer)

    monkeypatch.setattr(Axis, "_get_ticklabel_bboxes", counted)
    return sizes


@pytest.fixture
def axis():
    figure = Figure()
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1])
    return axes.xaxis


def boxes(axis, ticks):
    found, _ = axis._get_ticklabel_bboxes(ticks, axis.figure.canvas.get_renderer())
    return [box.bounds for box in found]


def test_the_same_ticks_are_measured_once(axis, measured):
    with svg._ticks_kept(axis.figure):
        ticks = axis._update_ticks()
        assert boxes(axis, ticks) == boxes(axis, axis._update_ticks())
    assert measured == [len(ticks)]


def test_other_ticks_and_another_range_are_measured_anew(axis, measured):
    with svg._ticks_kept(axis.figure):
        ticks = axis._update_ticks()
        whole = boxes(axis, ticks)
        assert boxes(axis, ticks[1:3]) == whole[1:3]
        axis.axes.set_xlim(0, 2)
        changed = boxes(axis, axis._update_ticks())
    assert changed != whole
    assert measured[:2] == [len(ticks), 2]
    assert len(measured) == 3


def test_ticks_of_an_earlier_range_are_not_taken_for_those_of_now(axis, measured):
    with svg._ticks_kept(axis.figure):
        ticks = axis._update_ticks()
        boxes(axis, ticks)
        axis.axes.set_xlim(0, 2)
        boxes(axis, ticks)  # before they are set anew
    assert len(measured) == 2
