"""Part III read a second time: computations written anew from the definitions, against the numbers of the package."""

import numpy as np
import pytest
from scipy.optimize import brentq

from mtlbook_lib.theory import transfer

EPS = 1e-3


def pair_gram(q, rank=1):
    return np.block([[np.eye(rank), q * np.eye(rank)], [q * np.eye(rank), np.eye(rank)]])


def overlaps(s, aspect):
    """Squared overlaps (left, right) of data and teacher modes; 0 below threshold."""
    gap = np.maximum(s**4 - aspect, 0)
    return gap / (s**2 * (s**2 + aspect)), gap / (s**2 * (s**2 + 1))


def composite(strengths, gram, head_rank):
    scale = np.diag(np.concatenate(strengths))
    squares, modes = np.linalg.eigh(scale @ gram @ scale)
    visible = squares > 1e-9
    return np.sqrt(squares[visible]), (modes[:head_rank, visible] ** 2).sum(0)


def shrunk_head(strengths, gram, aspect, joint=False):
    """Error of the first head: each mode of the data gives it a parabola, with the best strength or the joint one."""
    sigma, weight = composite(strengths, gram, len(strengths[0]))
    n = len(strengths)
    left, right = overlaps(sigma, n * aspect)
    share = left * weight + (1 - left) / n
    signal = sigma**2 * left * right
    gain = signal * (2 * weight - share) if joint else signal * weight**2 / share
    return 1 - gain.sum() / np.sum(np.square(strengths[0]))


def learned(s, t):
    return s / (1 + np.exp(-2 * s * t[:, None]) * (s / EPS - 1))


def resolvents(z, aspect):
    """Normalised traces of z/(z^2 - noise), on rows and on columns, and minus the derivative of the first by z^2."""
    low, high = (1 - np.sqrt(aspect)) ** 2, (1 + np.sqrt(aspect)) ** 2

    def stieltjes(w):
        return (w - 1 + aspect - np.sqrt(w - low) * np.sqrt(w - high)) / (2 * aspect * w)

    w, h = z**2, 1e-5
    rows = stieltjes(w)
    return rows, aspect * rows + (1 - aspect) / w, (stieltjes(w - h) - stieltjes(w + h)) / (2 * h)


def contour_error(strengths, gram, n_outputs, n_inputs, t):
    """Mean error of the first head with all terms of order one, from resolvents on an ellipse around all modes."""
    n, energy = len(strengths), np.sum(np.square(strengths[0]))
    aspect = n * n_outputs / n_inputs
    sigma, weight = composite(strengths, gram, len(strengths[0]))
    seen = sigma[sigma**4 > aspect]
    edge = 1 + np.sqrt(aspect)
    top = max([edge, *np.sqrt((1 + seen**2) * (aspect + seen**2)) / seen]) + 0.25
    start = abs(1 - np.sqrt(aspect)) / 2
    angle = (np.arange(400) + 0.5) * 2 * np.pi / 400
    height = min(0.3, np.pi / (4 * t.max()))
    z = (top + start) / 2 + (top - start) / 2 * np.cos(angle) + 1j * height * np.sin(angle)
    dz = (-(top - start) / 2 * np.sin(angle) + 1j * height * np.cos(angle)) * 2 * np.pi / 400
    rows, columns, square = resolvents(z, aspect)
    x = learned(z, t)

    def around(values):
        return ((values * dz).sum(-1) / 2j / np.pi).real

    error = energy + around(2 * n_outputs * x**2 * z * rows)
    for s, w in zip(sigma, weight, strict=True):
        product = z**2 * rows * columns
        left = z**2 * (rows**2 * w + (square - rows**2) / n)
        right = (z**2 * square - rows) * aspect / n
        error -= 2 * s * w * around(x * 2 * s * product / (1 - s**2 * product))
        error += around(x**2 * 2 * s**2 * z * (columns * left + rows * right) / (1 - s**2 * product))
    # The spectrum of real Gaussian noise at finite size, shared by the heads.
    nodes = np.sqrt(1 + aspect + 2 * np.sqrt(aspect) * np.cos((np.arange(400) + 0.5) * np.pi / 400))
    ends = np.array([abs(1 - np.sqrt(aspect)) + 1e-12, edge])
    error += ((learned(ends, t) ** 2).sum(1) / 4 - (learned(nodes, t) ** 2).mean(1) / 2) / n
    return error / energy


