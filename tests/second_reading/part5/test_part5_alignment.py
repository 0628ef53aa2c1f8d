"""Covariance alignment and the benchmarks' resolution read a second time, with data, training and areas of our own."""

import numpy as np
import pytest
import torch
from scipy.stats import multivariate_normal, norm, rankdata, spearmanr
from sklearn.datasets import load_digits

TIMES = np.concatenate([[0], np.geomspace(1e-3, 1e4, 20)])


def area(scores, positive):
    first = np.sum(rankdata(scores)[positive]) - positive.sum() * (positive.sum() + 1) / 2
    return first / (positive.sum() * np.sum(~positive))


def flow(x, y, start):
    """Least squares by gradient flow on the mean loss, at all times."""
    values, axes = np.linalg.eigh(x.T @ x / len(y))
    values = np.clip(values, 0, None)[:, None]
    kept = np.exp(-values * TIMES)
    learned = np.where(values > 1e-12, (1 - kept) / np.maximum(values, 1e-12), TIMES)
    return (axes @ (kept * (axes.T @ start)[:, None] + learned * (axes.T @ x.T @ y / len(y))[:, None])).T


def shared(source, target):
    """One direction for two tasks, best of many ratios of the heads: the target's model."""
    (s1, c1), (s2, c2) = ((x.T @ x, x.T @ y) for x, y in (source, target))
    best = (-np.inf, None)
    for ratio in (sign * size for sign in (1, -1) for size in np.geomspace(0.1, 10, 9)):
        b = np.linalg.lstsq(s1 + ratio**2 * s2, c1 + ratio * c2, rcond=1e-10)[0]
        value = (c1 @ b) ** 2 / (b @ s1 @ b) + (c2 @ b) ** 2 / (b @ s2 @ b)
        best = max(best, (value, b * (c2 @ b) / (b @ s2 @ b)), key=lambda pair: pair[0])
    return best[1]


def losses_left_out(x, y, start_of):
    fold = np.arange(len(y)) % 4
    paths = [(k, flow(x[fold != k], y[fold != k], start_of(x[fold != k], y[fold != k]))) for k in range(4)]
    return sum(np.square(path @ x[fold == k].T - y[fold == k]).sum(axis=1) for k, path in paths)


def domain(split, mirrored):
    """Forty images, whether they show 5 or more; 400 mirrored ones, or the same with the question whether odd."""
    images, digit = load_digits(return_X_y=True)
    order = np.random.default_rng([split, 57]).permutation(len(digit))
    own, other, new = order[:40], order[40:440], order[440:]
    source = images.reshape(-1, 8, 8)[:, :, ::-1].reshape(-1, 64) if mirrored else images
    x, z = (part[rows] / images.std() for part, rows in ((images, own), (source, other)))
    asked = np.where(digit >= 5, 1.0, -1.0)
    labels = asked if mirrored else np.where(digit % 2 == 1, 1.0, -1.0)
    new_x, new_y = images[new] / images.std() - x.mean(0), digit[new] >= 5
    centred = [(rows - rows.mean(0), y - y.mean()) for rows, y in ((z, labels[other]), (x, asked[own]))]
    return *centred, (new_x, new_y)


@pytest.mark.claims("align-repairs", "align-alone", "align-stopped", "align-gate", "align-open-gate")
def test_a_single_task_that_may_stop_beats_algorithm_1_and_so_does_a_gate_with_it():
    gains = []
    for split in range(4):
        source, (x, y), (new_x, new_y) = domain(split, mirrored=True)
        start = shared(source, (x, y))
        tuned = losses_left_out(x, y, lambda a, b, source=source: shared(source, (a, b)))
        stopped = losses_left_out(x, y, lambda a, b: np.zeros(64))
        aligned = flow(x, y, start)[tuned.argmin()]
        alone = flow(x, y, 0 * start)[stopped.argmin()]
        gate = start if tuned[0] < stopped.min() else alone
        ends = flow(x, y, 0 * start)[-1]
        found = [area(new_x @ model, new_y) for model in (start, aligned, alone, gate, ends)]
        gains.append([found[1] - found[0], found[1] - found[4], found[2] - found[1], found[3] - found[1]])
    over_sharing, over_the_end, stopped_over, gate_over = np.mean(gains, axis=0)
    assert over_sharing > 0.08
    assert over_the_end > 0.02
    assert stopped_over > 0.01
    assert gate_over > 0.01  # so that the claim about the gate is for a single task trained to the end


