"""Nested features and sample efficiency read a second time, with ideal pretraining and own solvers."""

import numpy as np
import pytest
from own_diagonal import D, error, examples, finetuned, finetuning_error, first_layer, least_squares, mean_logs, tasks
from scipy.optimize import minimize_scalar
from scipy.stats import norm


def order(ratio):
    """Slope of the log penalty where the width is half of a pretrained coefficient of one."""
    x = 2 * ratio
    return x * np.arcsinh(x) / (x * np.arcsinh(x) - np.sqrt(1 + x * x) + 1)


@pytest.mark.claims("nested-order-one", "nested-order-beyond")
def test_the_order_of_the_penalty_bends_over_four_decades():
    assert [round(order(r), 2) for r in (1, 100, 1e4)] == [1.75, 1.2, 1.1]


def factor(ratio):
    """Penalty over coefficient, as Eq. 1 normalises it, with the width that pretraining leaves."""
    z = 4 * ratio
    return (2 - np.sqrt(4 + z * z) + z * np.arcsinh(z / 2)) / 2 / ratio


@pytest.mark.claims("nested-coefficient")
def test_where_finetuning_has_the_larger_factor_depends_on_the_normalisation():
    assert factor(1.305) < 2 < factor(1.306)
    small = 1e-3  # both penalties are quadratic here: 2 b^2 after pretraining, b^2 in the multi-task norm
    assert factor(small) / small == pytest.approx(2, rel=1e-5)
    assert factor(4.508) / 2 < 2 < factor(4.509) / 2


@pytest.mark.claims("nested-sparsity", "nested-subset-finetune")
def test_sparsity_is_used_after_rescaling_only():
    sparse, dense = (mean_logs(8, k, k, 32) for k in (5, 40))
    assert 0 < dense - sparse < np.log(3)  # the chapter has log 1.5
    sparse, dense = (mean_logs(8, k, k, 32, factor=0.1) for k in (5, 40))
    assert dense - sparse > np.log(20)  # the chapter has log 82


@pytest.mark.claims("nested-pays", "nested-costs")
@pytest.mark.parametrize("n", [16, 32])
def test_rescaling_pays_for_sparse_tasks_and_costs_for_dense_ones(n):
    gains = [mean_logs(10, k, k, n) - mean_logs(10, k, k, n, factor=0.1) for k in (2, 20, 40)]
    assert gains[0] > 1
    assert gains[1] < -0.05
    assert gains[2] < -0.1


@pytest.mark.claims("nested-costs-beyond")
def test_beyond_the_old_features_rescaling_costs_from_some_examples_more():
    at = {n: mean_logs(6, 2, 2, n) - mean_logs(6, 2, 2, n, factor=0.1) for n in (40, 64)}
    assert at[40] > 1
    assert at[64] < -1


def regression_errors(k, factor, gamma, n=32, n_seeds=40):
    """Mean error on old features after a large factor."""
    found = []
    for seed in range(n_seeds):
        rng = np.random.default_rng([seed, k, 7])
        aux, main = tasks(rng, k, k)
        up, um = first_layer(aux)
        x = examples(rng, n)
        found.append(error(finetuned(x, x @ main, factor * up, factor * um, gamma), main))
    return np.mean(found), np.std(found) / np.sqrt(n_seeds)


@pytest.mark.claims("nested-ridge")
@pytest.mark.parametrize(("factor", "gamma"), [(10, 1e-3), (100, 1e-3), (10, 0.1)])
def test_regression_on_old_features_starts_at_the_readout(factor, gamma):
    for k in (2, 40):
        mean, spread = regression_errors(k, factor, gamma)
        assert abs(mean - 0.2 * (1 + 40 * (factor * gamma) ** 2 / k)) < 4 * spread


@pytest.mark.claims("efficiency-disjoint-lazy", "efficiency-zero")
@pytest.mark.parametrize(("n", "sign"), [(16, 1), (64, 1), (256, -1)])
def test_an_unrelated_task_makes_finetuning_worse_than_the_lazy_network_below_recovery(n, sign):
    lazy = np.log(1 - n / D)
    assert sign * (mean_logs(2, 40, 0, n) - lazy) > 0.3
    assert n == 256 or mean_logs(2, 40, 0, n) > 0


@pytest.mark.claims("efficiency-partial")
def test_sharing_half_of_the_features_does_not_help_from_32_examples():
    assert mean_logs(6, 40, 20, 32) > 0
    assert finetuning_error(0, 40, 20, 256) < 0.01


@pytest.mark.claims("efficiency-lazy")
def test_the_lazy_network_is_no_worse_than_predicting_zero():
    rng = np.random.default_rng(3)
    _, main = tasks(rng, 40, 0)
    for n in (16, 256):
        x = examples(rng, n)
        assert error(least_squares(x, x @ main), main) == pytest.approx(1 - n / D, abs=0.05)


def needed(shared, k=40, slope=0.0):
    """Examples that recover a task: a new feature costs 1 + t^2, a known one 1 + slope^2 t^2."""

    def count(t):
        beyond = 2 * ((1 + t * t) * norm.sf(t) - t * norm.pdf(t))
        free = (k - shared) + shared * (1 + (slope * t) ** 2)
        return free + (k - shared) * (1 + t * t) + (D - 2 * k + shared) * beyond

    return minimize_scalar(count, bounds=(0, 8), method="bounded").fun


@pytest.mark.claims("efficiency-shared-finetune")
def test_break_even_is_at_twelve_and_at_nineteen_shared_features():
    def alone(t):
        return 40 * (1 + t * t) + 960 * 2 * ((1 + t * t) * norm.sf(t) - t * norm.pdf(t))

    single = minimize_scalar(alone, bounds=(0, 8), method="bounded").fun
    assert round(single) == 174
    assert needed(12) < single < needed(11)
    assert needed(19, slope=2**-0.5) < single < needed(18, slope=2**-0.5)
