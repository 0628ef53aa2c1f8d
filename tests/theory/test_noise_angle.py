"""The law of noise in its angle: how well Newton's method starts and ends, and what the quadrature resolves."""

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad

from mtlbook_lib.theory import _noise_angle as law
from mtlbook_lib.theory import marchenko_pastur

ASPECTS = [1e-8, 0.03, 0.4, 0.999, 1.0, 1.3, 50.0, 1e9]
SMALL = 10.0 ** np.array([-30, -20, -12, -9, -7])


def exact_mass(angle, aspect, from_below=False):
    """The integral of 2 sin^2/(1 + A + 2 sqrt(A) cos)/pi from the upper edge, or to the lower one, with 30 digits."""
    with mpmath.workdps(30):
        a, angle = mpmath.mpf(aspect), mpmath.mpf(float(angle))
        ends = (angle, mpmath.pi) if from_below else (0, angle)
        root = mpmath.sqrt(a)
        value = mpmath.quad(lambda x: mpmath.sin(x) ** 2 / ((1 - root) ** 2 + 4 * root * mpmath.cos(x / 2) ** 2), ends)
        return float(2 / mpmath.pi * value)


@pytest.mark.parametrize("aspect", ASPECTS)
def test_the_start_is_exact_at_both_edges(aspect):
    a, near = np.array(aspect), np.array([1e-4, 1e-3])
    masses = np.array([exact_mass(x, aspect) for x in near])
    np.testing.assert_allclose(law._first_angle(masses, a), near, rtol=1e-6)
    rest = np.array([exact_mass(np.pi - x, aspect, from_below=True) for x in near])
    rounding = 3e-16 * float(law.total_mass(a)) / rest.min()
    if 0.9 < aspect < 1.1 and aspect != 1:
        near, rest, rounding = near[:1] / 1e3, rest[:1] / 1e9, 1.0  # the edge's own region is as narrow as 1 - A
    if rounding < 1e-3:
        found = np.pi - law._first_angle(law.total_mass(a) - rest, a)
        np.testing.assert_allclose(found, near, rtol=1e-3)


@pytest.mark.parametrize("aspect", ASPECTS)
def test_the_angle_leaves_its_mass_to_rounding(aspect):
    a = np.array(aspect)
    total = float(law.total_mass(a))
    masses = total * np.array([1e-9, 1e-4, 0.03, 0.2, 0.42, 0.499999, 0.500001, 0.6, 0.85, 0.99, 1 - 1e-5])
    angles = law.solve_angle(masses, a)
    allowed = 4e-16 * total * (1 + angles / np.sqrt(min(aspect, 1 / aspect)))
    for angle, mass, limit in zip(angles, masses, allowed, strict=True):
        assert abs(exact_mass(angle, aspect) - mass) <= limit


@pytest.mark.parametrize("aspect", ASPECTS)
def test_masses_below_rounding_keep_the_law_of_the_edge(aspect):
    """The mass to the right of a small angle is 2 angle^3/(3 pi (1 + sqrt(A))^2)."""
    masses = SMALL * min(1, 1 / aspect)
    angles = law.solve_angle(np.concatenate([[0], masses]), np.array(aspect))
    assert angles[0] == 0
    np.testing.assert_allclose(angles[1:], np.cbrt(1.5 * np.pi * masses) * (1 + np.sqrt(aspect)) ** (2 / 3), rtol=2e-5)


def test_the_edges_are_in_order_at_any_aspect():
    aspects = 10 ** np.random.default_rng(0).uniform(-150, 150, 20_000)
    lower, upper = law.edges(aspects)
    assert np.all((lower >= 0) & (lower <= upper))


@pytest.mark.parametrize(("aspect", "accuracy"), [(0.1, 1e-6), (0.5, 1e-8), (0.9, 2e-10), (1.0, 1e-10), (1.001, 1e-10)])
@pytest.mark.parametrize("share", [0.003, 0.1, 0.3, 0.5, 0.6, 0.8, 0.99])
def test_what_turns_within_a_hundredth_of_the_support_is_resolved(aspect, accuracy, share):
    lower, upper = marchenko_pastur.support(aspect)
    width = upper - lower

    def steep(s):
        return np.tanh((s - lower - share * width) / (0.01 * width))

    def in_angle(angle):  # s = lower + width sin^2(angle) takes the root off both edges
        s = lower + width * np.sin(angle) ** 2
        return steep(s) * marchenko_pastur.density(s, aspect) * width * np.sin(2 * angle)

    turn = np.arcsin(np.sqrt(share))
    parts = [quad(in_angle, *ends, epsabs=1e-12, epsrel=1e-11, limit=400)[0] for ends in ((0, turn), (turn, np.pi / 2))]
    assert marchenko_pastur.expectation(steep, aspect) == pytest.approx(sum(parts), abs=accuracy)
