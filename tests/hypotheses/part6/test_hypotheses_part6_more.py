"""Part VI, pretraining and several tasks: with its hypotheses a theorem's conclusion is seen; without one it is not."""

import numpy as np
import pytest
from numbers_of_diagonal import EQUAL, X, Y, coefficients, pull, trained
from numbers_of_flows import flow

from mtlbook_lib.theory import implicit_bias, interpolation

AUX, GAMMA, ALPHA = np.array([1.0, -0.5, 0.0, 0.3, 0.8, -0.2]), 0.1, 0.2


def pretrained(u0, v0, aux):
    """First layers of both pathways when a flow from `u0` and `v0` in both has reached the coefficients."""
    g = np.arcsinh(aux / (u0**2 + v0**2)) / 2
    return u0 * np.cosh(g) + v0 * np.sinh(g), u0 * np.cosh(g) - v0 * np.sinh(g)


def width(up, um, gamma_up=GAMMA, gamma_um=GAMMA):
    return implicit_bias.pathway_invariants(up, gamma_up, um, gamma_um)[0]


def test_prop_finetune_layer__equal_weights_at_the_start():
    root = np.sqrt(AUX**2 + 4 * ALPHA**4)
    for u0, v0, met in ((ALPHA, ALPHA, True), (1.5 * ALPHA, 0.5 * ALPHA, False)):
        up = pretrained(u0, v0, AUX)[0]
        assert (np.abs(up**2 - (root + AUX) / 2).max() < 1e-9) == met
        assert met or np.abs(up**2 - (root + AUX) / 2).max() > 0.02


def test_thm_finetune__equal_weights_at_the_start_and_readouts():
    law = np.sqrt((AUX / 2) ** 2 + (ALPHA**2 + GAMMA**2) ** 2)
    up, um = pretrained(ALPHA, ALPHA, AUX)
    assert np.allclose(width(up, um), law)
    assert np.abs(width(*pretrained(1.5 * ALPHA, 0.5 * ALPHA, AUX)) - law).max() > 0.02
    assert np.abs(width(up, um, gamma_up=0.5) - law).max() > 0.02


def test_thm_finetune__independent_rows():
    up, um = pretrained(ALPHA, ALPHA, AUX)
    start = np.stack([up, np.full(6, GAMMA), um, np.full(6, GAMMA)])
    least = interpolation.min_penalty(X, Y, width(up, um), GAMMA * (up - um))
    assert np.allclose(coefficients(trained(start)), least, atol=1e-4)
    twice = trained(start, np.concatenate([X, X[:1]]), np.append(Y, Y[0] + 1))
    assert abs(X[0] @ coefficients(twice) - Y[0]) > 0.3


def test_thm_finetune__first_weights_far_below_the_old_coefficient():
    """The start is about the readout times the root of the coefficient only then."""
    for alpha, met in ((0.01, True), (0.3, False)):
        up, um = pretrained(alpha, alpha, np.array([-2.0, 0.05]))
        off = (up - um) / (np.array([-1, 1]) * np.sqrt([2.0, 0.05])) - 1
        assert (np.abs(off).max() < 0.01) == met
        assert met or off[1] < -0.5


def test_prop_finetune_limits__far_from_the_old_coefficient():
    def gaps(ratio):
        exact = implicit_bias.finetuning_penalty(ratio, 1.0, 1e-9, 1e-9)
        return abs(exact / (2 * ratio**2) - 1), abs(exact / (2 * ratio * (np.log(4 * ratio) - 1)) - 1)

    assert gaps(1e-3)[0] < 1e-3
    assert gaps(1e4)[1] < 1e-3
    assert min(gaps(0.7)) > 0.1


def test_prop_finetune_limits__the_readout_first():
    """The start is of the order of the readout: a coefficient far below the readout has no quadratic penalty."""
    beta = 1e-3
    assert implicit_bias.finetuning_penalty(beta, 1.0, 1e-9, 1e-9) == pytest.approx(2 * beta**2, rel=1e-4)
    assert implicit_bias.finetuning_penalty(beta, 1.0, 1e-9, 1e-2) > 50 * 2 * beta**2


def test_prop_finetune_probing__the_readout_alone():
    up, um = pretrained(ALPHA, ALPHA, AUX)
    start = np.stack([up, np.full(6, GAMMA), um, np.full(6, GAMMA)])
    frozen = np.array([0.0, 1.0, 0.0, 1.0])[:, None]
    law = interpolation.min_weighted_l2(X, Y, up**2 + um**2, GAMMA * (up - um))
    assert np.allclose(coefficients(flow(lambda w: frozen * pull(w), start, 300.0, 6000)), law, atol=1e-4)
    assert np.abs(coefficients(trained(start)) - law).max() > 0.02


