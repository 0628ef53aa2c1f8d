"""How far the shared direction of two linear tasks can be off, and what that says about transfer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters.part5.angles_and_bounds import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.linear_tasks import TransferPair, transfer_pairs
from mtlbook_lib.data.two_tasks.axis_tasks import axis_task
from mtlbook_lib.simulation.rank_one import moments, rank_one_directions
from mtlbook_lib.simulation.two_tasks.on_axes import alternate_on_axes
from mtlbook_lib.simulation.two_tasks.worst_pairs import largest_model_error, least_sine
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import (
    likely_source_noise,
    model_error_bound,
    shared_angle_bound,
    sine,
    single_task_solution,
    target_error_bound,
)

MARGIN, FAILURE = (
    72**-0.5,
    SETTINGS.failure,
)  # error margin c and probability of failure in the construction of many inputs
TARGET_SIZE = SETTINGS.target_size


@sized(n_starts=SETTINGS.n_starts_worst_pairs, n_steps=SETTINGS.n_steps_worst_pairs, cost="1 GB, 5 min on one core")
def worst_pairs(
    conditions: Sequence[float], angles: Sequence[float], *, n_starts: int, n_steps: int
) -> tuple[Array, Array]:
    """Least sine after the inputs, and largest error of the model, over pairs of directions: (condition, angle) each.

    Four inputs with singular values from 1 to the condition number.
    """
    largest = [
        (least_sine(values, angle, range(n_starts), n_steps).min(),
         largest_model_error(values, angle, range(n_starts), n_steps).max())
        for values, angle in product([np.geomspace(1.0, k, 4) for k in conditions], angles)
    ]  # fmt: skip
    sines, errors = np.transpose(largest).reshape(2, len(conditions), len(angles))
    return sines, errors


@sized(n_starts=SETTINGS.n_starts_worst_noise, n_steps=SETTINGS.n_steps_worst_noise, cost="1 GB, 5 min on one core")
def worst_noise(
    conditions: Sequence[float], margins: Sequence[float], noises: Sequence[float], *, n_starts: int, n_steps: int
) -> tuple[Array, Array]:
    """Largest error of the target's model with noise that points the worst way, and the repaired bound on it.

    The sine of the shared direction and the model is twice the margin over the condition number, as large as the
    printed theorem allows. Noise is relative to clean labels. Both have shape (condition, margin, noise).
    """
    largest, bounds = [], []
    for kappa, margin, noise in product(conditions, margins, noises):
        angle = float(np.arcsin(2 * margin / kappa))
        values = np.geomspace(1.0, kappa, 4)
        largest.append(largest_model_error(values, angle, range(n_starts), n_steps, noise).max())
        bounds.append(float(model_error_bound(angle, kappa, noise)))
    shape = len(conditions), len(margins), len(noises)
    return np.reshape(largest, shape), np.reshape(bounds, shape)


@dataclass(frozen=True)
class ManyInputs:
    """Relative error of the target (seed, size) for sources as large as printed, and as repaired.

    `bound` is that of the repaired theorem for the larger sources.
    """

    inputs: Array
    printed: Array
    repaired: Array
    bound: Array


@sized(n_seeds=SETTINGS.n_seeds_many_inputs, cost="4 GB, 30 min on one core")
def many_inputs(constant: float, inputs: Sequence[int], *, n_seeds: int) -> ManyInputs:
    r"""A source whose size meets the printed condition with a given constant, and a weak target of the same model.

    The noise is such that both terms of the condition, for the covariance and for the noise, are equal.
    """
    rows = []
    for d in inputs:
        enough = constant * d * np.log(d / FAILURE)
        sigma = np.sqrt(MARGIN**4 * d * np.log(d / FAILURE) / np.log(1 / FAILURE))
        most, _ = likely_source_noise(1.0, sigma, d, FAILURE)
        larger = max(enough, 2 * (most / MARGIN) ** 2)
        first, second = (_on_axes(int(np.ceil(m)), d, sigma, n_seeds) for m in (enough, larger))
        rows.append((first[0], *second))
    return ManyInputs(np.array(inputs), *(np.stack(column, axis=-1) for column in zip(*rows, strict=True)))


def _on_axes(m: int, d: int, sigma: float, n_seeds: int) -> tuple[Array, Array]:
    """Error of the target after training from random starts, and the repaired bound, (seed,)."""
    task = axis_task(m, d, sigma, range(n_seeds))
    squares = np.stack([task.squares, np.ones((n_seeds, d))], axis=1)
    products = np.stack([task.products, np.tile(TARGET_SIZE * task.model, (n_seeds, 1))], axis=1)
    layer, heads = alternate_on_axes(squares, products, normal((d,), range(n_seeds), "many inputs: start"), 3)
    _, target_head = heads.T
    error = np.linalg.norm(target_head[:, None] * layer / TARGET_SIZE - task.model, axis=1)
    least = task.squares.min(axis=1)
    kappa = np.sqrt(task.squares.max(axis=1) / np.maximum(least, 1e-30))
    most, signal = likely_source_noise(np.sqrt(m), sigma, d, FAILURE)
    ratio = max(most, 0.0) / signal if signal > 0 else 1e30
    angle = shared_angle_bound(min(TARGET_SIZE / max(signal, TARGET_SIZE), 1.0), kappa, ratio)
    return error, np.asarray(model_error_bound(angle, np.ones(n_seeds)))


@dataclass(frozen=True)
class Problems:
    """Two tasks and the optimum that they share, an entry for each problem; columns as named.

    ``surplus``: explained energy beyond that of the source's labels, ``surplus_fit`` beyond that of its own best fit,
    both over the source's labels. ``seen``: sine of the shared direction's labels and those of the source's own
    solution; ``seen_bound``: what it can be. ``angle``: of the shared direction and the source's model;
    ``angle_bound``: but for a probability of 0.1. ``error``: of the target's model, relative; ``error_bound``: with
    the angle that was found; ``whole_bound``: from the problem alone. ``printed``: the printed bound, where the c for
    which the printed condition is met with constant 1 is below 1/3, otherwise nan.
    """

    surplus: Array
    surplus_fit: Array
    seen: Array
    seen_bound: Array
    angle: Array
    angle_bound: Array
    error: Array
    error_bound: Array
    whole_bound: Array
    printed: Array


@sized(n_seeds=SETTINGS.n_seeds_problems, cost="8 GB, 20 min on one core")
def problems(*, n_seeds: int) -> Problems:
    """Ten inputs, 30 target examples: all of three source sizes, two conditions, three cosines and two noise levels."""
    cases = product((300, 3000, 10000), (1.0, 3.0), (0.9, 0.99, 0.999), (0.1, 1.0))
    judged = [_judged(transfer_pairs(m, 30, 10, cosine, kappa, noise, range(n_seeds), "different", 5), kappa, noise)
             for m, kappa, cosine, noise in cases]  # fmt: skip
    return Problems(*np.concatenate(judged, axis=1))


def _judged(pair: TransferPair, kappa: float, sigma: float) -> Array:
    """All columns of `Problems`, (column, seed), for one setting."""
    layer, model = _shared(pair)
    rows = [
        _row(pair.source_inputs[i], pair.source_labels[i], pair.target_inputs[i], pair.target_labels[i],
             pair.models[i], layer[i], model[i], kappa, sigma)
        for i in range(len(layer))
    ]  # fmt: skip
    return np.transpose(rows)


def _shared(pair: TransferPair) -> tuple[Array, Array]:
    """The shared direction at the optimum and the target's model, (seed, d)."""
    tasks = ((pair.source_inputs, pair.source_labels), (pair.target_inputs, pair.target_labels))
    source, target = (moments(*data) for data in tasks)
    best = rank_one_directions(*source, *target)
    _, model = best.models
    return best.directions, model