def score(first, second):
    roots = []
    for x in (first, second):
        values, axes = np.linalg.eigh(x.T @ x)
        kept = np.cumsum(values[::-1])[::-1] > 0.01 * values.sum()
        roots.append(axes[:, kept] * np.sqrt(np.maximum(values[kept], 0)))
    return np.linalg.norm(roots[0].T @ roots[1]) / np.prod([np.linalg.norm(root) for root in roots])


@pytest.mark.claims("align-score-rises", "align-stretched")
def test_the_score_falls_where_labels_differ_and_rises_for_matrices_that_align_nothing():
    for split in range(2):
        source, target, _ = domain(split, mirrored=False)
        moved = []
        for (x, y), other in ((source, target), (target, source)):
            start = shared(other, (x, y))
            step = flow(x, y, start)[-1] - start
            moved.append(x + np.outer(x @ step, start) / (start @ start))
        assert score(*moved) < score(source[0], target[0])
    rng = np.random.default_rng(3)
    first, second = np.zeros((2, 200, 20))
    first[:, :10], second[:, 10:] = rng.standard_normal((2, 200, 10))
    b, v1, v2 = (u / np.linalg.norm(u) for u in rng.standard_normal((3, 20)))
    stretched = [x + 100 * np.outer(x @ v, b) for x, v in ((first, v1), (second, v2))]
    assert score(first, second) == pytest.approx(0.0, abs=1e-12)
    assert score(*stretched) > 0.95
    dense = [x @ (np.eye(20) + 100 * rng.standard_normal((20, 20))) for x in (first, second)]
    assert score(*dense) < 0.6  # matrices of full rank do not: the common direction does it


def trained(tasks, b, matrices, rate=1e-3, epochs=30):
    """Adam on mixed batches of fifty; with matrices, these move and b does not."""
    heads = [torch.ones((), requires_grad=True) for _ in tasks]
    moving = matrices or [b] * len(tasks)
    steps = {id(p): torch.optim.Adam([p], lr=rate) for p in [*heads, *moving]}
    for _ in range(epochs):
        batches = [(i, rows) for i, (x, _) in enumerate(tasks) for rows in torch.randperm(len(x)).split(50)]
        for j in torch.randperm(len(batches)).tolist():
            i, rows = batches[j]
            used = [steps[id(heads[i])], steps[id(moving[i])]]
            for one in used:
                one.zero_grad()
            model = matrices[i] @ b if matrices else b
            ((tasks[i][0][rows] @ model * heads[i] - tasks[i][1][rows]) ** 2).mean().backward()
            for one in used:
                one.step()
    return heads


