"""What the cosine of two models does to sharing one direction, and the repaired chain of Theorem 9."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters.part5.cosine_and_relu import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.scores import rank_correlation
from mtlbook_lib.data.two_tasks.feature_tasks import FeatureTasks, direction_pairs, rotated_pairs
from mtlbook_lib.simulation.rank_one import moments, rank_one_directions
from mtlbook_lib.simulation.two_tasks.relu_direction import best_relu_direction
from mtlbook_lib.simulation.two_tasks.shared_features import train_features
from mtlbook_lib.theory.hard_sharing import feature_angle_bound, feature_cosine_bound, head_error_bound, relu_kernel

SINGLE = torch.float32  # half the time of double precision; what it moves is far below the scatter over seeds
PANELS = {"b": (False, True), "c": (True, False), "d": (True, True)}  # rectified, classes


class Sweep(NamedTuple):
    """Scores on new examples, mean over both tasks, shape (seed, cosine): shared and alone."""

    shared: Array
    alone: Array


@sized(n_seeds=SETTINGS.n_seeds_linear_sweep, n_examples=SETTINGS.n_examples, cost="16 GB, 20 min on one core")
def linear_sweep(cosines: Sequence[float], *, n_seeds: int, n_examples: int) -> Sweep:
    """Rank correlation of linear models at the exact optimum of one shared direction, without noise; 100 inputs."""
    tasks = direction_pairs(n_examples, SETTINGS.n_new, SETTINGS.n_inputs, cosines, range(n_seeds), False)
    # All cosines share the inputs, and with them one eigenvalue problem; no direction has inputs of another size.
    first, second = (moments(x[:, None], y) for x, y in zip(tasks.inputs, tasks.labels, strict=True))
    shared = rank_one_directions(*first, *second, 201).models
    alone = [np.linalg.solve(s, b[..., None])[..., 0] for s, b in (first, second)]
    predictions = ([model @ tasks.new_inputs.mT for model in models] for models in (shared, alone))
    return Sweep(*(_score(outputs, tasks, classes=False) for outputs in predictions))


@sized(n_seeds=SETTINGS.n_seeds_trained_sweep, n_steps=SETTINGS.n_steps_trained_sweep, cost="8 GB, 10 min on one GPU")
def trained_sweep(panel: str, cosines: Sequence[float], *, n_seeds: int, n_steps: int) -> Sweep:
    """Scores of trained networks of one shared feature, 1000 examples of 100 inputs for each task.

    Panel "b": linear features, classes; "c": rectified ones, regression; "d": rectified ones, classes. The score is
    the accuracy for classes, and otherwise the rank correlation.
    """
    relu, classes = PANELS[panel]
    seeds = range(n_seeds)
    tasks = direction_pairs(1000, SETTINGS.n_new, SETTINGS.n_inputs, cosines, seeds, relu, classes)
    loss = "logistic" if classes else "squares"
    both = train_features(tasks.inputs, tasks.labels, 1, seeds, n_steps, relu, loss, 0.02, SINGLE)
    # The first task is the same at all cosines, and alone it is trained once.
    single = [train_features([x], [y], 1, seeds, n_steps, relu, loss, 0.02, SINGLE)
              for x, y in zip(tasks.inputs, (tasks.labels[0][:, :1], tasks.labels[1]), strict=True)]  # fmt: skip
    pairs = [both.outputs(tasks.new_inputs, i) for i in range(2)], [one.outputs(tasks.new_inputs, 0) for one in single]
    return Sweep(*(_score(outputs, tasks, classes) for outputs in pairs))


def _score(outputs: list[Array], tasks: FeatureTasks, classes: bool) -> Array:
    """Mean over tasks, (seed, setting)."""
    pairs = zip(outputs, tasks.new_labels, strict=True)
    if classes:
        return np.asarray(np.mean([((output > 0) == (wanted > 0.5)).mean(axis=-1) for output, wanted in pairs], axis=0))
    return np.asarray(np.mean([rank_correlation(output, wanted) for output, wanted in pairs], axis=0))


class Gain(NamedTuple):
    """R² on new examples of the target: shared less alone (seed, size of the source, mixing); cosines of the models."""

    change: Array
    cosines: Array


@sized(n_seeds=SETTINGS.n_seeds_higher_rank, n_steps=SETTINGS.n_steps_higher_rank, cost="8 GB, 10 min on one GPU")
def higher_rank(sources: Sequence[int], mixing: Sequence[float], *, n_seeds: int, n_steps: int) -> Gain:
    """Target of 100 examples and a source, ten rectified features each, ten shared; noise 0.5.

    `cosines` are those of the principal angles between the models of both tasks, (mixing,).
    """
    seeds, shared = range(n_seeds), []
    for m in sources:
        tasks = rotated_pairs(100, m, SETTINGS.n_new, SETTINGS.n_inputs, 10, mixing, 0.5, seeds)
        both = train_features(tasks.inputs, tasks.labels, 10, seeds, n_steps, True, dtype=SINGLE)
        shared.append(_determination(both.outputs(tasks.new_inputs, 0), tasks.new_labels[0]))
    # The target is the same for all sources and mixings, and alone it is trained once.
    single = train_features(tasks.inputs[:1], [tasks.labels[0][:, :1]], 10, seeds, n_steps, True, dtype=SINGLE)
    alone = _determination(single.outputs(tasks.new_inputs, 0), tasks.new_labels[0][:, :1])
    bases = [np.linalg.qr(model[0])[0] for model in tasks.models]
    cosines = np.linalg.svd(bases[0].mT @ bases[1], compute_uv=False).mean(axis=-1)
    return Gain(np.stack(shared, axis=1) - alone[:, None], cosines)


@sized(n_seeds=SETTINGS.n_seeds_half_similar, n_steps=SETTINGS.n_steps_half_similar, cost="8 GB, 5 min on one GPU")
def half_similar(sources: Sequence[int], *, n_seeds: int, n_steps: int) -> Array:
    """Gain of ``higher_rank`` at a mixing of 1/2, where it is least, over more draws: (seed, size of the source)."""
    return higher_rank(sources, [0.5], n_seeds=n_seeds, n_steps=n_steps).change[:, :, 0]


def _determination(outputs: Array, wanted: Array) -> Array:
    return np.asarray(1 - ((outputs - wanted) ** 2).mean(axis=-1) / wanted.var(axis=-1))


@sized(n_seeds=SETTINGS.n_seeds_kernel_products, cost="1 GB, 5 min on one core")
def kernel_products(angles: Sequence[float], *, n_seeds: int) -> Array:
    """Twice the mean product of two rectified features, over 10,000 Gaussian inputs each: (seed, angle)."""
    turns = np.concatenate([[0.0], np.asarray(angles)])
    features = np.maximum(normal((10_000, 2), range(n_seeds), "kernel products") @ [np.cos(turns), np.sin(turns)], 0)
    return np.asarray(2 * (features[..., :1] * features[..., 1:]).mean(axis=1))


@sized(n_seeds=SETTINGS.n_seeds_feature_norms, cost="1 GB, 2 min on one core")
def feature_norms(n_examples: int, *, n_seeds: int) -> Array:
    """Norm of the rectified features of a unit direction on Gaussian inputs, (seed,)."""
    return np.asarray(np.linalg.norm(np.maximum(normal((n_examples,), range(n_seeds), "feature norms"), 0), axis=1))


class Chain(NamedTuple):
    """Found and bounded at the joint optimum, (seed, size): cosine of the features, angle of the directions (radians).

    Where the bound on the cosine does not apply it is -1, and that on the angle π.
    """

    cosine: Array
    cosine_bound: Array
    angle: Array
    angle_bound: Array


@sized(n_seeds=SETTINGS.n_seeds_chain, n_grid=SETTINGS.n_grid, cost="1 GB, 20 min on one core")
def chain(noise: float, sizes: Sequence[int], *, n_seeds: int, n_grid: int) -> Chain:
    """A rectified source of two inputs and unit labels with noise, and a target of 30 examples at an angle of 0.5.

    The best direction is sought on `n_grid` angles, and once more around the best of them.
    """
    rows = [[_link(noise, m, seed, n_grid) for m in sizes] for seed in range(n_seeds)]
    return Chain(*np.moveaxis(np.array(rows), -1, 0))


def _link(noise: float, m: int, seed: int, n_grid: int) -> tuple[float, ...]:
    theta1, theta2 = np.array([1.0, 0.0]), np.array([np.cos(0.5), np.sin(0.5)])
    x1, x2 = (normal((n, 2), [seed], "chain: inputs", i)[0] for i, n in enumerate((m, 30)))
    eps = [noise * normal((m,), [seed], "chain: noise", 0)[0], 0.3 * normal((30,), [seed], "chain: noise", 1)[0]]
    y1, y2 = (a * np.maximum(x @ t, 0) + e
              for a, x, t, e in zip((2**0.5, 0.5), (x1, x2), (theta1, theta2), eps, strict=True))  # fmt: skip
    layer = best_relu_direction(x1, y1, x2, y2, n_grid)
    p, q = np.maximum(x1 @ layer, 0), np.maximum(x1 @ theta1, 0)
    lengths, angle = (np.linalg.norm(p), np.linalg.norm(q)), abs(np.arctan2(layer[1], layer[0]))
    along = max(abs(p @ eps[0]) / lengths[0], abs(q @ eps[0]) / lengths[1])
    signal, energy = 2**0.5 * lengths[1], np.linalg.norm(y2)
    kernels = [(p @ q, angle), (p @ p, 0.0), (q @ q, 0.0)]
    deviation = max(abs(2 * value / m - relu_kernel(at)) for value, at in kernels)
    bounded = signal - along > energy
    bound = feature_cosine_bound(signal, along, energy) if bounded else -1.0
    largest = feature_angle_bound(bound, deviation) if bounded else np.pi
    return float(p @ q / lengths[0] / lengths[1]), float(bound), angle, float(largest)


@sized(n_seeds=SETTINGS.n_seeds_equal_models, cost="1 GB, 5 min on one core")
def equal_models(noise: float, m: int, c: float, *, n_seeds: int) -> tuple[Array, Array]:
    """Sine of the joint optimum and the source's model, and what Theorem 9 asks of the source, (draw,) each.

    Both tasks have one model, so that any `c` meets the condition on it. The second number is the source's examples
    over those printed, with constant 1; the sine is divided by c over the condition number of the target's inputs.
    """
    theta, pairs = np.array([1.0, 0.0]), []
    for seed in range(n_seeds):
        x1, x2 = (normal((n, 2), [seed], "equal models: inputs", i)[0] for i, n in enumerate((m, 30)))
        first, second = (normal((n,), [seed], "equal models: noise", i)[0] for i, n in enumerate((m, 30)))
        y1 = 2**0.5 * np.maximum(x1 @ theta, 0) + noise * first
        y2 = 0.5 * np.maximum(x2 @ theta, 0) + 0.3 * second
        layer = best_relu_direction(x1, y1, x2, y2, 120)  # steps of 3 degrees, then of a thirtieth of one
        printed = max(2 * np.log(2) * (1 / c**2 + np.log(2)), y2 @ y2) / c**2
        pairs.append((abs(layer[1]) / np.linalg.norm(layer) * np.linalg.cond(x2) / c, m / printed))
    sines, enough = np.transpose(pairs)
    return sines, enough


def head_errors(conditions: Sequence[float], sine: float) -> Array:
    """Relative error of the target's head at the joint optimum, (condition,), without noise, for a weak target.

    Its two examples are those that suffer most from a direction at the given sine; they have positive features.
    """
    x1, errors = normal((1000, 2), [0], "head errors")[0], []
    for kappa in conditions:
        theta1 = np.array([1.0, 1 / kappa]) / np.hypot(1.0, 1 / kappa)
        theta2 = np.sqrt(1 - sine**2) * theta1 + sine * np.array([-theta1[1], theta1[0]])
        x2 = np.diag([1.0, kappa])
        labels = 1e-3 * np.maximum(x2 @ theta2, 0)
        layer = best_relu_direction(x1, np.maximum(x1 @ theta1, 0), x2, labels, 3600)
        features = np.maximum(x2 @ layer, 0)
        errors.append(abs(features @ labels / (features @ features) / 1e-3 - 1))
    return np.array(errors)


@sized(n_seeds=SETTINGS.n_seeds_head_ratios, cost="1 GB, 2 min on one core")
def head_ratios(*, n_seeds: int) -> Array:
    """Relative error of the head over its bound in random problems, (problem,), where the bound applies.

    One to five examples of two inputs of different size, directions at small angles, noise along the features in half
    of the problems: small problems come closest to the worst case.
    """
    ratios = []
    for seed, numbers in enumerate(normal((24,), range(n_seeds), "head ratios")):
        m = 1 + seed % 5
        x2, theta = numbers[: 2 * m].reshape(m, 2) * [1.0, abs(numbers[10])], numbers[11:13]
        theta = theta / np.linalg.norm(theta)
        angle = 0.3 * abs(np.tanh(numbers[13]))
        layer = np.cos(angle) * theta + np.sin(angle) * np.array([-theta[1], theta[0]])
        p, q = np.maximum(x2 @ layer, 0), np.maximum(x2 @ theta, 0)
        if np.linalg.norm(q) <= 1.05 * 2 * np.linalg.norm(x2, 2) * np.sin(angle / 2):
            continue
        noise = numbers[14] * p if seed % 2 else numbers[15 : 15 + m]
        error = abs(p @ (q + noise) / (p @ p) - 1)
        ratios.append(error / head_error_bound(x2, theta, 1.0, p @ noise / np.linalg.norm(p), angle))
    return np.array(ratios)
