"""Chapters of Part II on stopping, examples and labels read a second time: computations from the definitions."""

import numpy as np
import pytest

from mtlbook_lib.theory import generalization, spiked

EPS = 1e-3


def noise_law(aspect, n=800):
    """Nodes and weights of the law of the singular values of noise, aspect up to 1."""
    angle = (np.arange(n) + 0.5) * np.pi / n
    squares = 1 + aspect + 2 * np.sqrt(aspect) * np.cos(angle)
    return np.sqrt(squares), 2 * np.sin(angle) ** 2 / n / squares


def outlier(s, aspect):
    return np.sqrt((1 + s**2) * (aspect + s**2)) / s


def overlap(s, aspect):
    return (s**4 - aspect) / s**2 / np.sqrt((s**2 + aspect) * (s**2 + 1))


def learned(s, t, eps=EPS):
    return s / (1 + np.exp(-2 * s * t) * (s / eps - 1))


def leading_error(strengths, aspect, n_outputs, t, eps=EPS):
    """Eq. 15 for a student of full rank and teacher modes above threshold."""
    nodes, weights = noise_law(aspect)
    bulk = (learned(nodes, t[:, None], eps) ** 2 * weights).sum(1)
    error = (n_outputs - len(strengths)) * bulk
    for s in strengths:
        x = learned(outlier(s, aspect), t, eps)
        error += x**2 - 2 * x * s * overlap(s, aspect) + s**2
    return error / np.sum(np.square(strengths))


@pytest.mark.claims("shrinkage-provably-better")
@pytest.mark.parametrize(("strengths", "aspect"), [([3.0], 0.5), ([6.0, 4.0, 2.0], 0.5), ([3.0, 1.5], 1.0)])
def test_the_error_over_time_and_at_its_best(strengths, aspect):
    t = np.linspace(0.4, 3, 600)
    wanted = leading_error(strengths, aspect, 50, t)
    assert generalization.test_error(t, strengths, aspect, 50) == pytest.approx(wanted, rel=1e-5)
    best, when = generalization.best_stopping(strengths, aspect, 50)
    assert best == pytest.approx(wanted.min(), abs=1e-4)
    assert when == pytest.approx(t[wanted.argmin()], abs=0.005)
    energies = np.square(strengths)
    shrunk = 1 - sum(s**2 * overlap(s, aspect) ** 2 for s in strengths) / energies.sum()
    assert shrunk < best
    assert generalization.shrinkage_error(strengths, aspect) == pytest.approx(shrunk)


@pytest.mark.claims("stopping-error-rank-one", "stopping-time-rank-one")
def test_a_hundred_inputs_cannot_stop_at_the_bound_of_strength_two_from_the_usual_start():
    t = np.linspace(1, 4.5, 700)
    usual, tiny = (leading_error([2.0], 0.5, 50, t, eps).min() for eps in (1e-3, 1e-6))
    bound, when = generalization.rank_one_optimum(2.0, 0.5, np.array([1e-3, 1e-6]))
    assert bound == pytest.approx([1 - overlap(2.0, 0.5) ** 2] * 2)
    assert tiny == pytest.approx(bound[1], abs=2e-3)
    assert usual > bound[0] + 0.05
    assert generalization.best_stopping([2.0], 0.5, 50, eps=1e-6)[1] == pytest.approx(when[1], rel=0.01)


@pytest.mark.claims("shrinkage-reaches-bound")
def test_shrinkage_of_data_reaches_the_bound():
    rng = np.random.default_rng(11)
    left = np.linalg.qr(rng.standard_normal((120, 50, 1)))[0]
    right = np.linalg.qr(rng.standard_normal((120, 100, 1)))[0]
    teacher = 3 * left @ right.swapaxes(1, 2)
    u, values, v = np.linalg.svd(teacher + rng.standard_normal(teacher.shape) / 10, full_matrices=False)
    caught = np.einsum("bik,bij,bkj->bk", u, teacher, v)
    x = spiked.optimal_shrinkage(values, 0.5)
    error = 1 + (x**2 - 2 * x * caught).sum(1) / 9
    spread = error.std(ddof=1) / np.sqrt(len(error))
    assert generalization.shrinkage_error([3.0], 0.5) == pytest.approx(error.mean(), abs=4 * spread + 0.002)


def examples(rng, s, n_examples, n_sets, n=100):
    """Map between white inputs and outputs, and its teacher; fewer examples than inputs leave a projection."""
    left = np.linalg.qr(rng.standard_normal((n_sets, n, 1)))[0]
    right = np.linalg.qr(rng.standard_normal((n_sets, n, 1)))[0]
    teacher = s * left @ right.swapaxes(1, 2)
    inputs = np.linalg.qr(rng.standard_normal((n_sets, n, n_examples)))[0]
    noisy = teacher @ inputs + rng.standard_normal((n_sets, n, n_examples)) / np.sqrt(n)
    return noisy, teacher @ inputs, teacher


