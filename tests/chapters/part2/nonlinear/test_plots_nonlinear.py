"""The figures of the chapter on nonlinear networks: panels, lines, texts."""

from __future__ import annotations

import pytest
from drawn import TIMES, axes, falling, legend, texts

from mtlbook_lib.chapters.part2.nonlinear import figures as plots


def course() -> plots.Course:
    return TIMES, falling(3, 2), falling(3, 2)


@pytest.mark.parametrize(("slope", "floor", "shown"), [(1.0, 0.0, False), (0.2, 0.14, True)])
def test_slope_frame_shows_the_floor_where_it_can_be_seen(slope: float, floor: float, shown: bool) -> None:
    courses = {1.0: course(), 0.2: course()}
    draw, alt = plots.slope_frame(courses, {"weak": 0, "strong": 1}, {slope: floor})
    left, right = axes(draw(slope))
    assert ("floor" in texts(right)) == shown
    assert legend(left) == ["weak", "strong"]
    assert f"{courses[slope][2][:, 1].mean(axis=0).min():.2f} (strong)" in alt(slope)
