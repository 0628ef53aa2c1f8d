"""Sharing solved, read a second time: descent by BFGS on the definition, and greedy directions found by it."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import rankdata
from sklearn.datasets import load_digits

from mtlbook_lib.theory import hard_sharing

WEIGHTS, SCALES = [1, 2, 0.5, 3], [1, 2, 0.5, 1.5]


def orthonormal(rng, rows, columns):
    return np.linalg.qr(rng.standard_normal((rows, columns)))[0]


def tasks(rng, n_tasks=4, n_examples=12, d=5, scales=SCALES, same_axes=True):
    """Inputs of condition number three, each with its scale, in the same axes or in axes of their own; noisy labels."""
    axes = orthonormal(rng, d, d)
    xs = [
        np.sqrt(scale)
        * (orthonormal(rng, n_examples, d) * np.geomspace(3, 1, d))
        @ (axes if same_axes else orthonormal(rng, d, d)).T
        for scale in scales[:n_tasks]
    ]
    return xs, [x @ rng.standard_normal(d) + rng.standard_normal(n_examples) for x in xs]


def descend(xs, ys, weights, capacity, starts, rng):
    """Where BFGS on layer and heads ends: losses and layers, from random starts."""
    d, k = xs[0].shape[1], len(xs)

    def loss(flat):
        layer, heads = flat[: d * capacity].reshape(d, -1), flat[d * capacity :].reshape(-1, k)
        models = layer @ heads
        missed = [x @ models[:, i] - y for i, (x, y) in enumerate(zip(xs, ys, strict=True))]
        value = sum(a * (r @ r) for a, r in zip(weights, missed, strict=True))
        pull = np.stack([2 * a * x.T @ r for a, x, r in zip(weights, xs, missed, strict=True)], axis=1)
        return value, np.concatenate([(pull @ heads.T).ravel(), (layer.T @ pull).ravel()])

    ends = []
    for _ in range(starts):
        run = minimize(loss, rng.standard_normal(capacity * (d + k)), jac=True, method="BFGS", options={"gtol": 1e-9})
        ends.append(run)
    return np.array([run.fun for run in ends]), [run.x[: d * capacity].reshape(d, -1) for run in ends]


def left_over(xs, ys, layer=None):
    """Loss of each task with the best head on a layer; alone, without one."""
    features = xs if layer is None else [x @ layer for x in xs]
    return np.array([np.sum((y - f @ np.linalg.pinv(f) @ y) ** 2) for f, y in zip(features, ys, strict=True)])


@pytest.mark.claims("sharing-gap-scales", "sharing-layer", "sharing-no-spurious")
@pytest.mark.parametrize("capacity", [1, 2, 3])
def test_gap_and_layer_of_equal_covariances(capacity):
    rng = np.random.default_rng(60 + capacity)
    xs, ys = tasks(rng)
    ends, layers = descend(xs, ys, WEIGHTS, capacity, 6, rng)
    layer, _, least = hard_sharing.shared_solution(xs, ys, capacity, WEIGHTS)
    assert ends == pytest.approx(least, rel=1e-9)  # no start ends elsewhere
    white = np.linalg.inv(np.linalg.cholesky(xs[0].T @ xs[0]))
    sums = sum(a / b * np.outer(x.T @ y, x.T @ y) for a, b, x, y in zip(WEIGHTS, SCALES, xs, ys, strict=True))
    tail = np.sort(np.linalg.eigvalsh(white @ sums @ white.T))[::-1][capacity:].sum()
    assert least - WEIGHTS @ left_over(xs, ys) == pytest.approx(tail, rel=1e-9)
    cosines = np.linalg.svd(np.linalg.qr(layer)[0].T @ np.linalg.qr(layers[0])[0], compute_uv=False)
    assert cosines == pytest.approx(1, abs=1e-8)


@pytest.mark.claims("sharing-spurious")
def test_other_axes_have_minima_that_are_not_the_best():
    rng = np.random.default_rng(70)
    excess = []
    for _ in range(4):
        xs, ys = tasks(rng, scales=[1, 1, 1, 1], same_axes=False)
        ends, _ = descend(xs, ys, [1, 1, 1, 1], 2, 8, rng)
        excess.append(ends.max() / ends.min() - 1)
    assert max(excess) > 0.01


def own_greedy(xs, ys, rng):
    """Energies and directions, one after the other, each by BFGS from eight starts."""
    rest, energies, directions = [x.copy() for x in xs], [], []
    for _ in range(xs[0].shape[1]):
        _, size, rows = np.linalg.svd(np.vstack(rest), full_matrices=False)
        rows = rows[size > 1e-8]

        def missed(c, rest=rest, rows=rows):
            features = [x @ (rows.T @ c) for x in rest]
            return -sum((f @ y) ** 2 / (f @ f) for f, y in zip(features, ys, strict=True))

        runs = [minimize(missed, rng.standard_normal(len(rows)), options={"gtol": 1e-9}) for _ in range(8)]
        best = min(runs, key=lambda run: run.fun)
        energies.append(-best.fun)
        directions.append(rows.T @ best.x)
        units = [x @ directions[-1] / np.linalg.norm(x @ directions[-1]) for x in rest]
        rest = [x - np.outer(u, u @ x) for x, u in zip(rest, units, strict=True)]
    return np.array(energies), np.transpose(directions)


@pytest.mark.claims("sharing-greedy-sum", "sharing-greedy-bound", "sharing-greedy-loses")
def test_greedy_energies_add_up_over_all_inputs_and_not_over_tasks():
    rng = np.random.default_rng(80)
    left = []
    for _ in range(4):
        xs, ys = tasks(rng, 2, 10, 4, [1, 1], same_axes=False)
        energies, directions = own_greedy(xs, ys, rng)
        explained = sum(y @ y for y in ys) - left_over(xs, ys).sum()
        assert energies.sum() == pytest.approx(explained, rel=1e-9)
        assert hard_sharing.greedy_energies(xs, ys) == pytest.approx(energies, rel=1e-5, abs=1e-5)
        left.append(1 - energies[:2].sum() / explained)
        lost = left_over(xs, ys, directions[:, :2]).sum() - left_over(xs, ys).sum()
        assert lost / explained == pytest.approx(left[-1], rel=1e-4)  # with two columns for two tasks
        one, _ = descend(xs, ys, [1, 1], 1, 4, rng)
        assert one.min() - left_over(xs, ys).sum() == pytest.approx(energies[1:].sum(), rel=1e-6)
    assert np.median(left) > 1e-3


@pytest.mark.claims("sharing-reweight", "sharing-reweight-limit", "sharing-reweight-absolute")
@pytest.mark.parametrize(("condition", "falls"), [(1, False), (3, True), (100, True)])
def test_reweighting_turns_the_signed_direction_to_the_model(condition, falls):
    rng, weights, paths = np.random.default_rng(90), np.geomspace(0.1, 1e4, 11), []
    spread = np.geomspace(1, condition, 5)
    for _ in range(200):
        model = rng.standard_normal(5)
        clean = spread * model / np.linalg.norm(model)
        noisy = clean + 5 * rng.standard_normal(5)
        tops = [np.linalg.svd(np.stack([np.sqrt(w) * clean, noisy], axis=1))[0][:, 0] for w in weights]
        turned = np.array([np.sign(q @ clean) * q / spread for q in tops])
        paths.append(turned @ model / np.linalg.norm(turned, axis=1) / np.linalg.norm(model))
    steps = np.diff(paths, axis=1)
    assert steps.min() > -1e-12
    assert min(path[-1] for path in paths) > 0.999
    share = np.mean(np.any(np.diff(np.abs(paths), axis=1) < -1e-9, axis=1))
    assert (share > 0.1) == falls


def area(scores, positive):
    ranks = rankdata(scores)[positive]
    n = len(ranks)
    return (ranks.sum() - n * (n + 1) / 2) / n / (len(positive) - n)


def digit_areas(rng, share):
    """Areas by capacity and digit, and which three tasks have a share of their 150 labels in random order."""
    x, y = load_digits(return_X_y=True)
    order = rng.permutation(len(y))
    train, test = order[:150], order[150:]
    spread = x[train].std(axis=0)
    x = (x - x[train].mean(axis=0)) / np.where(spread > 0, spread, 1)
    targets, noisy = (y[:, None] == np.arange(10)) * 1.0, rng.permutation(10)[:3]
    for task in noisy:
        drawn = train[rng.random(150) < share]
        targets[drawn, task] = targets[rng.permutation(drawn), task]
    value, axes = np.linalg.eigh(x[train].T @ x[train] + 10 * np.eye(64))
    white = axes / np.sqrt(value)
    labels = targets[train] - targets[train].mean(axis=0)
    left, size, right = np.linalg.svd(white.T @ x[train].T @ labels, full_matrices=False)
    scores = [x[test] @ white @ (left[:, :r] * size[:r]) @ right[:r] for r in range(1, 11)]
    truth = y[test][:, None] == np.arange(10)
    return np.array([[area(s[:, j], truth[:, j]) for j in range(10)] for s in scores]), noisy


@pytest.mark.claims("capacity-clean", "capacity-noisy-gain")
def test_capacity_pays_for_noisy_tasks_alone():
    rng, noisy_gain, clean_steps = np.random.default_rng(100), [], []
    for _ in range(8):
        areas, noisy = digit_areas(rng, 0.6)
        noisy_gain.append((areas[8] - areas[9])[noisy].mean())
        areas, _ = digit_areas(rng, 0.0)
        clean_steps.append(np.diff(areas.mean(axis=1)))
    error = np.std(noisy_gain) / np.sqrt(7)
    assert np.mean(noisy_gain) == pytest.approx(0.028, abs=4 * error)
    assert np.mean(noisy_gain) > 4 * error
    steps = np.mean(clean_steps, axis=0)
    assert np.all(steps[:8] > 0.005)
    assert abs(steps[8]) < 1e-9  # ten centred targets have rank nine
