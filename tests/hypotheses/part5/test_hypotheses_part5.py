"""Part V: with its hypotheses a theorem's conclusion is seen in numbers; without one of them it is not."""

import numpy as np
import pytest
from numbers_of_flows import flow, frame

from mtlbook_lib.theory import hard_sharing


def angle(a, b):
    """The acute angle of two lines."""
    return np.arccos(np.clip(abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b), 0, 1))


def half(a, b):
    """Tangent of half the angle of two vectors."""
    return np.tan(np.arccos(np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), -1, 1)) / 2)


def conditioned(rng, values):
    """Inputs with the given singular values, the last of which may be 0."""
    return frame(rng, 6, len(values)) * np.asarray(values) @ frame(rng, len(values), len(values)).T


def kappa(x):
    values = np.linalg.svd(x, compute_uv=False)
    return values[0] / values[values > 1e-9][-1]


@pytest.mark.parametrize(("values", "full"), [([2.0, 1.0, 0.5], True), ([2.0, 0.5, 0.0], False)])
def test_prop_angles_sharp__full_column_rank(values, full):
    rng = np.random.default_rng(0)
    x = conditioned(rng, values)
    pairs = rng.normal(size=(2000, 2, 3))
    ratio = min(half(x @ a, x @ b) * kappa(x) / half(a, b) for a, b in pairs)
    assert (ratio >= 1) == full
    assert full or ratio < 0.5


def head_error(x, b, theta, head=None, noise=0.0):
    f = x @ b
    head = f @ (x @ theta + noise) / (f @ f) if head is None else head
    return np.linalg.norm(b * head - theta) / np.linalg.norm(theta)


def worst_head(rng, x, **changes):
    theta, k, shares = rng.normal(size=3), kappa(x), []
    for _ in range(2000):
        b = theta / np.linalg.norm(theta) + 0.5 * rng.normal(size=3)
        b /= np.linalg.norm(b)
        shares.append(head_error(x, b, theta, **changes) / ((k + 1 / k) / 2 * np.sin(angle(b, theta))))
    return max(shares)


def test_prop_angles_head__full_rank_the_best_head_and_no_noise():
    rng = np.random.default_rng(1)
    x = conditioned(rng, [2.0, 1.0, 0.5])
    assert worst_head(rng, x) <= 1
    assert worst_head(rng, x, head=0.3) > 1.2
    assert worst_head(rng, x, noise=rng.normal(size=6)) > 1.2
    assert worst_head(rng, conditioned(rng, [2.0, 1.9, 0.0])) > 1.2


def two_tasks(rng, m=8, d=3):
    x1, x2 = rng.normal(size=(2, m, d))
    return x1, x2, rng.normal(size=m) * 2, rng.normal(size=m)


def source_sine(x1, x2, y1, y2, b):
    """The sine in the source, and its bound."""
    fit1, fit2 = np.linalg.pinv(x1) @ y1, np.linalg.pinv(x2) @ y2
    share = np.linalg.norm(x2 @ fit2) / np.linalg.norm(x1 @ fit1)
    return np.sin(angle(x1 @ b, x1 @ fit1)), share * np.sin(angle(x2 @ fit1, x2 @ fit2))


def test_prop_angles_data__a_maximum():
    rng = np.random.default_rng(2)
    problems = [two_tasks(rng) for _ in range(20)]
    for x1, x2, y1, y2 in problems:
        sine, bound = source_sine(x1, x2, y1, y2, hard_sharing.rank_one_optimum([x1, x2], [y1, y2])[0])
        assert sine <= bound + 1e-7
    elsewhere = [np.subtract(*source_sine(*p, rng.normal(size=3))) for p in problems]
    assert max(elsewhere) > 0.2


def test_prop_angles_data__labels_that_the_inputs_can_explain():
    """Labels off the columns of the source's inputs have no fit, so no angle to it, and no bound."""
    x1, x2, y1, y2 = two_tasks(np.random.default_rng(5))
    off = y1 - x1 @ np.linalg.pinv(x1) @ y1
    for share in (1.0, 0.01):  # of what the inputs explain
        labels = off + share * (y1 - off)
        best = hard_sharing.rank_one_optimum([x1, x2], [labels, y2])[0]
        sine, bound = source_sine(x1, x2, labels, y2, best)
        assert sine <= bound + 1e-7
    best = hard_sharing.rank_one_optimum([x1, x2], [np.zeros_like(y1), y2])[0]
    with np.errstate(all="ignore"):
        assert not np.all(np.isfinite(source_sine(x1, x2, np.zeros_like(y1), y2, best)))


