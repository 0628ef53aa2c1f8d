"""One task, then two in turn, read a second time: weights by an integrator of the four layers, penalties by Newton."""

import numpy as np
import pytest
from own_diagonal import examples, finetuned, least_squares, tuned
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares as least_squares_search
from scipy.optimize import linprog

D = 24


def flowed(layers, x, y, tolerance=1e-9):
    """All four layers, (4, D), at the end of gradient flow on the mean squared error."""

    def velocity(_, flat):
        up, vp, um, vm = flat.reshape(4, D)
        pull = x.T @ (y - x @ (up * vp - um * vm)) / len(y)
        return np.concatenate([pull * vp, pull * up, -pull * vm, -pull * um])

    def reached(_, flat):
        up, vp, um, vm = flat.reshape(4, D)
        return np.log(np.mean((x @ (up * vp - um * vm) - y) ** 2) / tolerance)

    reached.terminal = True
    run = solve_ivp(velocity, (0, 1e8), layers.ravel(), method="LSODA", events=reached, rtol=1e-8, atol=1e-11)
    assert len(run.t_events[0]) == 1
    return run.y[:, -1].reshape(4, D)


def coefficients(layers):
    return layers[0] * layers[1] - layers[2] * layers[3]


@pytest.fixture(scope="module")
def pretrained():
    rng = np.random.default_rng(11)
    aux = np.zeros(D)
    aux[:6] = rng.choice([-1.0, 1.0], 6)
    x = examples(rng, 40, D)
    main = np.zeros(D)
    main[3:9] = rng.choice([-1.0, 1.0], 6)
    return flowed(np.full((4, D), 0.1), x, x @ aux), examples(rng, 8, D), main


@pytest.mark.claims("finetune-pretrained")
def test_pretraining_leaves_one_pathway_small(pretrained):
    up, _, um, _ = pretrained[0]
    assert up * um == pytest.approx(np.full(D, 0.01), rel=1e-3)
    assert np.minimum(up, um)[:6] == pytest.approx(np.full(6, 0.01), rel=0.02)
    assert np.maximum(up, um)[:6] == pytest.approx(np.ones(6), rel=0.01)


@pytest.mark.claims("finetune-printed", "finetune-exact")
@pytest.mark.parametrize("copied", [False, True])
def test_finetuning_minimises_the_printed_penalty_from_copied_pathways_only(pretrained, copied):
    (up, _, um, _), x, main = pretrained
    gamma = 0.1
    if copied:
        up = um = np.sqrt(np.abs(up**2 - um**2))
    tuned = coefficients(flowed(np.stack([up, gamma + 0 * up, um, gamma + 0 * um]), x, x @ main))
    exact = finetuned(x, x @ main, up, um, gamma)
    root = np.sqrt(np.abs(up**2 - um**2)) if not copied else up
    printed = finetuned(x, x @ main, root, root, gamma)
    size = np.linalg.norm(tuned)
    assert np.linalg.norm(tuned - exact) < 0.003 * size
    assert (np.linalg.norm(tuned - printed) < 0.003 * size) == copied


@pytest.mark.claims("finetune-small", "finetune-large")
@pytest.mark.parametrize(("b", "slope"), [(1e-3, 4e-3), (10.0, 2 * np.log(40))])
def test_the_slope_of_the_penalty_has_half_the_printed_width(b, slope):
    ones = np.ones(D)
    start = np.stack([ones, 1e-6 * ones, 1e-6 * ones, 1e-6 * ones])  # pretrained to 1 in one pathway
    end = flowed(start, np.eye(D), b * ones, tolerance=1e-14)
    grown = np.log((end[0] + end[1]) / (start[0] + start[1]))
    assert 4 * grown == pytest.approx(slope * ones, rel=3e-3)


def rich(x, y, start=1e-3):
    both = np.full(x.shape[1], start)
    return finetuned(x, y, both, both, start)


@pytest.mark.claims("single-rich-limit")
def test_small_starts_are_some_way_from_the_least_l1_norm_also_where_it_recovers():
    rng = np.random.default_rng(4)
    truth = np.zeros(200)
    truth[:8] = rng.choice([-1.0, 1.0], 8)
    away = {}
    for n in (24, 60):
        x = examples(rng, n, 200)
        found = linprog(np.ones(400), A_eq=np.hstack([x, -x]), b_eq=x @ truth).x
        least = found[:200] - found[200:]
        away[n] = np.linalg.norm(rich(x, x @ truth) - least) / np.linalg.norm(least)
        assert n == 24 or np.abs(least - truth).max() < 1e-6
    assert away[24] > 0.1
    assert 0.001 < away[60] < 0.1


@pytest.mark.claims("single-sparse")
def test_small_starts_lose_with_few_examples_and_win_with_many():
    rng = np.random.default_rng(6)
    truth = np.zeros(1000)
    truth[:40] = rng.choice([-1.0, 1.0], 40)
    for n, wins in ((32, False), (256, True)):
        x = examples(rng, n, 1000)
        errors = [np.sum((found - truth) ** 2) for found in (rich(x, x @ truth), least_squares(x, x @ truth))]
        assert (errors[0] < errors[1]) == wins


def endless_error(density, share, width):
    """Error of the least penalty on endless inputs: examples and features for each input, from two scalar equations.

    A coefficient b obeys b + gain asinh(b / width) = its true value + noise; the mean slope of b is the density.
    """
    z = np.linspace(-7, 7, 401)
    mass = np.exp(-(z**2) / 2) / np.exp(-(z**2) / 2).sum()

    def means(noise, gain):
        seen = np.abs(np.stack([noise * z, 1 + noise * z]))
        low, high = np.zeros_like(seen), np.arcsinh(seen / width)
        for _ in range(45):
            middle = (low + high) / 2
            above = width * np.sinh(middle) + gain * middle > seen
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        found = width * np.sinh(low) * np.sign(np.stack([z, 1 / noise + z]))
        slope = width * np.cosh(low) / (width * np.cosh(low) + gain)
        weight = np.array([[1 - share], [share]]) * mass
        return np.sum(weight * (found - [[0], [1]]) ** 2) / share, np.sum(weight * slope)

    def left(logs):
        error, slope = means(*np.exp(logs))
        return np.log(error * share / density) - 2 * logs[0], slope - density

    guess = np.sqrt(share / density)
    gain = width * (1 / density - 1) if width > 0.1 else 1.3 * guess / np.arcsinh(1 / width)
    solved = least_squares_search(left, np.log([guess, gain]), xtol=1e-10)
    assert solved.cost < 1e-12
    return means(*np.exp(solved.x))[0]


@pytest.mark.claims("single-limit")
@pytest.mark.parametrize(("alpha", "k", "n", "spread"), [
    (1e-3, 40, 64, 0.06), (1e-3, 40, 128, 0.09), (1e-3, 1000, 64, 0.04), (1.0, 40, 128, 0.014),
])  # fmt: skip
def test_a_thousand_inputs_err_as_endless_ones(alpha, k, n, spread):
    """Seen over eight seeds in 25 cases: at most 0.026 ± 0.012 off; the spread between seeds is that seen there."""
    rng, errors = np.random.default_rng([n, k, 8]), []
    for _ in range(4):
        truth, x = np.zeros(1000), examples(rng, n, 1000)
        truth[:k] = rng.choice([-1.0, 1.0], k)
        errors.append(np.sum((tuned(x, x @ truth, (alpha,) * 4) - truth) ** 2) / k)
    limit = endless_error(n / 1000, k / 1000, 2 * alpha**2)
    assert np.mean(errors) == pytest.approx(limit, abs=4 * spread / np.sqrt(4))