def probed(x, y, first):
    """Coefficients and loss after gradient flow on readouts that start at zero, both pathways alike."""
    frozen, zero = np.array([0.0, 1.0, 0.0, 1.0])[:, None], np.zeros(len(first))
    beta = coefficients(flow(lambda w: frozen * pull(w, x, y), np.stack([first, zero, first, zero]), 100.0, 2000))
    return beta, np.mean((y - x @ beta) ** 2)


def test_prop_finetune_probing__independent_rows():
    labels = np.array([1.0, 2.0])
    beta, loss = probed(np.eye(3)[:2], labels, np.ones(3))
    assert np.allclose(beta, [1, 2, 0])
    assert loss < 1e-12
    beta, loss = probed(np.eye(3)[[0, 0]], labels, np.ones(3))
    assert beta == pytest.approx([1.5, 0, 0])
    assert loss == pytest.approx(0.25)


def test_prop_finetune_probing__a_first_layer_that_is_not_zero():
    assert probed(np.eye(3)[:2], np.array([1.0, 2.0]), np.array([1.0, 0.5, 1.0]))[1] < 1e-12
    assert probed(np.eye(3)[:2], np.array([1.0, 2.0]), np.array([1.0, 0.0, 1.0]))[1] == pytest.approx(2)


@pytest.mark.parametrize(("kind", "met"), [("met", True), ("first layer moves", False), ("unequal readouts", False)])
def test_thm_probe_width__a_frozen_layer_and_equal_readouts(kind, met):
    up, um = pretrained(ALPHA, ALPHA, AUX)
    other = 3 * GAMMA if kind == "unequal readouts" else GAMMA
    start = np.stack([up, np.full(6, GAMMA), um, np.full(6, other)])
    moves = np.ones((4, 1)) if kind == "first layer moves" else np.array([0.0, 1.0, 0.0, 1.0])[:, None]
    end = flow(lambda w: moves * pull(w), start, 2.0)
    path = implicit_bias.probing_path(X, Y, up, um, GAMMA, 2.0)
    gap = np.abs(coefficients(end) - implicit_bias.probed_start(up, um, GAMMA, path)).max()
    assert (gap < 1e-6) == met
    assert met or gap > 0.02
    if met:
        exact = implicit_bias.pathway_invariants(end[0], end[1], end[2], end[3])[0]
        assert np.allclose(implicit_bias.probed_width(up, um, GAMMA, path), exact, atol=1e-6)


def test_prop_probe_distance__an_interpolator_and_a_frozen_layer():
    up, um = pretrained(ALPHA, ALPHA, AUX)
    w = np.stack([up, np.full(6, GAMMA), um, np.full(6, GAMMA)])
    sigma, b, h = up**2 + um**2, interpolation.min_l2(X, Y), 1e-6
    loss = np.mean((Y - X @ coefficients(w)) ** 2)

    def slope(target, moves):
        later = w + h * moves[:, None] * pull(w)
        return sum(s * np.sum((coefficients(v) - target) ** 2 / sigma) for s, v in ((1 / h, later), (-1 / h, w)))

    readout = np.array([0.0, 1.0, 0.0, 1.0])
    assert slope(b, readout) == pytest.approx(-4 * loss, rel=1e-3)
    assert abs(slope(0 * b, readout) / (-4 * loss) - 1) > 0.2
    assert abs(slope(b, np.ones(4)) / (-4 * loss) - 1) > 0.02


def charge(rng, rows):
    """Mean square by which three pretrained features miss, eight examples and a new signal of energy one."""
    x = rows(rng.normal(size=(40_000, 8, 4)))
    p, w = x[..., :3], x[..., 3]
    m = np.linalg.inv(p.swapaxes(1, 2) @ p)
    return np.mean(np.sum((m @ np.einsum("cnk,cn->ck", p, w)[..., None]) ** 2, axis=(1, 2)))


def test_prop_probe_charge__gaussian_inputs():
    rng = np.random.default_rng(0)
    assert charge(rng, lambda x: x) == pytest.approx(3 / 4, rel=0.05)
    scale = rng.choice([0.2, 3.0], size=(40_000, 8, 1))
    assert charge(rng, lambda x: scale * x) > 1.0  # rows of different sizes, of the same law in all directions