@pytest.mark.claims("undersampled-overlap", "undersampled-curves")
def test_fewer_examples_than_inputs_count_the_unseen_part_of_the_teacher():
    """The factor of the correction: what the top mode holds of the teacher, and the whole curve of the error."""
    rng, s, n_examples = np.random.default_rng(12), 3.0, 50
    noisy, seen, _ = examples(rng, s, n_examples, 60)
    u, values, v = np.linalg.svd(noisy, full_matrices=False)
    caught = np.einsum("bik,bij,bkj->bk", u, seen, v)
    held = caught[:, 0] / s
    spread = held.std(ddof=1) / np.sqrt(len(held))
    printed = spiked.overlap(np.sqrt(0.5) * s, 0.5)
    assert held.mean() == pytest.approx(np.sqrt(0.5) * printed, abs=4 * spread + 0.005)
    assert held.mean() < printed - 0.2
    t = np.array([1.5, 2.5, 4.0])
    x = np.stack([learned(values, time) for time in t])
    error = (s**2 + (x**2 - 2 * x * caught).sum(2) + (100 - n_examples) * EPS**2) / s**2
    wanted = generalization.test_error_examples(t, [s], 100, 100, n_examples, EPS)
    assert np.log10(wanted) == pytest.approx(np.log10(error.mean(1)), abs=0.04)


def trained(target, covariance, layers, time, n_steps):
    """The layers after a gradient flow, by the classical method of fourth order."""
    step = time / n_steps

    def slope(first, last):
        gap = target - last @ first @ covariance
        return np.array([last.T @ gap, gap @ first.T])

    for _ in range(n_steps):
        a = slope(*layers)
        b = slope(*(layers + step / 2 * a))
        c = slope(*(layers + step / 2 * b))
        layers = layers + step / 6 * (a + 2 * b + 2 * c + slope(*(layers + step * c)))
    return layers


@pytest.mark.claims("oversampling-map", "oversampling-counted-twice")
def test_more_examples_than_inputs_are_a_stronger_teacher_once():
    rng, n, density = np.random.default_rng(13), 20, 4.0
    teacher = 1.5 * np.outer(*(np.linalg.qr(rng.standard_normal((n, 1)))[0][:, 0] for _ in range(2)))
    target = density * teacher + np.sqrt(density / n) * rng.standard_normal((n, n))
    start = np.sqrt(EPS) * np.array([np.linalg.qr(rng.standard_normal((n, n)))[0] for _ in range(2)])
    whole = trained(target, density * np.eye(n), start, 0.6, 120)
    scale = np.sqrt(density)
    alone = trained(target / scale, np.eye(n), density**0.25 * start, 0.6 * scale, 120)
    twice = trained(target / scale, np.eye(n), start, 0.6 * density, 240)

    def error(layers, wanted):
        return np.sum((layers[1] @ layers[0] - wanted) ** 2) / np.sum(wanted**2)

    assert error(alone, scale * teacher) == pytest.approx(error(whole, teacher), rel=1e-9)
    assert abs(np.log10(error(twice, scale * teacher) / error(whole, teacher))) > 0.1


@pytest.mark.claims("frozen-subspace", "leak-scaling")
def test_random_students_leak_into_unseen_directions():
    """The energy without data grows as the initial scale, so it is no frozen square of it."""
    rng, n = np.random.default_rng(14), 30
    inputs = np.linalg.qr(rng.standard_normal((n, n // 2)))[0]
    seen = inputs @ inputs.T
    teacher = 3 * np.outer(*(np.linalg.qr(rng.standard_normal((n, 1)))[0][:, 0] for _ in range(2)))
    target = teacher @ seen + rng.standard_normal((n, n // 2)) @ inputs.T / np.sqrt(n)
    turns = np.array([np.linalg.qr(rng.standard_normal((n, n)))[0] for _ in range(2)])
    energy = []
    for eps in (1e-4, 1e-2):
        first, last = trained(target, seen, np.sqrt(eps) * turns, 24, 500)
        energy.append(np.sum((last @ first @ (np.eye(n) - seen)) ** 2))
    assert np.log(energy[1] / energy[0]) / np.log(100) == pytest.approx(1, abs=0.03)


@pytest.mark.claims("random-label-scale", "random-label-edge", "random-edge-below-signal")
def test_random_labels_have_the_noise_of_all_examples():
    rng, strengths = np.random.default_rng(15), np.array([6.0, 4.0, 2.0])
    left = np.linalg.qr(rng.standard_normal((40, 50, 3)))[0]
    right = np.linalg.qr(rng.standard_normal((40, 100, 3)))[0]
    outputs = (left * strengths) @ right.swapaxes(1, 2) + rng.standard_normal((40, 50, 100)) / 10
    energy = (outputs**2).sum((1, 2)) / 50
    spread = energy.std(ddof=1) / np.sqrt(40)
    scale = generalization.random_label_scale(strengths, 50)
    assert scale**2 == pytest.approx(energy.mean(), abs=4 * spread)
    edges = np.linalg.svd(scale * rng.standard_normal((40, 50, 100)) / 10, compute_uv=False)[:, 0]
    spread = edges.std(ddof=1) / np.sqrt(40)
    mean = spiked.largest_noise_singular_value(100, 50)[0]
    assert scale * mean == pytest.approx(edges.mean(), abs=4 * spread + 0.005)
    assert edges.mean() > spiked.noisy_singular_value(2.0, 0.5)
