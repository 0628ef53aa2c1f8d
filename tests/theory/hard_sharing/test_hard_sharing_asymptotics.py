"""Large-size risk of sharing: the fixed point written out, the isotropic form, Monte Carlo, limits and scales."""

import numpy as np
import pytest
from hard_sharing_draws import covariance
from scipy.optimize import brentq

from mtlbook_lib.theory import hard_sharing

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


def test_isotropic_inputs_have_a_scalar_form():
    size, n1, n2, t, s1, s2 = 40, 90, 55, 1.3, 0.9, 0.6
    theta1, theta2 = RNG.normal(size=(2, size))
    w1 = t**-2
    tau = brentq(lambda x: n1 * w1 / (1 + w1 * size * x) + n2 / (1 + size * x) - 1 / x, 1e-8, 10, xtol=1e-15)
    share1, share2 = w1 * n1 * tau / (1 + w1 * size * tau), n2 * tau / (1 + size * tau)
    assert share1 + share2 == pytest.approx(1, rel=1e-9)
    gap = np.sum((t * theta1 - theta2) ** 2)
    noise = size / n1 * share1**2 * (share2**2 * gap + t**2 * s1**2)
    noise += size / n2 * share2**2 * (share1**2 * gap + s2**2)
    risk = share1**2 * gap + noise / (1 - size * share1**2 / n1 - size * share2**2 / n2)
    computed = hard_sharing.asymptotic_risk(np.eye(size), np.eye(size), n1, n2, theta1, theta2, s1, s2, t)[0]
    assert computed == pytest.approx(risk, rel=1e-8)


@pytest.mark.parametrize(("n1", "n2", "t"), [(60, 40, 1.2), (15, 40, -0.7), (300, 30, 1.0)])
def test_monte_carlo_at_a_fixed_ratio(n1, n2, t):
    draws = 1500
    rng = np.random.default_rng(n1)
    x1 = rng.normal(size=(draws, n1, SIZE)) @ np.linalg.cholesky(COV1).T
    x2 = rng.normal(size=(draws, n2, SIZE)) @ np.linalg.cholesky(COV2).T
    y1 = x1 @ THETA1 + 0.8 * rng.normal(size=(draws, n1))
    y2 = x2 @ THETA2 + 0.5 * rng.normal(size=(draws, n2))
    rows, labels = np.concatenate([x1 / t, x2], axis=1), np.concatenate([y1, y2], axis=1)
    gram = rows.transpose(0, 2, 1) @ rows
    found = np.linalg.solve(gram, rows.transpose(0, 2, 1) @ labels[..., None])
    losses = np.sum((labels - (rows @ found)[..., 0]) ** 2, axis=1)
    errors = found[..., 0] - THETA2
    risks = np.einsum("ri,ij,rj->r", errors, COV2, errors)
    risk, loss = hard_sharing.asymptotic_risk(COV1, COV2, n1, n2, THETA1, THETA2, 0.8, 0.5, t)
    # The finite-size bias of the limit is about one over the residual degrees of freedom.
    bias = 1 / (n1 + n2 - SIZE - 1)
    assert abs(risks.mean() - risk) < 4 * risks.std() / np.sqrt(draws) + 1.5 * bias * risk
    assert abs(losses.mean() - loss) < 4 * losses.std() / np.sqrt(draws) + 0.5 * bias * loss


def test_finite_size_bias_halves_when_the_problem_doubles():
    """Pure noise at equal isotropic tasks is exactly one Wishart problem: risk σ² d / (n1 + n2 - d - 1)."""
    for factor in (1, 2, 4):
        size, n1, n2 = 20 * factor, 30 * factor, 25 * factor
        zero = np.zeros(size)
        risk, loss = hard_sharing.asymptotic_risk(np.eye(size), np.eye(size), n1, n2, zero, zero, 0.7, 0.7, 1.0)
        rest = n1 + n2 - size
        assert risk == pytest.approx(0.49 * size / rest, rel=1e-10)
        assert loss == pytest.approx(0.49 * rest, rel=1e-10)