def test_prop_probe_charge__inputs_of_mean_zero():
    """Inputs with a mean in common pass on the new signal's mean as well."""
    rng = np.random.default_rng(2)
    assert charge(rng, lambda x: x) == pytest.approx(3 / 4, rel=0.05)
    assert charge(rng, lambda x: x + 1.0) > 1.15 * 3 / 4


def test_prop_probe_unseen__orthogonal_and_an_axis():
    rng = np.random.default_rng(1)
    z = np.linalg.svd(X)[2][-1]
    w, v = rng.normal(size=(4, 6)), rng.normal(size=4)
    moved = np.outer(v, X.T @ (Y - X @ w.T @ v))  # the gradient of a first layer
    assert np.abs(moved @ z).max() < 1e-9
    assert np.abs(moved @ X[0]).max() > 0.1
    # A diagonal network: an axis without data stays, a direction without data does not.
    blind = X * np.array([1, 1, 1, 1, 1, 0.0])
    assert coefficients(trained(EQUAL * 1.2, blind))[5] == pytest.approx(coefficients(EQUAL)[5], abs=1e-12)
    assert abs(coefficients(trained(EQUAL)) @ z) > 0.02


def test_prop_probe_unseen__until_the_loss_is_gone():
    """Five of six axes have data: probing and tuning agree at the end, and not on the way."""
    x, aim = 2 * np.eye(6)[:5], np.array([1.0, -0.5, 0.4, 0.0, 0.2, 0.0])
    start = np.stack([np.linspace(0.5, 1, 6), np.full(6, 0.2), np.full(6, 0.3), np.full(6, 0.2)])
    layers = np.array([0, 1, 0, 1])[:, None]  # the readouts are trained

    def ends(time):
        probed = flow(lambda w: layers * pull(w, x, x @ aim), start, time, 2000)
        return coefficients(probed), coefficients(trained(start, x, x @ aim, time=time, steps=2000))

    assert np.abs(np.subtract(*ends(60.0))).max() < 1e-6
    assert np.abs(np.subtract(*ends(0.5))).max() > 0.05


def adam(w, gradient, steps, rate=0.05):
    """Kingma and Ba's method, which divides each entry of the mean gradient by the entry's own size."""
    mean, square = 0 * w, 0 * w
    for t in range(1, steps + 1):
        g = gradient(w)
        mean, square = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g**2
        w = w - rate * mean / (1 - 0.9**t) / (np.sqrt(square / (1 - 0.999**t)) + 1e-8)
    return w


def descent(w, gradient, steps, rate=0.05, decay=0.0):
    for _ in range(steps):
        w = w - rate * (gradient(w) + decay * w)
    return w


@pytest.mark.parametrize("method", ["descent", "Adam", "weight decay"])
def test_prop_probe_unseen__descent_without_decay(method):
    rng = np.random.default_rng(4)
    z, start, v = np.linalg.svd(X)[2][-1], rng.normal(size=(4, 6)), rng.normal(size=4)

    def gradient(w):
        return -2 / len(Y) * np.outer(v, X.T @ (Y - X @ w.T @ v))

    if method == "Adam":
        end = adam(start, gradient, 200)
    else:
        end = descent(start, gradient, 200, decay=0.1 if method == "weight decay" else 0.0)
    moved = np.linalg.norm((end - start) @ z) / np.linalg.norm(start @ z)
    assert np.linalg.norm((end - start) @ X.T) > 0.1  # it does learn
    assert moved < 1e-12 if method == "descent" else moved > 0.1


def invariant_width(u0, v0, s, gamma):
    up, um = pretrained(u0, v0, AUX)
    return width(s * up, s * um, gamma, gamma)


def test_thm_prior_width__both_pathways_alike_at_the_start():
    c, lam, s = 0.1, 0.4, 0.7
    u0, v0 = np.sqrt(c * (1 + lam) / 2), np.sqrt(c * (1 - lam) / 2)
    law = implicit_bias.finetuning_width(AUX, np.sqrt(c / 2), GAMMA, lam, s)
    assert np.allclose(invariant_width(u0, v0, s, GAMMA), law)
    g = 0.8  # one input, whose negative pathway starts empty
    up = u0 * np.cosh(g) + v0 * np.sinh(g)
    beta = up * (v0 * np.cosh(g) + u0 * np.sinh(g))
    one = implicit_bias.finetuning_width(beta, np.sqrt(c / 2), GAMMA, lam, s)
    assert abs(width(s * up, 0.0) / one - 1) > 0.1


