"""Cones of the sparse interpolator's search: steps against roots of polynomials, the scaling against its definition."""

import numpy as np
import pytest

from mtlbook_lib.theory.interpolation import lorentz

N_CONES = 40


def inside(rng, dimension):
    """Points inside cones, some of them close to the boundary."""
    rest = rng.standard_normal((dimension - 1, N_CONES))
    first = np.linalg.norm(rest, axis=0) * (1 + np.geomspace(1e-3, 3, N_CONES))
    return np.concatenate((first[None], rest))


def way_out(x, direction):
    """The least positive s at which a point of one cone leaves it, inf where it never does."""
    signs = np.array([1.0] + [-1.0] * (len(x) - 1))
    roots = np.roots([(signs * direction) @ direction, 2 * (signs * x) @ direction, (signs * x) @ x])
    roots = roots[np.isreal(roots)].real
    return min(roots[roots > 0], default=np.inf)


@pytest.mark.parametrize("dimension", [2, 3, 5])
def test_longest_step_is_the_first_way_out(dimension):
    rng = np.random.default_rng(3)
    x = inside(rng, dimension)
    for _ in range(5):
        direction = rng.standard_normal(x.shape)
        ways = [way_out(*pair) for pair in zip(x.T, direction.T, strict=True)]
        assert np.isfinite(ways).any()
        assert lorentz.longest_step(x, direction) == pytest.approx(min(ways), rel=1e-6)
        one = int(np.argmax(np.isfinite(ways) & (np.arange(N_CONES) > 20)))
        found = lorentz.longest_step(x[:, [one]], direction[:, [one]])
        assert found == pytest.approx(ways[one], rel=1e-6)


def test_no_step_leaves_along_the_cone():
    rng = np.random.default_rng(4)
    assert lorentz.longest_step(inside(rng, 3), inside(rng, 3)) == np.inf
    assert lorentz.longest_step(inside(rng, 3), np.zeros((3, N_CONES))) == np.inf


@pytest.mark.parametrize("dimension", [2, 4])
def test_product_quotient_and_scaling_follow_their_definitions(dimension):
    rng = np.random.default_rng(5)
    x, s = inside(rng, dimension), inside(rng, dimension)[:, ::-1]
    product = lorentz.product(x, s)
    assert product[0] == pytest.approx(np.einsum("ij,ij->j", x, s))
    assert product[1:] == pytest.approx(x[0] * s[1:] + s[0] * x[1:])
    assert lorentz.quotient(x, product) == pytest.approx(s, rel=1e-8)
    scaling = lorentz.scaling(x, s)
    assert scaling.apply(x) == pytest.approx(scaling.undo(s), rel=1e-8)
    assert scaling.undo(scaling.apply(x)) == pytest.approx(x, rel=1e-8)
    assert lorentz.square(scaling.apply(x)) == pytest.approx(np.sqrt(lorentz.square(x) * lorentz.square(s)), rel=1e-6)
