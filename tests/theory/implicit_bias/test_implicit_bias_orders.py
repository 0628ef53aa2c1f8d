"""Order parameters, against derivatives of the penalty and Euler's theorem."""

import numpy as np
import pytest

from mtlbook_lib.theory import implicit_bias

STEP = 1e-5


def log_penalty(beta, beta_aux, alpha, gamma, *rest):
    kappa = implicit_bias.finetuning_width(beta_aux, alpha, gamma, *rest)
    start = implicit_bias.finetuning_start(beta_aux, alpha, gamma, *rest)
    return np.log(implicit_bias.penalty_terms(beta, kappa, start))


def differences(values, *rest):
    """Central differences in the logarithms of beta, beta_aux, alpha² and gamma²."""
    powers = np.array([1, 1, 0.5, 0.5])
    found = []
    for index in range(4):
        change = np.eye(4)[index] * powers * STEP
        upper, lower = (log_penalty(*(values * np.exp(sign * change)), *rest) for sign in (1, -1))
        found.append((upper - lower) / (2 * STEP))
    return found


def draws(count):
    rng = np.random.default_rng(3)
    while count:
        sizes = 10 ** rng.uniform([-3, -3, -2, -2], [1, 1, 0.5, 0.5])
        sizes[:2] *= rng.choice([-1, 1], 2)
        rest = (rng.uniform(-1, 1), 10 ** rng.uniform(-0.5, 0.5))
        width = implicit_bias.finetuning_width(*sizes[1:], *rest)
        away = abs(sizes[0] - implicit_bias.finetuning_start(*sizes[1:], *rest)) > 0.1 * abs(sizes[0])
        if away and abs(sizes[0]) > 1e-2 * width:
            count -= 1
            yield sizes, rest


@pytest.mark.parametrize("pathways", ["exact", "average", "rms"])
def test_orders_are_logarithmic_derivatives_and_sum_to_one(pathways):
    for sizes, rest in draws(50):
        orders = implicit_bias.penalty_orders(*sizes, *rest, pathways)
        assert sum(orders) == pytest.approx(1, abs=1e-12)
        np.testing.assert_allclose(orders, differences(sizes, *rest, pathways), rtol=3e-8, atol=3e-8)


def test_group_orders_are_derivatives_and_sum_to_one():
    beta, beta_aux = np.array([0.01, 1.0, -30.0]), np.array([-1.0, 0.4, 2.0])

    def penalty(b, a):
        pair = np.stack((b, a))
        return np.log([implicit_bias.group_norm(column[:, None]) - 2 * abs(column[1]) for column in pair.T])

    order, dependence = implicit_bias.group_orders(beta, beta_aux)
    grow, shrink = np.exp(1e-5), np.exp(-1e-5)
    np.testing.assert_allclose(order, (penalty(beta * grow, beta_aux) - penalty(beta * shrink, beta_aux)) / 2e-5, 1e-6)
    slope = (penalty(beta, beta_aux * grow) - penalty(beta, beta_aux * shrink)) / 2e-5
    np.testing.assert_allclose(dependence, slope, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(order + dependence, 1, rtol=1e-15)
    assert implicit_bias.group_orders(0.0, 3.0) == (2.0, -1.0)
    assert implicit_bias.group_orders(3.0, 0.0) == (1.0, 0.0)