def angles_bound(x1, theta, y2_norm, sigma, delta=0.1):
    d, ell = x1.shape[1], np.sqrt(2 * np.log(2 / delta))
    e, t = sigma * (np.sqrt(d - 1) + ell), np.linalg.norm(x1 @ theta) - sigma * ell
    psi = np.arcsin(y2_norm / t) + np.arctan(e / t)
    return 2 * np.arctan(kappa(x1) * np.tan(psi / 2))


def test_thm_angles__noise_apart_from_the_inputs():
    rng = np.random.default_rng(3)
    m, theta, inside = 200, np.array([1.0, 0.0, 0.0]), []
    for adverse in (False, True):
        met = []
        for _ in range(15):
            x1, x2 = rng.normal(size=(m, 3)), rng.normal(size=(6, 3))
            noise = 1.5 * rng.normal(size=m)
            if adverse:  # of the same size, along one input
                noise = np.linalg.norm(noise) * x1[:, 1] / np.linalg.norm(x1[:, 1])
            y2 = x2 @ theta * 0.1
            b = hard_sharing.rank_one_optimum([x1, x2], [x1 @ theta + noise, y2])[0]
            met.append(angle(b, theta) <= angles_bound(x1, theta, np.linalg.norm(y2), 1.5))
        inside.append(np.mean(met))
    assert inside[0] >= 0.9
    assert inside[1] < 0.2


def test_thm_angles__noise_of_mean_zero():
    """Inputs with a mean explain a mean of the noise."""
    rng = np.random.default_rng(4)
    theta, met = np.array([1.0, 0.0, 0.0]), {0.0: [], 4.0: []}
    for mean, inside in met.items():
        for _ in range(15):
            x1, x2 = rng.normal(size=(200, 3)) + np.array([0.0, 1.0, 0.0]), rng.normal(size=(6, 3))
            noise, y2 = 1.5 * rng.normal(size=200) + mean, x2 @ theta * 0.1
            b = hard_sharing.rank_one_optimum([x1, x2], [x1 @ theta + noise, y2])[0]
            inside.append(angle(b, theta) <= angles_bound(x1, theta, np.linalg.norm(y2), 1.5))
    assert np.mean(met[0.0]) >= 0.9
    assert np.mean(met[4.0]) < 0.2


def test_prop_angles_alone__full_column_rank():
    rng = np.random.default_rng(4)
    for values, full in (([2.0, 1.0, 0.5], True), ([2.0, 1.0, 0.0], False)):
        shares = []
        for _ in range(100):
            x, theta, noise = conditioned(rng, values), rng.normal(size=3), 0.05 * rng.normal(size=6)
            error = np.linalg.norm(np.linalg.pinv(x) @ noise + np.linalg.pinv(x) @ x @ theta - theta)
            law = kappa(x) * np.linalg.norm(noise) / np.linalg.norm(x @ theta)
            shares.append(error / np.linalg.norm(theta) / law)
        assert (max(shares) <= 1) == full
        assert full or max(shares) > 2


def kept_error(rng, s, n=200):
    """Squared error of one kept direction of strength s, for half as many tasks as inputs."""
    errors = []
    for _ in range(6):
        clean = s * frame(rng, n, 1) @ frame(rng, 2 * n, 1).T
        left, values, right = np.linalg.svd(clean + rng.normal(size=(n, 2 * n)) / np.sqrt(2 * n), full_matrices=False)
        errors.append(np.sum((values[0] * np.outer(left[:, 0], right[0]) - clean) ** 2))
    return np.mean(errors)


def test_prop_capacity_error__visible_strengths():
    rng = np.random.default_rng(5)
    assert kept_error(rng, 2.0) == pytest.approx(1.5 + 1.5 / 4, abs=0.15)
    assert abs(kept_error(rng, 0.5) - (1.5 + 1.5 / 0.25)) > 3  # as (1 + sqrt A)² + s² it is about 3


def kernel(x, u, v):
    return 2 * np.mean(np.maximum(x @ u, 0) * np.maximum(x @ v, 0))


def g(phi):
    return np.cos(phi) + (np.sin(phi) - phi * np.cos(phi)) / np.pi


def test_prop_cosine_kernel__gaussian_inputs_and_unit_vectors():
    rng = np.random.default_rng(6)
    u, v = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    gaussian = rng.normal(size=(200_000, 2))
    assert abs(kernel(gaussian, u, v) - g(np.pi / 2)) < 0.01
    assert abs(kernel(rng.choice([-1.0, 1.0], size=(200_000, 2)), u, v) - g(np.pi / 2)) > 0.1
    assert abs(kernel(gaussian, 2 * u, v) - g(np.pi / 2)) > 0.1


