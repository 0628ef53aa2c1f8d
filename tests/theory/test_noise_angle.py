"""The law of noise in its angle: how exactly Newton's method ends."""

import mpmath
import numpy as np
import pytest

from mtlbook_lib.theory import _noise_angle as law

ASPECTS = [1e-8, 0.03, 0.4, 0.999, 1.0, 1.3, 50.0, 1e9]


def exact_mass(angle, aspect, from_below=False):
    """The integral of 2 sin^2/(1 + A + 2 sqrt(A) cos)/pi from the upper edge, or to the lower one, with 30 digits."""
    with mpmath.workdps(30):
        a, angle = mpmath.mpf(aspect), mpmath.mpf(float(angle))
        ends = (angle, mpmath.pi) if from_below else (0, angle)
        root = mpmath.sqrt(a)
        value = mpmath.quad(lambda x: mpmath.sin(x) ** 2 / ((1 - root) ** 2 + 4 * root * mpmath.cos(x / 2) ** 2), ends)
        return float(2 / mpmath.pi * value)


@pytest.mark.parametrize("aspect", ASPECTS)
def test_the_angle_leaves_its_mass_to_rounding(aspect):
    a = np.array(aspect)
    total = float(law.total_mass(a))
    masses = total * np.array([1e-9, 1e-4, 0.03, 0.2, 0.42, 0.499999, 0.500001, 0.6, 0.85, 0.99, 1 - 1e-5])
    angles = law.solve_angle(masses, a)
    allowed = 4e-16 * total * (1 + angles / np.sqrt(min(aspect, 1 / aspect)))
    for angle, mass, limit in zip(angles, masses, allowed, strict=True):
        assert abs(exact_mass(angle, aspect) - mass) <= limit