def _row(
    x1: Array, y1: Array, x2: Array, y2: Array, models: Array, layer: Array, model: Array, kappa: float, sigma: float
) -> tuple[float, ...]:
    # As many rows as columns have the same inner products as all of the source's.
    thin = np.linalg.qr(np.column_stack([x1, y1]))[1]
    x1, y1 = thin[:, :-1], thin[:, -1]
    alone, target_alone = single_task_solution(x1, y1), single_task_solution(x2, y2)
    fits = np.linalg.norm(x1 @ alone), np.linalg.norm(x2 @ target_alone)
    explained = sum(float((x @ layer @ y) ** 2 / np.sum((x @ layer) ** 2)) for x, y in ((x1, y1), (x2, y2)))
    energy = float(y1 @ y1)
    seen = float(sine(x1 @ layer, x1 @ alone))
    seen_bound = float(fits[1] / fits[0] * sine(x2 @ alone, x2 @ target_alone))
    conditions = np.linalg.cond(x1), np.linalg.cond(x2)
    signal = np.linalg.norm(x1 @ models[0])
    most, least = likely_source_noise(signal, sigma, len(layer), FAILURE)
    ratio = min(np.linalg.norm(y2) / least, 1.0) if least > 0 else 1.0
    angle_bound = float(shared_angle_bound(ratio, conditions[0], most / max(least, 1e-30)))
    between = float(np.arcsin(sine(models[0], models[1])))
    clean = np.linalg.norm(x2 @ models[1])
    features, noise = x2 @ layer, y2 - x2 @ models[1]
    projected = abs(features @ noise) / np.linalg.norm(features) / clean
    measured = float(np.arcsin(sine(layer, models[1])))
    # The source's size, in units in which a clean label of the source has variance 1, is the square of its signal.
    scale = kappa * conditions[1] / signal
    margin = max(
        conditions[1] * np.sin(between),
        scale * np.linalg.norm(y2),
        np.sqrt(scale * kappa * conditions[1] * sigma * np.sqrt(np.log(1 / FAILURE))),
    )
    return (
        (explained - energy) / energy, float(explained - fits[0] ** 2) / energy, seen, seen_bound,
        float(np.arcsin(sine(layer, models[0]))), angle_bound, float(np.linalg.norm(model - models[1])),
        _bounded(measured, conditions[1], projected), _bounded(angle_bound + between, conditions[1], projected),
        float(target_error_bound(margin, x2, models[1], noise)) if margin < 1 / 3 else np.nan,
    )  # fmt: skip


