"""Ticks in the shared style."""

from __future__ import annotations

from mtlbook_lib.figures import style


def test_plain_ticks_write_numbers() -> None:
    _, ax = style.panel(yscale="log", ylim=(0.05, 3))
    style.plain_ticks(ax.yaxis)
    ax.figure.draw_without_rendering()
    shown = {label.get_text() for label in ax.get_yticklabels()}
    assert {"0.1", "0.2", "0.5", "1", "2"} <= shown
