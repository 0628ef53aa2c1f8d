"""The quadrature against the law of pure noise, for functions that turn within a hundredth of the support."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from mtlbook_lib.theory import marchenko_pastur


@pytest.mark.parametrize("aspect", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.7, 0.99])
def test_a_turn_within_a_hundredth_of_the_support_is_resolved(aspect, share):
    lower, upper = marchenko_pastur.support(aspect)
    width = upper - lower

    def steep(s):
        return np.tanh((s - lower - share * width) / (0.01 * width))

    def in_angle(angle):  # s = lower + width sin^2(angle) takes the root off both edges
        s = lower + width * np.sin(angle) ** 2
        return steep(s) * marchenko_pastur.density(s, aspect) * width * np.sin(2 * angle)

    turn = np.arcsin(np.sqrt(share))
    parts = [quad(in_angle, *ends, epsabs=1e-12, epsrel=1e-11, limit=400)[0] for ends in ((0, turn), (turn, np.pi / 2))]
    assert marchenko_pastur.expectation(steep, aspect) == pytest.approx(sum(parts), abs=1e-6)