def _bounded(angle: float, condition: float, noise: float) -> float:
    """The bound on the target's error, infinite where the angle is too large for one."""
    if angle > np.pi / 2 or 2 * condition * np.sin(angle / 2) >= 1:
        return np.inf
    return float(model_error_bound(angle, condition, noise))


@sized(n_seeds=SETTINGS.n_seeds_fitted_noise, cost="20 GB, 10 min on one core")
def fitted_noise(inputs: Sequence[int], *, n_seeds: int) -> Array:
    """Squared projection of the source's noise on the fitted labels, over the noise's variance: (size, seed).

    A source of 200 examples whose noise has four times the variance of its clean labels, and a weak target.
    """
    shares = []
    for d in inputs:
        pair = transfer_pairs(200, 200, d, 0.9, 1.0, 2.0, range(n_seeds), "same", 1)
        weak = replace(pair, target_labels=1e-3 * pair.target_labels)
        fitted = (pair.source_inputs @ _shared(weak)[0][..., None])[..., 0]
        noise = pair.source_labels - (pair.source_inputs @ pair.models[:, 0, :, None])[..., 0]
        shares.append((fitted * noise).sum(axis=1) ** 2 / (fitted**2).sum(axis=1) / 4.0)
    return np.array(shares)


@dataclass(frozen=True)
class Transfer:
    """Relative errors of the target's model, (seed, sine): shared, alone, and their printed and repaired bounds.

    The bounds are given the angle of the shared direction that was found, which favours both.
    """

    shared: Array
    alone: Array
    printed: Array
    repaired: Array

    def curve(self, name: str) -> tuple[Array, Array]:
        """Mean and standard error over seeds at each sine; infinite where the bound of a seed is."""
        values = getattr(self, name)
        finite = np.isfinite(values).all(axis=0)
        mean, error = mean_and_error(np.where(finite, values, 0.0))
        return np.where(finite, mean, np.inf), error


@sized(n_seeds=SETTINGS.n_seeds_transfer, cost="2 GB, 30 min on one core")
def transfer(n_target: int, sines: Sequence[float], *, n_seeds: int) -> Transfer:
    """A large source, and a target of which the models differ by the given sines; 30 inputs, noise 0.5."""
    columns = []
    for value in sines:
        pair = transfer_pairs(10000, n_target, 30, np.sqrt(1 - value**2), 1.0, 0.5, range(n_seeds), "same", 1)
        layers, models = _shared(pair)
        columns.append([
            _compared(*parts)
            for parts in zip(pair.target_inputs, pair.target_labels, pair.models[:, 1], layers, models, strict=True)
        ])  # fmt: skip
    return Transfer(*np.transpose(columns, (2, 1, 0)))


@sized(n_seeds=SETTINGS.n_seeds_known_before, cost="2 GB, 20 min on one core")
def known_before(n_target: int, value: float, fitted: bool = False, *, n_seeds: int) -> Array:
    """Bound of the target's error over its error alone, (seed,), with the angle that the theorem knows at 0.1.

    Problems as in ``transfer``, models at one sine. The noise along the direction is the one that was found. The angle
    follows from the target's labels, or from their fitted part alone, as the theorem has it.
    """
    pair = transfer_pairs(10000, n_target, 30, np.sqrt(1 - value**2), 1.0, 0.5, range(n_seeds), "same", 1)
    if fitted:  # the shared direction and the noise along it stay the same
        parts = zip(pair.target_inputs, pair.target_labels, strict=True)
        pair = replace(pair, target_labels=np.stack([x @ single_task_solution(x, y) for x, y in parts]))
    whole = _judged(pair, 1.0, 0.5)[8]
    alone = [np.linalg.norm(single_task_solution(x, y) - truth) for x, y, truth in
             zip(pair.target_inputs, pair.target_labels, pair.models[:, 1], strict=True)]  # fmt: skip
    return np.asarray(np.minimum(whole, 100.0) / alone)


def _compared(x2: Array, y2: Array, truth: Array, layer: Array, model: Array) -> tuple[float, ...]:
    """Errors shared and alone, and the printed and the repaired bound, of one problem."""
    noise, condition = y2 - x2 @ truth, float(np.linalg.cond(x2))
    misalignment, features = sine(layer, truth), x2 @ layer
    projected = abs(features @ noise) / np.linalg.norm(features) / np.linalg.norm(x2 @ truth)
    margin = condition * misalignment / 2
    return (
        float(np.linalg.norm(model - truth)),
        float(np.linalg.norm(single_task_solution(x2, y2) - truth)),
        float(target_error_bound(margin, x2, truth, noise)) if margin < 1 / 3 else np.inf,
        _bounded(float(np.arcsin(misalignment)), condition, projected),
    )