PAIRS = [
    ([[3.0], [3.0]], pair_gram(0.5), 50),
    ([[0.84], [10.0]], pair_gram(0.9), 50),
    ([[2.0, 1.2], [5.0, 2.5]], pair_gram(0.9, 2), 40),
    ([[1.3, 0.8], [6.5, 3.5]], pair_gram(0.5, 2), 50),
    ([[2.0], [3.0], [1.5]], 0.6 + 0.4 * np.eye(3), 40),
]


@pytest.mark.claims("head-minimum", "benefit-first-order")
@pytest.mark.parametrize(("strengths", "gram", "n_outputs"), PAIRS)
def test_terms_of_order_one_from_resolvents(strengths, gram, n_outputs):
    t = np.linspace(0.3, 3, 60)
    wanted = contour_error(strengths, gram, n_outputs, 100, t)
    found = transfer.head_error(t, strengths, gram, n_outputs / 100, n_outputs, EPS, order=1)
    assert found == pytest.approx(wanted, abs=5e-6)


def drawn(rng, strengths, q, n_sets):
    """Stacked data and teacher of two tasks of similarity q times the identity, 50 outputs each and 100 inputs."""
    rank = len(strengths[0])
    base = np.linalg.qr(rng.standard_normal((n_sets, 100, 2 * rank)))[0]
    inputs = [base[..., :rank], q * base[..., :rank] + np.sqrt(1 - q**2) * base[..., rank:]]
    outputs = [np.linalg.qr(rng.standard_normal((n_sets, 50, rank)))[0] for _ in inputs]
    tasks = zip(outputs, strengths, inputs, strict=True)
    teacher = np.concatenate([(u * np.array(s)) @ v.swapaxes(1, 2) for u, s, v in tasks], axis=1)
    return teacher + rng.standard_normal(teacher.shape) / 10, teacher


def head_modes(data, teacher):
    """Singular values of the data, share of each left mode on the first head, and what it captures of its teacher."""
    left, values, right = np.linalg.svd(data, full_matrices=False)
    own, target = left[:, :50], teacher[:, :50]
    return values, (own**2).sum(1), np.einsum("bik,bij,bkj->bk", own, target, right)


def mean_curve(data, teacher, t):
    values, share, caught = head_modes(data, teacher)
    energy = (teacher[:, :50] ** 2).sum((1, 2))[:, None]
    x = np.stack([learned(s, t) for s in values])
    return 1 + ((x**2 * share[:, None]).sum(2) - 2 * (x * caught[:, None]).sum(2)) / energy


@pytest.mark.claims("benefit-leading-order", "benefit-first-order")
def test_a_mode_below_threshold_turns_the_sign_of_the_benefit():
    strengths, t = [[1.3, 0.8], [6.5, 3.5]], np.linspace(0.3, 4, 80)
    data, teacher = drawn(np.random.default_rng(4), strengths, 0.5, 60)
    alone, joint = mean_curve(data[:, :50], teacher[:, :50], t), mean_curve(data, teacher, t)
    gain = alone[:, alone.mean(0).argmin()] - joint[:, joint.mean(0).argmin()]
    error = gain.std(ddof=1) / np.sqrt(len(gain))

    def benefit(order):
        one = transfer.best_head_stopping(strengths[:1], np.eye(2), 0.5, 50, EPS, order=order)[0]
        return one - transfer.best_head_stopping(strengths, pair_gram(0.5, 2), 0.5, 50, EPS, order=order)[0]

    assert gain.mean() < -4 * error < 0 < benefit(0)
    assert benefit(1) == pytest.approx(gain.mean(), abs=4 * error + 0.005)


