"""Large-size risk of sharing: the fixed point written out, its rounding, and its limits."""

import numpy as np
import pytest
from hard_sharing_draws import covariance
from scipy.special import expit

from mtlbook_lib.theory import hard_sharing
from mtlbook_lib.theory.hard_sharing.equivalent import occupancies

RNG = np.random.default_rng(7)
SIZE = 20
COV1, COV2 = covariance(1, SIZE, 30.0), covariance(2, SIZE, 8.0)
THETA1 = RNG.normal(size=SIZE) / np.sqrt(SIZE)
THETA2 = THETA1 + 0.4 * RNG.normal(size=SIZE) / np.sqrt(SIZE)


def fixed_point(cov1, cov2, n, thetas, sigmas, t):
    """The equations of the docstring, iterated with damping."""
    weights, covs, e = np.array([t**-2, 1.0]), (cov1, cov2), np.ones(2)
    n = np.asarray(n, dtype=float)
    for _ in range(5000):
        pulls = n * weights / (1 + weights * e)
        q = np.linalg.inv(pulls[0] * cov1 + pulls[1] * cov2)
        new = np.array([np.trace(cov @ q) for cov in covs])
        if np.max(np.abs(new / e - 1)) < 1e-14:
            break
        e = new
    mean2 = pulls[0] * q @ cov1 @ (t * thetas[0] - thetas[1])
    mean1 = mean2 - (t * thetas[0] - thetas[1])
    plain = np.array([mean1 @ cov1 @ mean1 + (t * sigmas[0]) ** 2, mean2 @ cov2 @ mean2 + sigmas[1] ** 2])
    mixing = [[pulls[h] ** 2 / n[h] * np.trace(covs[g] @ q @ covs[h] @ q) for h in range(2)] for g in range(2)]
    squares = np.linalg.solve(np.eye(2) - np.array(mixing), plain)
    return squares[1] - sigmas[1] ** 2, np.sum(weights * n * squares / (1 + weights * e) ** 2)


@pytest.mark.parametrize("t", [-0.4, 1.0, 3.0])
@pytest.mark.parametrize("n", [(60, 40), (500, 25), (8, 60), (60, 9)])
def test_risk_and_loss_solve_the_fixed_point(n, t):
    computed = hard_sharing.asymptotic_risk(COV1, COV2, *n, THETA1, THETA2, 0.8, 0.5, t)
    assert [type(value) for value in computed] == [float, float]
    assert computed == pytest.approx(fixed_point(COV1, COV2, n, (THETA1, THETA2), (0.8, 0.5), t), rel=1e-9)


def test_singular_covariances_that_complete_each_other():
    half = np.diag(np.repeat([1.0, 0.0], SIZE // 2))
    rest = np.eye(SIZE) - 0.5 * half
    computed = hard_sharing.asymptotic_risk(half, rest, 40, 50, THETA1, THETA2, 0.8, 0.5, 1.2)
    assert computed == pytest.approx(fixed_point(half, rest, (40, 50), (THETA1, THETA2), (0.8, 0.5), 1.2), rel=1e-9)
    with pytest.raises(ValueError, match="n2 must exceed the number of directions that only this task sees, 10"):
        hard_sharing.asymptotic_risk(half, rest, 40, 10, THETA1, THETA2, 0.8, 0.5, 1.2)
    with pytest.raises(ValueError, match="n1 must exceed the number of directions that only this task sees, 10"):
        hard_sharing.asymptotic_risk(rest, half, 10, 40, THETA1, THETA2, 0.8, 0.5, 1.2)


def settings(widest=1):
    """Groups of all sizes and weights: mild ones, and ones where Newton's method alone would run away."""
    rng = np.random.default_rng(0)
    mu = np.sort(rng.uniform(0, 1, 12))
    n = np.exp(widest * rng.uniform(-3, 8, size=(300, 2)))
    n = n[np.sum(n, axis=1) > 12.5]
    return mu, n, rng.normal(size=(len(n), 2)) * rng.choice([1, 30, 150], size=(len(n), 1))


@pytest.mark.parametrize("widest", [1, 5])
def test_occupancies_solve_their_equation_to_rounding(widest):
    """The equation of either group, also beside one that is larger by fifteen orders."""
    mu, n, weights = settings(widest)
    shares, logit = occupancies(mu, n, weights)
    np.testing.assert_allclose(shares[0] + shares[1], 1, rtol=1e-14)
    rest = np.sum(n, axis=1) - 12
    for group, x in ((0, expit(logit)), (1, expit(-logit))):
        counted = np.sum(shares[group], axis=1) + rest * x
        np.testing.assert_allclose(counted, n[:, group], rtol=1e-12)


LARGE = {"cov1": np.eye(3), "cov2": np.eye(3), "n1": 9, "n2": 8, "theta1": [1.0, -0.5, 2.0], "theta2": [0.7, 0.4, 1.5],
         "sigma1": 0.7, "sigma2": 0.4, "ratio": 1.3}  # fmt: skip


def test_endless_ratios_have_their_limits_or_are_refused():
    """A source of few examples beside a target of many at a vanishing ratio, which the risk stops to depend on."""
    few = LARGE | {"n1": 2, "n2": 8}
    near, *far = (hard_sharing.asymptotic_risk(**(few | {"ratio": t})) for t in (1e-9, 1e-200, -1e-300))
    assert far[0] == pytest.approx(near, rel=1e-7)
    flipped = hard_sharing.asymptotic_risk(**(few | {"ratio": -1e-9}))
    assert far[1] == pytest.approx(flipped, rel=1e-7)
    blind = LARGE | {"n1": 8, "n2": 2}  # the target's fit copies the source's noise, times the ratio
    one, ten = (hard_sharing.asymptotic_risk(**(blind | {"ratio": t}))[0] for t in (1e90, 1e91))
    assert ten == pytest.approx(100 * one, rel=1e-9)
    assert hard_sharing.asymptotic_risk(**(blind | {"ratio": 1e100}))[0] == pytest.approx(1e18 * ten, rel=1e-9)
    for refused in (blind | {"ratio": [1.0, -2e100]}, LARGE | {"n2": 3, "ratio": 2e100}):
        with pytest.raises(ValueError, match="ratio must be at most 1e\\+100 in size"):
            hard_sharing.asymptotic_risk(**refused)
    hard_sharing.asymptotic_risk(**(LARGE | {"ratio": 1e200}))