def test_thm_prior_width__weights_that_are_not_negative():
    """The squares alone do not say where pretraining starts: with negative readouts it goes the other way."""
    c, lam, row = 0.1, -0.4, np.ones((1, 1))
    u0, v0 = np.sqrt(c * (1 + lam) / 2), np.sqrt(c * (1 - lam) / 2)

    def missed(sign):
        up, vp, um, vm = trained(np.array([[u0], [sign * v0], [u0], [sign * v0]]), row, np.array([0.6]))[:, 0]
        law = implicit_bias.finetuning_width(up * vp - um * vm, np.sqrt(c / 2), GAMMA, lam)
        start = implicit_bias.finetuning_start(up * vp - um * vm, np.sqrt(c / 2), GAMMA, lam)
        return abs(width(up, um) / law - 1) + abs(GAMMA * (up - um) - start)

    assert missed(1) < 1e-3
    assert missed(-1) > 0.05


def test_prop_nested_width__small_starts_and_a_reset_readout():
    s, alpha = 0.5, 0.2
    law = np.sqrt((s**2 * AUX / 2) ** 2 + (s**2 * alpha**2 + GAMMA**2) ** 2)
    up, um = pretrained(alpha, alpha, AUX)
    assert np.allclose(width(s * up, s * um), law)
    kept = implicit_bias.pathway_invariants(s * up, up, s * um, um)[0]  # the readout as pretraining left it
    assert np.abs(kept - law).max() > 0.05

    def order_law(x):
        return x * np.arcsinh(x) / (x * np.arcsinh(x) - np.sqrt(1 + x**2) + 1)

    tiny = implicit_bias.penalty_orders(0.3, 1.0, 1e-6, 1e-6, rescale=s)[0]
    assert tiny == pytest.approx(order_law(2 / s**2 * 0.3), abs=1e-3)
    assert abs(implicit_bias.penalty_orders(0.3, 1.0, 0.5, 0.8, rescale=s)[0] - order_law(2.4)) > 0.05


def test_prop_nested_width__equal_weights_before_pretraining():
    s, alpha, lam = 0.5, 0.5, 0.8
    law = np.sqrt((s**2 * AUX / 2) ** 2 + (s**2 * alpha**2 + GAMMA**2) ** 2)
    assert np.allclose(invariant_width(alpha, alpha, s, GAMMA), law)
    first, readout = alpha * np.sqrt(1 + lam), alpha * np.sqrt(1 - lam)  # as much weight in all
    assert np.abs(invariant_width(first, readout, s, GAMMA) / law - 1).max() > 0.2


def test_thm_prior_sum__all_scales_of_the_penalty():
    """The sum is 1 over all that has a size; with the imbalance following the width it is not."""
    terms = implicit_bias.penalty_orders(0.3, 1.0, 0.4, 0.2, imbalance=0.3)
    assert sum(terms) == pytest.approx(1, abs=1e-5)
    assert abs(sum(terms[:2]) - 1) > 0.05

    def log_penalty(t, lam):
        kappa = implicit_bias.finetuning_width(t, 0.4 * np.sqrt(t), 0.2 * np.sqrt(t), lam)
        start = implicit_bias.finetuning_start(t, 0.4 * np.sqrt(t), 0.2 * np.sqrt(t), lam)
        return np.log(implicit_bias.penalty_terms(0.3 * t, kappa, start))

    h = 1e-4
    assert (log_penalty(1 + h, 0.3) - log_penalty(1 - h, 0.3)) / (2 * h) == pytest.approx(1, abs=1e-3)
    assert abs((log_penalty(1 + h, 0.3 + h) - log_penalty(1 - h, 0.3 - h)) / (2 * h) - 1) > 0.02


def test_thm_prior_sum__a_start_far_below_the_coefficient():
    """The exchange without a leak needs a coefficient far above the start, which is of the order of the readout."""

    def both(beta, readout):
        return sum(implicit_bias.penalty_orders(beta, 1.0, 1e-9, readout)[:2])

    assert both(1.0, 1e-5) == pytest.approx(1, abs=1e-3)
    assert both(0.01, 1e-5) == pytest.approx(1, abs=2e-3)
    assert both(2e-5, 1e-5) == pytest.approx(2, abs=1e-3)
    assert both(1.2e-3, 1e-3) == pytest.approx(6, abs=0.01)
    assert both(-1e-3, 1e-3) == pytest.approx(0.5, abs=0.01)


