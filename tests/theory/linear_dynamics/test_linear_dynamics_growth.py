"""Growth of modes without checks, against the printed law with more digits."""

import mpmath
import numpy as np
import pytest

from mtlbook_lib.theory import _modes


def printed_strength(t, target, start):
    """1/s = (1 - e^(-2 target t))/target + e^(-2 target t)/start, with 40 digits."""
    with mpmath.workdps(40):
        t, target, start = mpmath.mpf(float(t)), mpmath.mpf(float(target)), mpmath.mpf(float(start))
        if target == 0:
            return float(1 / (1 / start + 2 * t))
        rest = mpmath.exp(-2 * target * t)
        return float(1 / ((1 - rest) / target + rest / start))


def all_of(target, start, times):
    return np.array(
        [[printed_strength(t, goal, begin) for goal, begin in zip(target, start, strict=True)] for t in times]
    )


TIMES = np.array([0.0, 0.3, 2.7, 60.0])


@pytest.mark.parametrize(
    ("target", "start"),
    [
        ([1.7, 0.4, 0.031], [0.02, 0.3, 0.031]),  # all grow, or stay
        ([1.7, 9.0, 1.2], [0.02, 4.0, 0.9]),  # all grow
        ([1e-12, 0.4, 1e-5], [0.9, 7.0, 0.01]),  # all decay
        ([1.7, 0.4, 0.031, 0.0, 1e-12, 0.7], [0.02, 1.3, 0.2, 0.4, 0.9, 0.7]),  # some decay, one has no target
    ],
)
def test_two_layers_follow_the_printed_law(target, start):
    found = _modes.unchecked_strength(TIMES[:, None], np.array(target), np.array(start))
    np.testing.assert_allclose(found, all_of(target, start, TIMES), rtol=3e-15)
    single = _modes.unchecked_strength(TIMES, np.array(target[1]), start[1])
    np.testing.assert_allclose(single, all_of(target[1:2], start[1:2], TIMES)[:, 0], rtol=3e-15)