@pytest.mark.claims("heads-rule-theory")
def test_the_head_rule_on_data():
    data, teacher = drawn(np.random.default_rng(5), [[2.0], [4.0]], 0.6, 10)
    values, share, _ = head_modes(data, teacher)
    s_hat, share = values[:, :2], share[:, :2]
    shifted = s_hat**2 - 2
    sigma = np.sqrt((shifted + np.sqrt(np.maximum(shifted**2 - 4, 0))) / 2)
    left, right = overlaps(sigma, 1.0)
    weight = np.clip((share - (1 - left) / 2) / np.maximum(left, 1e-12), 0, 1)
    wanted = np.where(s_hat > 2, sigma * weight * np.sqrt(left * right) / share, 0)
    plain = (weight > 0) & (weight < 1)  # where nothing is clipped the share that is used is the measured one
    found = transfer.head_shrinkage(s_hat, share, 0.5, 2)
    assert plain.sum() > 10
    assert found[plain] == pytest.approx(wanted[plain], rel=1e-7)


@pytest.mark.claims("heads-price-law")
def test_the_price_of_estimating_shares():
    r = np.random.default_rng(6).chisquare(50, 400_000) / 50
    loss = 0.5 / 0.25 * np.maximum(r - 1, 0) ** 2 / r
    error = loss.std() / np.sqrt(loss.size)
    assert transfer.share_price(0.5, 50, 0.5) == pytest.approx(loss.mean(), abs=5 * error)


@pytest.mark.claims("heads-border-law")
@pytest.mark.parametrize(("heads", "aspect"), [(2, 0.5), (3, 0.5), (2, 1.0)])
def test_the_border_of_strong_tasks_alike(heads, aspect):
    s = 8.0

    def harm(q):
        gram = q + (1 - q) * np.eye(heads)
        return shrunk_head([[s]] * heads, gram, aspect) - shrunk_head([[s]], np.eye(1), aspect)

    border = brentq(harm, 1 - 1.5 / s**2, 1 - 0.8 / s**2)
    assert border == pytest.approx(1 - s**-2 + (1 + 1 / heads - aspect) * s**-4, abs=3 * s**-6)
    assert transfer.alike_error(s, border, heads, aspect) == pytest.approx(
        transfer.alike_error(s, border, 1, aspect), abs=1e-8
    )


def favoured_alike(s, q, heads, aspect):
    """Error of tasks alike if one of the equally strong difference modes carries all that the first head has of them.

    The data show these modes in a basis of their own choice, and none is better for the head than this one.
    """
    error = np.ones_like(heads)
    for square, weight in ((s**2 * (1 + (heads - 1) * q), 1 / heads), (s**2 * (1 - q) + 0 * heads, 1 - 1 / heads)):
        left, right = overlaps(np.sqrt(np.maximum(square, 1e-12)), heads * aspect)
        share = np.maximum(left * weight + (1 - left) / heads, 1e-12)
        error -= square * left * right * weight**2 / share / s**2
    return error


@pytest.mark.claims("heads-all-or-none")
@pytest.mark.parametrize("aspect", [0.5, 0.7, 1.0, 3.0])
def test_a_few_companions_are_never_best_even_in_the_favoured_basis(aspect):
    heads = np.unique(np.round(np.geomspace(1, 1e8, 90)))
    gains = []
    for s in np.geomspace(0.3, 30, 25):
        for q in np.r_[np.linspace(0, 1, 41), 1 - np.geomspace(1e-4, 0.1, 30), s**2 / (1 + s**2)]:
            error = favoured_alike(s, q, heads, aspect)
            gains.append(np.max(np.minimum(error[0], error) - np.minimum.accumulate(error)))
    assert max(gains) < 1e-8


@pytest.mark.claims("heads-few-best")
def test_one_companion_can_be_best_below_an_aspect_of_one_half():
    s, aspect = 100.0, 0.25
    error = favoured_alike(s, 1 - s**-2, np.array([1.0, 2.0, 1e6]), aspect)
    gain = (1 - 2 * aspect) ** 2 / (4 * (1 + 2 * aspect)) / s**2
    assert error[0] - error[1:] == pytest.approx([gain, 0], abs=0.01 * gain)
    assert transfer.alike_error(s, 1 - s**-2, 2, aspect) == pytest.approx(error[1], abs=1e-9)
