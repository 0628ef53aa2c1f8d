"""Part V, minima and features: with its hypotheses a theorem's conclusion is seen; without one of them it is not."""

from itertools import combinations

import numpy as np
import pytest
from numbers_of_flows import frame


def errors_left(rectified=True, offset=True):
    """Least squared errors of the tasks max(0, x) and |x| at three points: one unit each, one module of two, two each.

    Up to its scale a unit is a constant, or rises or falls from its kink.
    """
    x = np.array([-1.0, 0.0, 1.0])
    lines = [np.ones(3), *(s * (x - k) for s in (1, -1) for k in np.linspace(-3, 3, 13))]
    units = [np.maximum(line, 0) if rectified else line for line in lines]
    labels = np.stack([np.maximum(x, 0), np.abs(x)], axis=1)

    def left(chosen):
        features = np.stack([*chosen, np.full(3, float(offset))], axis=1)
        rest = labels - features @ np.linalg.pinv(features) @ labels
        return np.sum(rest**2, axis=0)

    one, two = (np.array([left(c) for c in combinations(units, n)]) for n in (1, 2))
    return one.min(axis=0).sum(), two.sum(axis=1).min(), two.min(axis=0).sum()


def test_prop_capacity_stacked__rectified_units_and_heads_with_offsets():
    assert errors_left() == pytest.approx((0.5, 0, 0), abs=1e-12)
    apart, together, _ = errors_left(rectified=False)
    assert apart == pytest.approx(together)  # linear units side by side are optimal
    assert apart > 0.8
    assert errors_left(offset=False)[0] == pytest.approx(2 / 3)


@pytest.mark.parametrize("dropped", ["nothing", "orthogonal", "orthonormal", "positive"])
def test_prop_cosine_mixture__orthonormal_columns_orthogonal_spans_and_a_positive_share(dropped):
    rng = np.random.default_rng(0)
    first, other = np.split(frame(rng, 9, 6), 2, axis=1)
    alpha = -0.5 if dropped == "positive" else 0.5
    if dropped == "orthogonal":
        other = frame(rng, 9, 3)
    elif dropped == "orthonormal":
        other = other * [0.5, 1.0, 2.0]
    second = np.linalg.qr(alpha * first + (1 - alpha) * other)[0]
    off = np.abs(np.linalg.svd(first.T @ second)[1] - alpha / np.hypot(alpha, 1 - alpha)).max()
    assert (off < 1e-12) == (dropped == "nothing")
    assert dropped == "nothing" or off > 0.1


@pytest.mark.parametrize(
    ("kind", "met"), [("met", True), ("one for all", False), ("large", False), ("seldom, but then large", False)]
)
def test_prop_cosine_norm__independent_standard_normal_numbers(kind, met):
    rng = np.random.default_rng(1)
    m, delta = 200, 0.05
    x = rng.normal(size=(4000, m))
    if kind == "one for all":
        x = np.repeat(x[:, :1], m, axis=1)
    elif kind == "large":
        x = 2 * x
    elif kind == "seldom, but then large":  # of variance 1
        x = 10 * x * (rng.random(x.shape) < 0.01)
    norms = np.linalg.norm(np.maximum(x, 0), axis=1)
    outside = np.mean(np.abs(norms - np.sqrt(m / 2)) > np.sqrt(2 * np.log(2 / delta)) + 1 / np.sqrt(m))
    assert (outside <= delta) == met
    assert met or outside > 0.2


def test_prop_feature_rotation__unequal_axes_and_standard_normal_entries():
    rng = np.random.default_rng(2)
    d, r, q = np.array([3.0, 3.0, 1.0]), rng.normal(size=(200_000, 3)), frame(rng, 3, 3)

    def off(rows):
        return np.abs(rows.T @ rows / len(rows) - np.diag(d**2)).max()

    assert off(r * d @ q.T) > 1
    among_equals = np.eye(3)
    among_equals[:2, :2] = frame(rng, 2, 2)
    assert off(r * d @ among_equals.T) < 0.15  # it commutes with the square of d
    assert off(r @ q * d) < 0.15
    assert off(r * [1.0, 2.0, 1.0] @ q * d) > 1

    def fourth(rows):
        return np.mean(rows[:, 2] ** 4)

    signs = np.sign(r)
    assert fourth(r @ q * d) == pytest.approx(fourth(r * d), rel=0.05)
    assert fourth(signs @ q * d) > fourth(signs * d) + 0.3  # white, but the law is another


def best_heads(xs, ys, b):
    return np.array([y @ x @ b / np.sum((x @ b) ** 2) for x, y in zip(xs, ys, strict=True)])


def loss(xs, ys, b, heads):
    return sum(np.sum((x @ b * a - y) ** 2) for x, y, a in zip(xs, ys, heads, strict=True))


def valleys(xs, ys, count=300):
    """Directions of the least losses of one shared column, with the best heads, and these losses."""
    turn = np.linspace(0, np.pi, count, endpoint=False)
    bs = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    left = np.array([loss(xs, ys, b, best_heads(xs, ys, b)) for b in bs])
    low = (left < np.roll(left, 1)) & (left <= np.roll(left, -1))
    return bs[low], left[low]


def test_prop_sharing_minima__equal_covariances():
    rng = np.random.default_rng(3)
    root = np.diag([1.0, 0.1])
    for _ in range(10):
        same = [c * frame(rng, 4, 2) @ root for c in (1.0, 2.0)]
        assert len(valleys(same, rng.normal(size=(2, 4)))[0]) == 1
    xs, ys = [root, root[::-1, ::-1]], np.array([[1.0, 0.3], [0.5, 1.0]])
    directions, losses = valleys(xs, ys, 3000)
    assert len(losses) == 2
    assert losses.max() > losses.min() + 0.1
    b = directions[np.argmax(losses)]
    heads, fine = best_heads(xs, ys, b), 1e-2 * rng.normal(size=(2000, 4))
    around = [loss(xs, ys, b + step[:2], heads + step[2:]) for step in fine]
    assert min(around) > losses.max() - 1e-6  # a minimum over layer and heads, and not the lowest


@pytest.mark.parametrize(("weights", "met"), [((1.0, 1.0), True), ((1.0, 4.0), False)])
def test_eq_feature_h__weights_of_one(weights, met):
    rng = np.random.default_rng(5)
    inputs, labels = rng.normal(size=(2, 6, 2)), rng.normal(size=(2, 6))
    angles = np.linspace(0, np.pi, 2001)
    features = np.stack([np.cos(angles), np.sin(angles)], axis=1) @ inputs.transpose(0, 2, 1)
    explained = np.einsum("tan,tn->ta", features, labels) ** 2 / np.sum(features**2, axis=2)
    h = explained.sum(axis=0)
    loss = np.array(weights) @ (np.sum(labels**2, axis=1)[:, None] - explained)
    assert (abs(loss.min() - np.sum(labels**2) + h.max()) < 1e-9) == met
    assert met or abs(np.argmin(loss) - np.argmax(h)) > 20
