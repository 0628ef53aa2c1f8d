"""Part VI, penalties of the flow: with its hypotheses a theorem's conclusion is seen; without one of them it is not."""

import numpy as np
import pytest
from numbers_of_diagonal import EQUAL, X, Y, coefficients, pull, trained
from numbers_of_flows import flow
from scipy.optimize import linprog

from mtlbook_lib.theory import implicit_bias, interpolation, learning_curves


def logistic_pull(w):
    z = np.sign(Y)[:, None] * X
    g = z.T @ (1 / (1 + np.exp(z @ coefficients(w)))) / len(Y)
    return np.stack([g * w[1], g * w[0], -g * w[3], -g * w[2]])


def off_the_rows(beta, kappa, start=0.0):
    """How far the response of the coefficients is from the row space of the data."""
    return interpolation.stationarity_residual(X, beta, kappa, start)


def test_prop_penalty_flow__infinitely_small_steps():
    def invariants(w):
        return np.array([w[0] ** 2 - w[1] ** 2, w[2] ** 2 - w[3] ** 2, w[0] * w[2] + w[1] * w[3]])

    w = EQUAL * np.array([1.0, 0.5, 0.7, 1.2])[:, None]
    assert np.abs(invariants(trained(w, time=5.0)) - invariants(w)).max() < 1e-6
    stepped = w
    for _ in range(5):
        stepped = stepped + pull(stepped)
    assert np.abs(invariants(stepped) - invariants(w)).max() > 0.1


def test_prop_penalty_flow__two_pathways_that_live():
    """The second form needs A, B > 0: with an empty negative pathway the coefficient is an exponential."""
    end = flow(lambda w: np.stack([w[1], w[0], -w[3], -w[2]]), np.array([0.3, 0.3, 0.0, 0.0]), 1.0)
    assert coefficients(end) == pytest.approx(0.09 * np.exp(2.0), rel=1e-6)
    kappa = implicit_bias.pathway_invariants(0.3, 0.2, 0.1, 0.2)[0]
    assert kappa > 0.05
    assert abs(0.3**2 - 0.3**2) + abs(0.3 * 0.0 + 0.3 * 0.0) == 0  # kappa, so that the form would say 0 for ever


def test_thm_penalty__positive_widths():
    kappa = 2 * 0.3**2
    end = coefficients(trained(EQUAL))
    assert np.allclose(end, interpolation.min_penalty(X, Y, np.full(6, kappa)), atol=1e-5)
    one_sided = np.concatenate([0.3 * np.ones((2, 6)), np.zeros((2, 6))])  # coefficients that cannot turn negative
    row, label = np.abs(X[:1]), np.array([-1.0])
    assert row[0] @ coefficients(trained(EQUAL, row, label)) == pytest.approx(-1, abs=1e-4)
    assert row[0] @ coefficients(trained(one_sided, row, label)) >= 0


def test_thm_penalty__independent_rows():
    twice = np.concatenate([X, X[:1]])
    end = trained(EQUAL, twice, np.append(Y, Y[0] + 1))
    assert np.abs(X @ coefficients(trained(EQUAL)) - Y).max() < 1e-5
    assert abs(X[0] @ coefficients(end) - Y[0] - 0.5) < 0.01  # halfway between two labels of one row


def test_thm_penalty__gradient_flow():
    stepped = EQUAL
    for _ in range(300):
        stepped = stepped + 0.5 * pull(stepped)
    beta, least = coefficients(stepped), interpolation.min_penalty(X, Y, np.full(6, 0.18))
    assert np.abs(X @ beta - Y).max() < 1e-6
    assert np.abs(beta - least).max() > 0.01


def rates(w, x, y):
    """The least rate at which the loss falls, over the bound, along a run."""
    n, lam = len(y), np.linalg.eigvalsh(x @ x.T)[0]
    found = []
    for t in (0.0, 0.3, 1.0):
        at, h = trained(w, x, y, t, 200), 1e-4
        now, later = (np.mean((y - x @ coefficients(v)) ** 2) for v in (at, at + h * pull(at, x, y)))
        found.append((now - later) / h / now / (8 * 0.18 * max(lam, 0.1) / n))
    return min(found)


def test_thm_penalty_interpolates__independent_rows_and_positive_widths():
    assert rates(EQUAL, X, Y) >= 1
    assert rates(np.concatenate([0.3 * np.ones((2, 6)), np.zeros((2, 6))]) * 0.1, X, Y) < 0.5
    conflict = trained(EQUAL, np.concatenate([X, X[:1]]), np.append(Y, Y[0] + 1))
    assert np.mean((np.append(Y, Y[0] + 1) - np.append(X, X[:1], axis=0) @ coefficients(conflict)) ** 2) > 0.1


def test_prop_penalty_limits__far_from_the_width():
    def gap(ratio):
        exact = implicit_bias.q(2 * ratio)
        small, large = ratio**2, 2 * ratio * (np.log(2 * ratio) - 1)
        return abs(exact / small - 1), abs(exact / large - 1) if large > 0 else np.inf

    assert gap(0.01)[0] < 1e-3
    assert gap(1000.0)[1] < 1e-3
    assert min(gap(1.0)) > 0.05


def stepped(pull, rate, n_steps):
    """Descent from equal weights, in so few steps that it is no flow."""
    weights = EQUAL
    for _ in range(n_steps):
        weights = weights + rate * pull(weights)
    return weights


def test_prop_other_path__infinitely_small_steps():
    stopped = coefficients(trained(EQUAL, time=0.5))
    assert off_the_rows(stopped, np.full(6, 0.18)) < 1e-6
    assert off_the_rows(coefficients(stepped(pull, 0.8, 3)), np.full(6, 0.18)) > 1e-3


