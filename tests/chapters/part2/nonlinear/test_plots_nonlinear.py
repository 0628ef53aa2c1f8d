"""The figures of the chapter on nonlinear networks: panels, lines, texts."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import TIMES, axes, drawable, falling, legend, texts

from mtlbook_lib.chapters.part2.nonlinear import figures as plots


def course() -> plots.Course:
    return TIMES, falling(3, 2), falling(3, 2)


def test_error_panels_stand_in_the_order_of_the_paper() -> None:
    runs = {1: {1.0: course(), 0.2: course()}, 3: {1.0: course(), 0.2: course()}}
    panels, alts = plots.error_panels(runs, {"rank one": 0, "rank three": 1})
    drawable(panels, alts)
    drawn = axes(panels)
    assert "".join(ax.get_title(loc="left") for ax in drawn) == "abcdefgh"
    assert [ax.get_ylabel() for ax in drawn] == ["training error"] * 4 + ["test error"] * 4
    assert drawn[6].get_title() == "rank one, 3 hidden"
    assert legend(drawn[0]) == ["slope 1", "slope 0.2"]
    np.testing.assert_allclose(drawn[3].lines[1].get_ydata(), runs[3][0.2][1][:, 1].mean(axis=0))
    np.testing.assert_allclose(drawn[4].lines[0].get_ydata(), runs[1][1.0][2][:, 0].mean(axis=0))


@pytest.mark.parametrize(("slope", "floor", "shown"), [(1.0, 0.0, False), (0.2, 0.14, True)])
def test_slope_frame_shows_the_floor_where_it_can_be_seen(slope: float, floor: float, shown: bool) -> None:
    courses = {1.0: course(), 0.2: course()}
    draw, alt = plots.slope_frame(courses, {"weak": 0, "strong": 1}, {slope: floor})
    left, right = axes(draw(slope))
    assert ("floor" in texts(right)) == shown
    assert legend(left) == ["weak", "strong"]
    assert f"{courses[slope][2][:, 1].mean(axis=0).min():.2f} (strong)" in alt(slope)
