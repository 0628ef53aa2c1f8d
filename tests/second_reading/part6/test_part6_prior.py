"""The prior of finetuning read a second time: own descent, own penalty from the flow, own draws and solvers."""

import numpy as np
import pytest
from own_diagonal import error, examples, finetuned
from scipy.integrate import quad
from scipy.optimize import minimize_scalar


def descended(weights, x, y, loss, reach=0.01):
    """Plain descent of u+, v+, u-, v- on mean squared errors."""
    w = np.array(weights, dtype=float)
    steep = np.linalg.norm(x, 2) ** 2 / len(y)
    for _ in range(200_000):
        rest = y - x @ (w[0] * w[1] - w[2] * w[3])
        if rest @ rest / len(y) < loss:
            return w
        pull = 2 * x.T @ rest / len(y)
        rate = min(0.4 / (steep * (w**2).sum(axis=0).max()), reach / np.abs(pull).max())
        w = w + rate * pull * np.array([w[1], w[0], -w[3], -w[2]])
    raise AssertionError("descent did not get there")


def formula(aux, c, lam, s, gamma, kind):
    """Widths and starts as the statement has them."""
    root = np.sqrt(1 + (aux / c) ** 2)
    total, mean = s**2 * c * (lam + root), s**2 * c * (1 + lam) * (1 + root)
    if kind == "mean":
        return mean / 4 + gamma**2, 0 * aux
    if kind == "root":
        return total / 2 + gamma**2, 0 * aux
    start = gamma * s * np.sign(aux) * np.sqrt(c * (1 - lam) * (root - 1))
    return np.sqrt((total / 2 - gamma**2) ** 2 + gamma**2 * mean), start


def outside(x, beta, kappa, start):
    """The share of the gradient of the divergence that is not in the row space."""
    slope = np.arcsinh(beta / kappa) - np.arcsinh(start / kappa)
    inside = np.linalg.lstsq(x.T, slope, rcond=None)[0] @ x
    return np.linalg.norm(slope - inside) / np.linalg.norm(slope)


@pytest.mark.claims("prior-formula", "prior-treatments", "prior-average-misses")
@pytest.mark.parametrize(("c", "lam", "s"), [(1.0, -0.95, 0.6), (0.5, 0.7, 1.5)])
@pytest.mark.parametrize("kind", ["run", "mean", "root"])
def test_descended_networks_are_stationary_for_their_own_formula_alone(c, lam, s, kind):
    rng, gamma = np.random.default_rng(5), 0.3
    aux, main = rng.choice([-1.0, 0.0, 1.0], (2, 16))
    x_aux, x = examples(rng, 24, 16), examples(rng, 6, 16)
    u, v = np.full(16, np.sqrt(c * (1 + lam) / 2)), np.full(16, np.sqrt(c * (1 - lam) / 2))
    up, _, um, _ = s * descended([u, v, u, v], x_aux, x_aux @ aux, 1e-16)
    if kind != "run":
        up = um = (up + um) / 2 if kind == "mean" else np.sqrt((up**2 + um**2) / 2)
    reset = np.full(16, gamma)
    end = descended([up, reset, um, reset], x, x @ main, 1e-16)
    beta = end[0] * end[1] - end[2] * end[3]
    shares = {name: outside(x, beta, *formula(aux, c, lam, s, gamma, name)) for name in ("run", "mean", "root")}
    own = shares.pop(kind)
    assert own < 0.01
    assert min(shares.values()) > 3 * own


def penalty(beta, aux, c, gamma, lam, kind="run", start=True):
    """The integral of four times the angle, which an integrator finds from the layers' equations."""
    kappa, begin = formula(aux, c, lam, 1.0, gamma, kind)
    begin = begin if start else 0.0
    low, high = sorted((begin, beta))
    area = quad(lambda b: 2 * abs(np.arcsinh(b / kappa) - np.arcsinh(begin / kappa)), low, high, epsabs=1e-14)[0]
    return area


def orders(values, *rest, step=1e-4):
    found = []
    for i in range(4):
        up, down = (np.array(values) * np.exp(sign * step * np.eye(4)[i] * [1, 1, 1, 0.5]) for sign in (1, -1))
        found.append((np.log(penalty(*up, *rest)) - np.log(penalty(*down, *rest))) / (2 * step))
    return np.array(found)


