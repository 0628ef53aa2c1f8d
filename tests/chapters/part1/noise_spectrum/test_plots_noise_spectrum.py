"""The figures of Part I, on tiny inputs: the right number of panels, and what they show is what went in."""

import pytest
from drawn import LAW

from mtlbook_lib.chapters.part1.noise_spectrum import figures as plots


@pytest.mark.parametrize(("aspect", "bars"), [(0.5, 0), (2.0, 1)])
def test_law_frame_draws_the_atom_only_beyond_one(aspect, bars):
    draw, alt = plots.law_frame(*LAW)
    assert len(draw(aspect).axes[0].patches) == bars
    assert f"mass {min(1, 1 / aspect):.2f}" in alt(aspect)
