"""The time law of modes of three and more weight matrices, and its pieces, against integrals with more digits."""

from __future__ import annotations

from itertools import pairwise

import mpmath
import numpy as np
import pytest

from mtlbook_lib.theory import _deep_modes


@pytest.mark.parametrize("ratio", [1e-280, 1e-9, 0.2, 0.49, 0.5, 0.51, 0.77, 1 - 1e-9, 1 - 2e-16])
def test_the_logarithm_of_the_complement_cancels_at_neither_end(ratio):
    part, whole = np.array([ratio * 1.5]), np.array([1.5])
    with mpmath.workdps(40):
        exact = float(-mpmath.log(1 - mpmath.mpf(float(part[0])) / mpmath.mpf(1.5)))
    assert _deep_modes.complement_log(part, whole)[0] == pytest.approx(exact, rel=5e-16)


@pytest.mark.parametrize(
    ("s", "target", "start"),
    [(0.5, 1.7, 0.3), (0.3 + 1e-12, 1.7, 0.3), (1.7 - 1e-12, 1.7, 0.3), (2.9, 1.7, 3.1), (1.7 + 1e-9, 1.7, 3.1)],
)
def test_the_gain_of_the_logit_is_its_difference(s, target, start):
    def logit(x):
        x = mpmath.mpf(x)
        return mpmath.log(x / abs(target - x))

    with mpmath.workdps(40):
        exact = float(logit(s) - logit(start))
    assert _deep_modes.logit_gain(*map(np.array, (s, target, start))) == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize("exponent", [0.05, 1 / 3, 0.9, 1.1, 1.5, 1.95])
def test_the_incomplete_beta_function_is_its_integral(exponent):
    """With r = 1 - e^-x the integral from 0 to z of r^(a-1)/(1 - r) is that of (1 - e^-x)^(a-1) over 0 < x < y."""
    y = np.array([1e-9, 0.2, 0.6, np.log(2), 0.75, 0.95, 3.0, 30.0])
    with mpmath.workdps(25):
        a = mpmath.mpf(exponent)
        # x = v^(1/a) takes the power off the lower end.
        ends = [mpmath.mpf(0), *(mpmath.mpf(float(end)) ** a for end in y)]
        pieces = [
            mpmath.quad(lambda v: (-mpmath.expm1(-(v ** (1 / a))) / v ** (1 / a)) ** (a - 1) / a, list(piece))
            for piece in pairwise(ends)
        ]
        exact = [float(mpmath.fsum(pieces[: index + 1])) for index in range(y.size)]
    np.testing.assert_allclose(_deep_modes.incomplete_beta(y, exponent), exact, rtol=4e-15)