def test_thm_relu__the_deviation_of_the_kernel():
    """The second link with the deviation that the inputs have, and with none."""
    rng = np.random.default_rng(7)
    gaps = []
    for _ in range(300):
        x = rng.normal(size=(12, 2))
        b, theta = (w / np.linalg.norm(w) for w in rng.normal(size=(2, 2)))
        p, q = np.maximum(x @ b, 0), np.maximum(x @ theta, 0)
        if not (p.any() and q.any()):
            continue
        pairs = ((b, theta), (b, b), (theta, theta))
        delta = max(abs(kernel(x, u, v) - g(np.arccos(np.clip(u @ v, -1, 1)))) for u, v in pairs)
        cosine, left = p @ q / np.linalg.norm(p) / np.linalg.norm(q), (1 - b @ theta) / 2
        gaps.append((left - (1 - (1 - delta) * cosine + delta), left - (1 - cosine)))
    with_delta, without = np.max(gaps, axis=0)
    assert with_delta <= 1e-12
    assert without > 0.05


def test_thm_relu__an_optimum():
    """The first link: features of the best direction, and of another."""
    rng = np.random.default_rng(8)
    angles, worst = np.linspace(0, 2 * np.pi, 721), []
    for _ in range(40):
        x1, x2 = rng.normal(size=(2, 20, 2))
        q, e1, y2 = np.maximum(x1[:, 0], 0), 0.1 * rng.normal(size=20), 0.2 * rng.normal(size=20)
        directions = np.stack([np.cos(angles), np.sin(angles)])
        features = [np.maximum(x @ directions, 0) for x in (x1, x2)]
        f1, f2 = (f / np.maximum(np.linalg.norm(f, axis=0), 1e-12) for f in features)
        energy = ((q + e1) @ f1) ** 2 + (y2 @ f2) ** 2
        for p in (f1[:, np.argmax(energy)], f1[:, 240]):
            r, e = np.linalg.norm(q), max(abs(p @ e1), abs(q @ e1) / np.linalg.norm(q))
            bound = np.sqrt((1 - e / r) ** 2 - y2 @ y2 / r**2) - e / r
            worst.append(bound - p @ q / r)
    best, other = np.reshape(worst, (-1, 2)).T
    assert best.max() < 1e-3
    assert other.max() > 0.2


def aligned(x, y, b, a, time, train_head):
    """The model after Algorithm 1, by the flow of the map in front of the shared layer, and of the head."""
    d = x.shape[1]

    def force(packed):
        r, head = packed[:-1].reshape(d, d), packed[-1]
        pull = x.T @ (y - x @ (r @ b * head))
        return np.append(np.outer(pull, b * head).ravel(), (r @ b) @ pull if train_head else 0.0)

    end = flow(force, np.append(np.eye(d).ravel(), a), time)
    return end[:-1].reshape(d, d) @ b * end[-1]


def test_prop_align_path__half_the_sum_of_squares():
    """Without the half the same path is run twice as fast."""
    rng = np.random.default_rng(9)
    x, y, b, a, t = rng.normal(size=(3, 5)), rng.normal(size=3), rng.normal(size=5), 0.7, 0.15
    values, axes = np.linalg.eigh(x.T @ x)
    w = np.linalg.pinv(x) @ y
    law = w + axes * np.exp(-(a**2) * (b @ b) * t * values) @ axes.T @ (b * a - w)
    assert np.abs(aligned(x, y, b, a, t, train_head=False) - law).max() < 1e-6
    assert np.abs(aligned(x, y, b, a, 2 * t, train_head=False) - law).max() > 0.02


@pytest.mark.parametrize("held", [True, False])
def test_prop_align_path__a_head_that_is_held(held):
    rng = np.random.default_rng(9)
    x, y, b, a, t = rng.normal(size=(3, 5)), rng.normal(size=3), rng.normal(size=5), 0.7, 0.15
    s, w = x.T @ x, np.linalg.pinv(x) @ y
    values, axes = np.linalg.eigh(s)
    law = w + axes * np.exp(-(a**2) * (b @ b) * t * values) @ axes.T @ (b * a - w)
    gap = np.abs(aligned(x, y, b, a, t, not held) - law).max()
    assert (gap < 1e-6) == held
    assert held or gap > 0.02