def test_thm_prior_sum__a_readout():
    """Without one the other three terms sum to 1; log Q starts like the readout, and has no slope in its square."""
    assert sum(implicit_bias.penalty_orders(0.3, 1.0, 0.4, 0.0)[:3]) == pytest.approx(1, abs=1e-9)

    def slope(gamma):
        penalties = []
        for readout in (gamma, 0.0):
            width, start = (
                f(1.0, 0.4, readout) for f in (implicit_bias.finetuning_width, implicit_bias.finetuning_start)
            )
            penalties.append(implicit_bias.penalty_terms(0.3, width, start))
        return np.log(penalties[0] / penalties[1]) / gamma**2

    assert abs(slope(1e-4)) > 5 * abs(slope(1e-3)) > 25 * abs(slope(1e-2))


def test_thm_prior_sum__a_readout_far_below_the_width_of_the_mean():
    """With hardly any first layer before pretraining the mean of the pathways is hardly wider than the readout."""

    def both(imbalance, pathways):
        return sum(implicit_bias.penalty_orders(1.0, 1.0, 1e-5, 1e-4, imbalance, pathways=pathways)[:2])

    assert both(0.0, "average") == pytest.approx(1, abs=1e-3)
    assert both(-1 + 1e-9, "average") > 1.03
    assert both(-1 + 1e-9, "exact") == pytest.approx(1, abs=1e-3)


def test_prop_prior_range__a_first_layer_that_is_not_the_smaller_one():
    beta = np.geomspace(1e-3, 1e3, 60)[:, None]
    alpha = np.geomspace(1e-2, 1e2, 60)

    def least(imbalance):
        order, dependence, *_ = implicit_bias.penalty_orders(beta, 1.0, alpha, 0.0, imbalance=imbalance)
        return np.min(order + dependence)

    assert least(0.0) >= 1 - 1e-9
    assert least(0.5) >= 1 - 1e-9
    assert 2 * 0.6 / 1.6 < least(-0.8) < 0.8


def test_prop_prior_range__no_start():
    beta = np.geomspace(1e-2, 1e2, 80)
    order = implicit_bias.penalty_orders(beta, 1.0, 0.1, 0.0)[0]
    assert np.all((order > 1) & (order < 2))
    with_start = implicit_bias.penalty_orders(beta, 1.0, 0.1, 0.6)[0]
    assert np.any((with_start < 1) | (with_start > 2))


def test_prop_prior_range__a_width():
    beta = np.geomspace(1e-3, 1e3, 60)
    order, dependence, *_ = implicit_bias.penalty_orders(beta, 1.0, 1.0, 0.0, imbalance=-0.999, pathways="average")
    assert np.all((order + dependence >= 1) & (order + dependence <= 2))
    # At imbalance -1 the mean of the pathways is an empty first layer; without a readout nothing ever moves.
    g = 0.8  # v0 = 1 and u0 = 0 before pretraining
    up, um = np.sinh(g), -np.sinh(g)
    empty = np.array([[(up + um) / 2], [0.0], [(up + um) / 2], [0.0]])
    opened = np.array([[0.05], [0.0], [0.05], [0.0]])
    row, label = np.ones((1, 1)), np.array([-1.0])
    assert coefficients(trained(empty, row, label)) == 0
    assert coefficients(trained(opened, row, label)) == pytest.approx(-1, abs=1e-3)
    with pytest.raises(ValueError, match="width"):
        implicit_bias.penalty_orders(beta, 1.0, 1.0, 0.0, imbalance=-1.0, pathways="average")


def test_prop_prior_range__no_readout_or_a_small_one():
    """As run, the sum without a start tends to that without a readout, and a large readout lifts it."""

    def total(gamma, lam=-0.999, beta=0.003):
        def log_width(aux):
            return np.log(implicit_bias.finetuning_width(aux, 1.0, gamma, lam))

        chi = (log_width(1 + 1e-5) - log_width(1 - 1e-5)) / 2e-5
        x = beta / implicit_bias.finetuning_width(1.0, 1.0, gamma, lam)
        order = x * np.arcsinh(x) / (x * np.arcsinh(x) - np.sqrt(1 + x**2) + 1)
        return 1 + (order - 1) * (1 - chi)

    without = total(0.0)
    assert without < 0.5
    assert total(0.001) == pytest.approx(without, abs=0.001)
    assert total(3.0) > 0.9