@pytest.mark.claims("prior-sum")
@pytest.mark.parametrize("kind", ["run", "mean", "root"])
def test_the_four_orders_sum_to_one(kind):
    rng = np.random.default_rng(8)
    for _ in range(5):
        values = np.exp(rng.uniform(-2, 2, 4))
        if kind == "run" and abs(values[0] - formula(values[1], *values[2:3], 0.2, 1.0, values[3], kind)[1]) < 0.1:
            continue
        assert orders(values, 0.2, kind).sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.claims("prior-least", "prior-range")
@pytest.mark.parametrize("lam", [-0.999, -0.8, -0.3])
def test_the_least_sum(lam):
    """For small coefficients the penalty is beta squared over the width: its dependence is minus that of the width."""

    def total(log_c):
        up, down = (np.log(formula(np.exp(h), np.exp(log_c), lam, 1.0, 0.0, "run")[0]) for h in (1e-4, -1e-4))
        return 2 - (up - down) / 2e-4

    root = np.sqrt(1 - lam**2)
    assert minimize_scalar(total, bounds=(-9, 9), method="bounded").fun == pytest.approx(
        2 * root / (1 + root), rel=1e-4
    )
    for c in np.geomspace(1e-3, 1e3, 7):
        assert 1 - 1e-4 < orders([0.01, 1.0, c, 0.1], lam, "mean")[:2].sum() < 2 + 1e-4


@pytest.mark.claims("prior-window")
def test_the_order_falls_from_nine_to_one_tenth_over_four_decades():
    def order(x):
        return x * np.arcsinh(x) / (x * np.arcsinh(x) - np.sqrt(1 + x * x) + 1)

    assert order(2 * 0.46) == pytest.approx(1.9, abs=0.005)
    assert order(2 * 1.5e4) == pytest.approx(1.1, abs=0.001)
    for beta, wanted in ((0.48, 1.9), (9.9, 1.1)):
        assert 1 + 1 / np.hypot(1, beta) == pytest.approx(wanted, abs=0.005)


def drawn_error(seed, k, shared, case):
    """Log error on a task of k features, some of the 40 old ones, from 32 examples; case: s, gamma, c, λ, mean."""
    s, gamma, c, lam, mean = case
    rng = np.random.default_rng([seed, k, shared, 25])
    place = rng.permutation(200)
    aux, main = np.zeros(200), np.zeros(200)
    aux[place[:40]] = rng.choice([-1.0, 1.0], 40)
    main[place[40 - shared : 40 - shared + k]] = rng.choice([-1.0, 1.0], k)
    turn = np.arcsinh(aux / c) / 2
    even, odd = np.sqrt(c * (1 + lam) / 2) * np.cosh(turn), np.sqrt(c * (1 - lam) / 2) * np.sinh(turn)
    up, um = s * (even + odd), s * (even - odd)
    if mean:
        up = um = (up + um) / 2
    x = examples(rng, 32, 200)
    return np.log(error(finetuned(x, x @ main, up, um, gamma), main))


def logs(k, shared, *case, n_seeds=8):
    return np.mean([drawn_error(seed, k, shared, case) for seed in range(n_seeds)])


REGIMES = {"I": (0.003, 0.01), "II": (10.0, 1e-3), "III": (0.1, 3.0), "IV": (0.1, 1e-3)}


@pytest.mark.claims("prior-best", "prior-readout")
@pytest.mark.parametrize(("k", "shared", "best"), [(6, 6, "IV"), (40, 40, "II"), (6, 0, "I")])
def test_each_regime_has_its_task(k, shared, best):
    found = {name: logs(k, shared, *pair, 2e-6, 0.0, False) for name, pair in REGIMES.items()}
    assert min(found, key=found.get) == best
    if k == 6:
        assert found["III"] > 0


@pytest.mark.claims("prior-balance-small", "prior-balance-large", "prior-mean-gain")
def test_balance_matters_after_large_weights_alone():
    small = [logs(6, 6, 1.0, 1e-3, 2e-6, lam, False) for lam in (-0.999, 0.9)]
    assert abs(small[0] - small[1]) < 0.02
    large = [logs(6, 6, 1.0, 1e-3, 1.0, lam, False) for lam in (-0.999, 0.0)]
    assert large[1] - large[0] > 1
    assert small[0] - logs(6, 6, 1.0, 1e-3, 2e-6, -0.999, True) > 2
