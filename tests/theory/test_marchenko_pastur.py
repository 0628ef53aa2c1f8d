"""The law of noise agrees with its printed density, integrated by other means, at every aspect and up to its edges."""

import mpmath
import numpy as np
import pytest

from mtlbook_lib.theory import marchenko_pastur as mp_law

ASPECTS = [0.25, 0.5, 1.0, 2.0, 4.0]
NEAR_ONE = [0.999, 1.001, 1 - 1e-6, 1 + 1e-6, 1 - 1e-12, 1 + 1e-12]
EXTREME = [1e-6, 1e-3, 30.0, 1e4]


def printed_density(s, aspect):
    """Equation 13 as it stands, in the arithmetic of its arguments."""
    return mpmath.sqrt(4 * aspect - (s**2 - 1 - aspect) ** 2) / (mpmath.pi * aspect * s)


def reference_integral(func, aspect, start=None, stop=None):
    """Tanh–sinh quadrature in s, with 25 digits and panels that close in on the lower edge."""
    with mpmath.workdps(25):
        aspect = mpmath.mpf(aspect)
        edges = abs(1 - mpmath.sqrt(aspect)), 1 + mpmath.sqrt(aspect)
        start, stop = (edge if end is None else mpmath.mpf(end) for edge, end in zip(edges, (start, stop), strict=True))
        cuts = [edges[0] * 3**k for k in range(1, 40)] if edges[0] else []
        panels = [start, *(cut for cut in cuts if start < cut < stop), stop]
        return float(mpmath.quad(lambda s: mpmath.re(func(s) * printed_density(s, aspect)), panels))


def total(aspect):
    return min(1, 1 / aspect)


@pytest.mark.parametrize("aspect", ASPECTS + NEAR_ONE + EXTREME)
def test_density_is_the_printed_one_inside_and_zero_outside(aspect):
    lower, upper = mp_law.support(aspect)
    np.testing.assert_allclose([lower, upper], [abs(1 - np.sqrt(aspect)), 1 + np.sqrt(aspect)], atol=2e-16, rtol=2e-16)
    inside = lower + (upper - lower) * np.linspace(0.01, 0.99, 23)
    with mpmath.workdps(25):
        printed = [float(printed_density(mpmath.mpf(s), mpmath.mpf(aspect))) for s in inside]
    spacing = upper / (upper - lower)  # of the floating-point numbers, against the width of the support
    np.testing.assert_allclose(mp_law.density(inside, aspect), printed, rtol=1e-13 * spacing)
    outside = np.array([-upper, -inside[3], lower - 1e-6, upper + 1e-6, 2 * upper])
    np.testing.assert_array_equal(mp_law.density(outside, aspect), 0)


@pytest.mark.filterwarnings("error")
def test_at_aspect_one_the_density_starts_at_its_limit_and_nothing_is_nan():
    assert mp_law.density(0, 1) == pytest.approx(2 / np.pi, abs=1e-16)
    s = np.linspace(0, 2, 41)
    np.testing.assert_allclose(mp_law.density(s, 1), np.sqrt(4 - s**2) / np.pi, atol=1e-15)
    assert mp_law.tail_mass(0, 1) == 1
    assert mp_law.tail_quantile(1, 1) == 0
    assert mp_law.tail_quantile(0, 1) == 2
    assert mp_law.median_eigenvalue(1) > 0


@pytest.mark.parametrize("aspect", ASPECTS + NEAR_ONE + EXTREME)
def test_moments_count_every_row_once(aspect):
    """The even moments are the Narayana polynomials at any aspect: zero modes add nothing to them."""
    a = aspect
    moments = [1, 1 + a, 1 + 3 * a + a**2, 1 + 6 * a + 6 * a**2 + a**3]
    measured = mp_law.expectation(lambda s: s ** np.arange(2, 10, 2)[:, None], a)
    np.testing.assert_allclose(measured, moments, rtol=1e-12)
    assert mp_law.expectation(lambda s: 1.0, a) == pytest.approx(total(a), rel=1e-12)


@pytest.mark.parametrize("aspect", ASPECTS + NEAR_ONE)
def test_expectation_of_odd_steep_and_singular_functions(aspect):
    cases = [
        (lambda s: s, lambda s: s),
        (lambda s: 1 / (s + 0.1), lambda s: 1 / (s + 0.1)),
        (lambda s: 1 / (1 + np.exp(-40 * (s - 1))), lambda s: 1 / (1 + mpmath.exp(-40 * (s - 1)))),
    ]
    for func, reference in cases:
        assert mp_law.expectation(func, aspect) == pytest.approx(reference_integral(reference, aspect), abs=1e-12)


@pytest.mark.parametrize("aspect", [*ASPECTS, 0.999, 1.001])
def test_expectation_over_a_region_is_an_integral_not_a_mean(aspect):
    lower, upper = mp_law.support(aspect)
    cut, end = lower + 0.3 * (upper - lower), lower + 0.8 * (upper - lower)
    part = mp_law.expectation(np.square, aspect, lower=cut, upper=end)
    assert part == pytest.approx(reference_integral(lambda s: s**2, aspect, cut, end), abs=1e-12)
    rest = mp_law.expectation(np.square, aspect, upper=cut) + mp_law.expectation(np.square, aspect, lower=end)
    assert part + rest == pytest.approx(1, abs=1e-12)
    mass = mp_law.expectation(np.ones_like, aspect, lower=cut)
    assert mass == pytest.approx(mp_law.tail_mass(cut, aspect), abs=1e-13)


@pytest.mark.parametrize("aspect", ASPECTS + NEAR_ONE + EXTREME)
def test_quantile_and_mass_are_inverse(aspect):
    lower, upper = mp_law.support(aspect)
    mass = total(aspect) * np.concatenate([[0, 1e-9], np.linspace(0.001, 0.999, 200), [1 - 1e-9, 1]])
    s = mp_law.tail_quantile(mass, aspect)
    # Where the whole support is 4e-3 wide, the spacing of the numbers s itself limits the mass.
    np.testing.assert_allclose(mp_law.tail_mass(s, aspect), mass, atol=1e-13 if aspect < 1e-5 else 1e-14)
    assert (s[0], s[-1]) == (upper, lower)
    s = np.linspace(lower, upper, 201)
    there_and_back = mp_law.tail_quantile(mp_law.tail_mass(s, aspect), aspect)
    np.testing.assert_allclose(there_and_back, s, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["density", "tail_mass", "tail_quantile"])
@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_long_arrays_give_what_short_ones_give(name, shape):
    """Long arrays are cut into blocks; with one aspect, of any shape, and with many."""
    function, values = getattr(mp_law, name), np.linspace(0, 1, 20_001)
    whole = function(values, np.full(shape, 0.5))
    assert whole.shape == np.broadcast_shapes(shape, values.shape)
    pieces = np.concatenate([function(piece, 0.5) for piece in np.array_split(values, 7)])
    np.testing.assert_allclose(whole.ravel(), pieces, rtol=1e-13, atol=1e-15)
    aspects = np.array([[0.1], [0.5], [1.0]])
    grid = function(values[::2], aspects)
    rows = [function(values[::2], float(aspect)) for aspect in aspects.ravel()]
    np.testing.assert_allclose(grid, rows, rtol=1e-13, atol=1e-15)
    turned = function(values[::2, None], aspects.T)
    np.testing.assert_array_equal(turned, grid.T)
    assert function(values[:0], 0.5).shape == (0,)