def test_a_source_of_no_weight_leaves_the_target_alone():
    risk, loss = hard_sharing.asymptotic_risk(COV1, COV2, 50, 45, THETA1, THETA2, 0.8, 0.5, 1e8)
    assert risk == pytest.approx(0.25 * SIZE / (45 - SIZE), rel=1e-6)
    source = 50 * (THETA1 @ COV1 @ THETA1 + 0.64)
    assert loss == pytest.approx(0.25 * (45 - SIZE) + source, rel=1e-6)


def test_extreme_ratios_are_the_limits():
    risk, _ = hard_sharing.asymptotic_risk(COV1, COV2, 50, 45, THETA1, THETA2, 0.8, 0.5, [1e-200, -1e200])
    np.testing.assert_allclose(risk, [THETA2 @ COV2 @ THETA2, 0.25 * SIZE / (45 - SIZE)], rtol=1e-9)


def test_a_source_of_endless_examples_fixes_the_direction():
    risk, _ = hard_sharing.asymptotic_risk(COV1, COV2, 1e12, 45, THETA1, THETA2, 0.8, 0.5, 1.1)
    gap = 1.1 * THETA1 - THETA2
    assert risk == pytest.approx(gap @ COV2 @ gap, rel=1e-6)


def test_scales_of_inputs_and_labels_are_absorbed():
    base = hard_sharing.asymptotic_risk(COV1, COV2, 60, 40, THETA1, THETA2, 0.8, 0.5, 1.2)
    inputs = hard_sharing.asymptotic_risk(1e10 * COV1, COV2, 60, 40, 1e-5 * THETA1, THETA2, 0.8, 0.5, 1.2e5)
    assert inputs == pytest.approx(base, rel=1e-9)
    both = hard_sharing.asymptotic_risk(COV1, COV2, 60, 40, 3 * THETA1, 3 * THETA2, 2.4, 1.5, 1.2)
    assert both == pytest.approx(np.multiply(base, 9), rel=1e-10)
    mixing = RNG.normal(size=(SIZE, SIZE)) + 3 * np.eye(SIZE)
    other = [np.linalg.solve(mixing.T, theta) for theta in (THETA1, THETA2)]
    mixed = hard_sharing.asymptotic_risk(
        mixing @ COV1 @ mixing.T, mixing @ COV2 @ mixing.T, 60, 40, *other, 0.8, 0.5, 1.2
    )
    assert mixed == pytest.approx(base, rel=1e-8)


def test_singular_covariances_that_complete_each_other():
    half = np.diag(np.repeat([1.0, 0.0], SIZE // 2))
    rest = np.eye(SIZE) - 0.5 * half
    computed = hard_sharing.asymptotic_risk(half, rest, 40, 50, THETA1, THETA2, 0.8, 0.5, 1.2)
    assert computed == pytest.approx(fixed_point(half, rest, (40, 50), (THETA1, THETA2), (0.8, 0.5), 1.2), rel=1e-9)
    with pytest.raises(ValueError, match="n2 must exceed the number of directions that only this task sees, 10"):
        hard_sharing.asymptotic_risk(half, rest, 40, 10, THETA1, THETA2, 0.8, 0.5, 1.2)
    with pytest.raises(ValueError, match="n1 must exceed the number of directions that only this task sees, 10"):
        hard_sharing.asymptotic_risk(rest, half, 10, 40, THETA1, THETA2, 0.8, 0.5, 1.2)


def test_arrays_give_what_a_loop_gives():
    n1, sigma2, ratio = np.array([[30], [90]]), np.array([0.0, 0.5, 2.0]), np.array([1.0, -1.0, 0.2])
    risk, loss = hard_sharing.asymptotic_risk(COV1, COV2, n1, 40, THETA1, THETA2, 0.8, sigma2, ratio)
    assert risk.shape == loss.shape == (2, 3)
    for i, j in np.ndindex(2, 3):
        one = hard_sharing.asymptotic_risk(COV1, COV2, n1[i, 0], 40, THETA1, THETA2, 0.8, sigma2[j], ratio[j])
        assert (risk[i, j], loss[i, j]) == pytest.approx(one, rel=1e-11)
