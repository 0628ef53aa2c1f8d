"""Ticks of the house."""

from __future__ import annotations

from mtlbook_lib.figures import house


def test_plain_ticks_write_numbers() -> None:
    _, ax = house.panel(yscale="log", ylim=(0.05, 3))
    house.plain_ticks(ax.yaxis)
    ax.figure.draw_without_rendering()
    shown = {label.get_text() for label in ax.get_yticklabels()}
    assert {"0.1", "0.2", "0.5", "1", "2"} <= shown
