"""Norms of multi-task and of ReLU networks, against the least sum of squared weights."""

import numpy as np
import pytest
from scipy.optimize import minimize

from mtlbook_lib.theory import implicit_bias


def test_group_norm_is_the_least_sum_of_squared_weights():
    """Minimised over all weights of the two pathways that compute the coefficients of three outputs."""
    betas = np.array([[0.3], [-1.2], [0.5]])

    def weights(free):
        (u_plus, u_minus), v_minus = free[:2], free[2:]
        v_plus = (betas[:, 0] + u_minus * v_minus) / u_plus
        return u_plus**2 + u_minus**2 + v_plus @ v_plus + v_minus @ v_minus

    least = minimize(weights, [1.0, 0.5, 0.1, 0.2, -0.3], method="BFGS", options={"gtol": 1e-9}).fun
    assert implicit_bias.group_norm(betas) == pytest.approx(least, rel=1e-8)


@pytest.mark.parametrize("n_tasks", [1, 3])
def test_path_norm_is_half_of_the_least_sum_of_squared_weights(n_tasks):
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=(4, 3)), rng.normal(size=(4, n_tasks))

    def weights(log_scale):
        return np.sum((np.exp(log_scale)[:, None] * first) ** 2) + np.sum((np.exp(-log_scale)[:, None] * second) ** 2)

    least = minimize(weights, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).fun
    given = second[:, 0] if n_tasks == 1 else second
    assert implicit_bias.path_norm(first, given) == pytest.approx(least / 2, rel=1e-9)
    assert implicit_bias.path_norm(first, second) == pytest.approx(least / 2, rel=1e-9)