@pytest.mark.claims("align-fig9", "align-control")
def test_fig_9_ends_in_the_same_place_without_a_source():
    rng = np.random.default_rng(99)
    theta, other = np.linalg.qr(rng.standard_normal((100, 2)))[0].T * 10
    mixes = [np.linalg.qr(rng.standard_normal((100, 100)))[0] * np.where(np.arange(100) // 10 == k, 100, 1)
             for k in (0, 1)]  # fmt: skip
    rows = [rng.standard_normal((n, 100)) @ mixes[k].T for n, k in ((100, 0), (200, 1), (1000, 0))]
    pairs = [(rows[0], rows[0] @ theta), (rows[1], rows[1] @ (0.96 * theta + 0.28 * other))]
    target, source = [tuple(torch.tensor(part, dtype=torch.float32) for part in pair) for pair in pairs]
    torch.manual_seed(0)
    ends = []
    for tasks in ((target, source), None):
        b = (torch.randn(100) / 10).requires_grad_()
        heads = trained(tasks, b, None) if tasks else [torch.ones(())]
        models = [b.detach().numpy() * float(heads[0].detach())]
        still, matrix = b.detach(), torch.eye(100, requires_grad=True)
        (head,) = trained([target], still, [matrix])
        models.append((matrix @ still).detach().numpy() * float(head.detach()))
        ends.append([spearmanr(rows[2] @ model, rows[2] @ theta).statistic for model in models])
    assert ends[0][1] > ends[0][0] + 0.05
    assert ends[0][1] == pytest.approx(ends[1][1], abs=0.03)


@pytest.mark.claims("bench-areas")
@pytest.mark.parametrize("positives", [20, 800])
def test_areas_scatter_as_two_mann_whitney_statistics(positives):
    rng, n, h = np.random.default_rng(61), 4000, norm.ppf(0.84)

    def both(rho):
        return multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([h, h]) - 0.84**2

    spread = [both(0.9999999) + (n - 2) * both(0.5), both(0.9) + (n - 2) * both(0.45)]
    variance, covariance = np.array(spread) / (positives * (n - positives))
    positive = np.arange(n) < positives
    found = []
    for _ in range(200):
        one, more = rng.standard_normal((2, n))
        pair = one + np.sqrt(2) * h * positive, 0.9 * one + np.sqrt(0.19) * more + np.sqrt(2) * h * positive
        found.append([area(scores, positive) for scores in pair])
    measured = np.std(found, axis=0)[0], np.std(np.diff(found))
    assert measured == pytest.approx(np.sqrt([variance, 2 * (variance - covariance)]), rel=0.15)


@pytest.mark.claims("bench-noise")
@pytest.mark.parametrize(("share", "scaled", "expected"), [
    (0.05, True, 0.8 * np.sqrt(0.05 * 0.95 / (0.14 * 0.86))), (0.05, False, 0.8),
    (0.5, True, 0.8), (0.5, False, 0.8),
])  # fmt: skip
def test_the_factor_of_random_labels_is_that_of_scaled_labels(share, scaled, expected):
    """As printed, Algorithm 2 takes labels as they are: then the factor is .8 at any frequency, but for chance."""
    rng, found = np.random.default_rng(8), []
    for _ in range(12):
        x = rng.standard_normal((20_000, 10))
        value = x[:, 0] * 1.5 + rng.standard_normal(20_000)
        labels = (value > np.quantile(value, 1 - share)).astype(float)
        noisy = np.where(rng.random(20_000) < 0.2, rng.integers(0, 2, 20_000), labels)
        both = np.stack([labels - labels.mean(), noisy - noisy.mean()])
        maps = (both / both.std(axis=1, keepdims=True) if scaled else both) @ x
        weights = np.abs(maps @ np.linalg.svd(maps, full_matrices=False)[2][0])
        found.append(weights[1] / weights[0])
    assert np.mean(found) == pytest.approx(expected, rel=0.03)


class Adam:
    """Steps of Adam at rate 0.001 on one array, in place."""

    def __init__(self, values):
        self.values, self.mean, self.square, self.step = values, np.zeros_like(values), np.zeros_like(values), 0

    def move(self, gradient):
        self.step += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient**2 - self.square)
        size = np.sqrt(self.square / (1 - 0.999**self.step)) + 1e-8
        self.values -= 0.001 * self.mean / (1 - 0.9**self.step) / size


@pytest.mark.claims("align-many")
def test_with_twenty_thousand_examples_of_the_source_sharing_gets_as_far():
    """One pair of tasks, 30 epochs each. Seen over eight pairs: Algorithm 1 is ahead by 0.0010 ± 0.0004."""
    rng, batches = np.random.default_rng(12), np.append(np.zeros(400, dtype=int), [1, 1])
    one, other = np.linalg.qr(rng.standard_normal((100, 2)))[0].T
    data, axes = [], []
    for n, theta in ((20_000, 9.6 * one + 2.8 * other), (100, 10 * one)):
        axes.append(np.linalg.qr(rng.standard_normal((100, 100)))[0] * np.where(np.arange(100) < 10, 100.0, 1.0))
        x = rng.standard_normal((n, 100)) @ axes[-1].T
        data.append((x, x @ theta))
    shared = Adam(rng.standard_normal(100) / 10)
    heads = [Adam(np.ones(1)) for _ in data]
    for _ in range(30):
        rows = [iter(np.split(rng.permutation(len(y)), len(y) // 50)) for _, y in data]
        for task in rng.permutation(batches):
            chosen = next(rows[task])
            x, y = data[task][0][chosen], data[task][1][chosen]
            units, head = x @ shared.values, heads[task]
            missed = (head.values * units - y) / 25
            slope = head.values * (missed @ x)
            head.move(np.array([missed @ units]))
            shared.move(slope)
    front, head = Adam(np.eye(100)), heads[1].values
    for _ in range(30):
        for chosen in np.split(rng.permutation(100), 2):
            x, y = data[1][0][chosen], data[1][1][chosen]
            missed = (head * (x @ front.values @ shared.values) - y) / 25
            front.move(head * np.outer(missed @ x, shared.values))
    new = rng.standard_normal((20_000, 100)) @ axes[1].T
    before, after = (spearmanr(new @ w, new @ one)[0] for w in (shared.values, front.values @ shared.values))
    assert before > 0.99
    assert abs(after - before) < 0.01
