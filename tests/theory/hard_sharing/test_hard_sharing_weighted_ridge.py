"""Bias and variance of weighted ridge pooling: row by row, and by Monte Carlo."""

import numpy as np
import pytest
from hard_sharing_draws import covariance
from refusals import refused

from mtlbook_lib.theory.hard_sharing import estimated_bias_excess, weighted_ridge_risk

RNG = np.random.default_rng(7)
X1, X2 = RNG.normal(size=(9, 4)), RNG.normal(size=(3, 4)) * [3, 1, 1, 0.3]  # the target alone leaves a direction open
S1, S2 = X1.T @ X1, X2.T @ X2
THETA1, THETA2 = RNG.normal(size=(2, 4))
TARGET = covariance(0, 4, 5.0)
PAIR = (S1, S2, THETA1, THETA2)


def estimator(weight, ridge):
    """The matrix that takes all labels, the source's first, to the fit: least squares with rows for the ridge."""
    rows = np.vstack([np.sqrt(weight) * X1, X2, np.sqrt(ridge) * np.eye(4)])
    scales = np.repeat([np.sqrt(weight), 1.0], [9, 3])
    return np.linalg.pinv(rows)[:, :12] * scales


@pytest.mark.parametrize("weight", [0.0, 0.03, 1.0, 4.0])
@pytest.mark.parametrize("ridge", [0.1, 1.0, 30.0])
def test_the_risk_is_that_of_the_linear_map_of_labels_to_models(weight, ridge):
    fit = estimator(weight, ridge)
    bias = fit @ np.concatenate([X1 @ THETA1, X2 @ THETA2]) - THETA2
    spread = fit @ np.diag(np.repeat([0.7**2, 0.4**2], [9, 3])) @ fit.T
    found = weighted_ridge_risk(*PAIR, 0.7, 0.4, weight, ridge, TARGET)
    assert [type(part) for part in found] == [float, float]
    assert found == pytest.approx((bias @ TARGET @ bias, np.trace(TARGET @ spread)), rel=1e-9)


test_what_does_not_fit_is_refused = refused(
    weighted_ridge_risk,
    {"s1": S1, "s2": S2, "theta1": THETA1, "theta2": THETA2, "sigma1": 0.7, "sigma2": 0.4, "weight": 1.0,
     "ridge": 1.0, "target_cov": TARGET},
    {
        "s1 must be symmetric": [{"s1": np.triu(np.ones((4, 4)))}],
        "weight must be 0 or greater": [{"weight": -0.1}],
        "ridge must be greater than 0": [{"ridge": 0.0}],
        "ridge must not be lost beside s2": [{"weight": 0.0, "ridge": 1e-14}],
        "s1, s2 and ridge must add up to a nonsingular matrix": [{"s1": 0 * S1, "ridge": 1e-14}],
    },
)  # fmt: skip


SPREADS = 0.3 * covariance(1, 4, 3.0), 0.1 * covariance(2, 4, 8.0)


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_the_excess_is_that_of_models_with_noise(weight):
    draws = 4000
    noise = [RNG.multivariate_normal(np.zeros(4), spread, draws) for spread in SPREADS]
    right = weighted_ridge_risk(*PAIR, 0.7, 0.4, weight, 2.0, TARGET)[0]
    found = np.array([
        weighted_ridge_risk(S1, S2, THETA1 + one, THETA2 + two, 0.7, 0.4, weight, 2.0, TARGET)[0] - right
        for one, two in zip(*noise, strict=True)
    ])  # fmt: skip
    error = found.std(ddof=1) / np.sqrt(draws)
    assert abs(found.mean() - estimated_bias_excess(S1, S2, *SPREADS, weight, 2.0, TARGET)) < 4 * error


test_what_does_not_fit_the_excess_is_refused = refused(
    estimated_bias_excess,
    {"s1": S1, "s2": S2, "spread1": SPREADS[0], "spread2": SPREADS[1], "weight": 1.0, "ridge": 1.0,
     "target_cov": TARGET},
    {
        "spread2 must have no negative eigenvalue": [{"spread2": -np.eye(4)}],
        "ridge must not be lost beside s1 and s2": [{"weight": 0.0, "ridge": 1e-14}],
    },
)  # fmt: skip