def test_prop_other_own__infinitely_small_steps():
    beta = coefficients(flow(logistic_pull, EQUAL, 20.0))
    assert off_the_rows(beta, np.full(6, 0.18)) < 1e-6
    assert off_the_rows(coefficients(stepped(logistic_pull, 3, 6)), np.full(6, 0.18)) > 1e-3


def from_both_starts(force, time):
    """Coefficients from equal weights, and from a negative pathway without weight: its widths are zero."""
    return [coefficients(flow(force, w, time)) for w in (EQUAL, EQUAL * np.array([1.0, 1.0, 0.0, 0.0])[:, None])]


def test_prop_other_path__positive_widths():
    both, one_sided = from_both_starts(pull, 0.5)
    assert off_the_rows(both, np.full(6, 0.18)) < 1e-6
    assert one_sided.min() > 0.01  # a width of zero times sinh says 0


def test_prop_other_own__positive_widths():
    both, one_sided = from_both_starts(logistic_pull, 20.0)
    assert both.min() < -0.1  # of the least penalty at these margins
    assert one_sided.min() > 0


def test_prop_other_own__a_loss_that_only_pulls_up():
    """Multipliers of margins are not negative for the logistic loss; squares push margins down, too."""

    def multipliers(beta, labels):
        return np.linalg.lstsq((np.sign(labels)[:, None] * X).T, np.arcsinh(beta / 0.18), rcond=None)[0]

    assert multipliers(coefficients(flow(logistic_pull, EQUAL, 20.0)), Y).min() > 0
    uneven = np.array([2.43, 1.26, 0.31])
    assert multipliers(coefficients(trained(EQUAL, y=uneven)), uneven).min() < -0.3


def chain(layers, impulse, steps=2000):
    """Product of a pathway's layers after pulls that add up to `impulse`."""
    return flow(lambda w: np.prod(w) / w, np.asarray(layers, dtype=float), impulse, steps).prod()


def test_prop_other_chain__equal_layers_and_three_of_them():
    alpha, g = 0.5, 1.2

    def law(depth):
        return alpha**depth * (1 - (depth - 2) * alpha ** (depth - 2) * g) ** (-depth / (depth - 2))

    assert chain([alpha] * 3, g) == pytest.approx(law(3), rel=1e-6)
    assert abs(chain([0.25, 0.5, 1.0], g) / law(3) - 1) > 0.3  # the same product at the start
    assert chain([alpha] * 2, g) == pytest.approx(alpha**2 * np.exp(2 * g), rel=1e-6)  # two layers: an exponential


def test_prop_other_chain__independent_rows():
    """Two equal rows with different labels: the loss stays."""

    def force(w, x, y):
        g = 2 / len(y) * x.T @ (y - x @ (w[:3].prod(axis=0) - w[3:].prod(axis=0)))
        return np.concatenate([g * w[:3].prod(axis=0) / w[:3], -g * w[3:].prod(axis=0) / w[3:]])

    def left(x, y):
        w = flow(lambda w: force(w, x, y), np.full((6, x.shape[1]), 0.6), 40.0, 3000)
        return np.mean((y - x @ (w[:3].prod(axis=0) - w[3:].prod(axis=0))) ** 2)

    assert left(X, Y) < 1e-6
    assert left(X[[0, 0]], np.array([0.0, 1.0])) > 0.2


def test_prop_other_product__no_pull_that_reaches_one():
    for pulls, met in (((0.3, -0.6, 0.5), True), ((0.3, -1.6, 0.5), False)):
        w = np.array([0.3, 0.3, 0.3, 0.3])
        for g in pulls:
            w = w + np.array([g * w[1], g * w[0], -g * w[3], -g * w[2]])
        kappa = 0.18 * np.prod([abs(1 - g**2) for g in pulls])
        inside = [np.clip(g, -1 + 1e-9, 1 - 1e-9) for g in pulls]
        law = kappa * np.sinh(2 * np.sum(np.arctanh(inside)))
        assert (abs(coefficients(w) - law) < 1e-9) == met
        assert met or abs(coefficients(w) - law) > 0.1


def solved_by_l1(rng, n, design):
    x, truth = design(n), np.zeros(60)
    truth[rng.choice(60, 6, replace=False)] = rng.choice([-1.0, 1.0], 6)
    found = linprog(np.ones(120), A_eq=np.hstack([x, -x]), b_eq=x @ truth, bounds=(0, None)).x
    return np.abs(found[:60] - found[60:] - truth).max() < 1e-4


def test_thm_efficiency_dimension__a_null_space_in_random_position():
    rng = np.random.default_rng(0)
    border = 60 * learning_curves.l1_threshold(0.1)
    few, many = int(border) - 11, int(border) + 14

    def share(n, design):
        return np.mean([solved_by_l1(rng, n, design) for _ in range(8)])

    assert share(many, lambda n: rng.normal(size=(n, 60))) > 0.8
    assert share(few, lambda n: rng.normal(size=(n, 60))) < 0.2
    assert share(many, lambda n: np.eye(60)[rng.permutation(60)[:n]]) < 0.2  # single inputs: most are never seen


def test_prop_other_chain__weights_above_zero():
    """From zero nothing moves; from a small start the flow interpolates."""

    def force(w):
        g = 2 / len(Y) * X.T @ (Y - X @ (w[0] ** 3 - w[1] ** 3))
        return np.stack([g * w[0] ** 2, -g * w[1] ** 2])

    def loss(alpha):
        w = flow(force, np.full((2, 6), alpha), 60.0, 3000)
        return np.mean((Y - X @ (w[0] ** 3 - w[1] ** 3)) ** 2)

    assert loss(0.5) < 1e-6
    assert loss(0.0) == np.mean(Y**2)
