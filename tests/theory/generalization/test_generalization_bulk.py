"""Sums over the learned bulk against integrals of the printed densities, on both sides of the threshold."""

import numpy as np
import pytest
from scipy.integrate import quad

from mtlbook_lib.theory import _bulk, spiked

ASPECTS = [0.3, 1.0, 2.2]
CUTS = [np.pi, 2.1, 0.7]
TIMES = np.array([0.7, 2.3])


def steep(s, p):
    """Neither 0 nor flat anywhere, and different for each time."""
    return np.exp(-p * s) + 0.3 * s**3


def at(phi, aspect):
    return np.sqrt(1 + aspect + 2 * np.sqrt(aspect) * np.cos(phi))


def bulk(aspect, cut, fronts=0.0):
    return _bulk.LearnedBulk(aspect, cut, TIMES, np.full(TIMES.size, fronts))


def by_quad(func, cut, points=()):
    inner = [point for point in points if 0 < point < cut]
    return quad(func, 0, cut, points=inner or None, epsabs=1e-13, epsrel=1e-12, limit=400)[0]


@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("ratios", [[], [0.4], [2.7], [0.9, 1.2, 3.0]])
def test_the_shift_is_that_of_the_resolvent(aspect, cut, ratios):
    """Every teacher mode has the density (r cos - r^2)/(1 + r^2 - 2 r cos)/pi, noise 1/4 at the edge less 1/2 spread.

    Both act on what the function has above its value at the last learned mode, which is 0 beyond it.
    """
    shifts = bulk(aspect, cut).shift(steep, np.array(ratios))
    for shift, p in zip(shifts, TIMES, strict=True):
        last = steep(at(cut, aspect), p)

        def density(phi, p=p, last=last):
            pulled = sum((r * np.cos(phi) - r**2) / (1 + r**2 - 2 * r * np.cos(phi)) for r in ratios)
            return (pulled - 0.5) / np.pi * (steep(at(phi, aspect), p) - last)

        expected = by_quad(density, cut, [0.01, 0.1]) + (steep(at(0, aspect), p) - last) / 4
        assert shift == pytest.approx(expected, rel=1e-10, abs=1e-11)


@pytest.mark.parametrize("cut", CUTS)
def test_at_threshold_a_teacher_mode_still_belongs_to_the_bulk(cut):
    """The limit from below; from above, a whole mode has left the edge."""
    some = bulk(0.3, cut)
    at_threshold = some.shift(steep, np.array([1.0]))
    below, above = (some.shift(steep, np.array([1.0 + step])) for step in (-1e-8, 1e-8))
    edge, last = (steep(at(phi, 0.3), TIMES) for phi in (0.0, cut))
    np.testing.assert_allclose(at_threshold, below, atol=1e-5)
    np.testing.assert_allclose(at_threshold - (edge - last), above, atol=1e-5)


@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("cut", CUTS)
def test_the_alignment_is_that_of_the_overlap_density(aspect, cut):
    teacher = np.array([0.5, 1.9])
    values = bulk(aspect, cut).alignment(steep, _bulk.teacher_ratios(teacher, aspect))
    for value, p in zip(values, TIMES, strict=True):

        def density(phi, p=p):
            s = at(phi, aspect)
            overlap = sum(t * spiked.bulk_cross_density(s, t, aspect) for t in teacher)
            return overlap * steep(s, p) * np.sqrt(aspect) * np.sin(phi) / s

        assert value == pytest.approx(by_quad(density, cut), rel=1e-9)


@pytest.mark.parametrize("ratio", [0.2, 0.83, 1 / 0.83, 5.0])
def test_the_poisson_density_is_its_fourier_series_and_has_its_mass(ratio):
    phi, order = np.linspace(0, np.pi, 11), np.arange(1, 300)
    inner = min(ratio, 1 / ratio)
    series = (1 + 2 * inner**order @ np.cos(np.outer(order, phi))) / np.pi
    np.testing.assert_allclose(_bulk.poisson_density(phi, ratio), series, rtol=1e-12)
    for cut in (0.3, 1.9, np.pi):
        mass = quad(_bulk.poisson_density, 0, cut, args=(ratio,), epsabs=1e-13)[0]
        assert _bulk.poisson_mass(cut, np.array([ratio]))[0] == pytest.approx(mass, abs=1e-12)
