"""A source and a target of real data that differ in a known way, and what each method makes of them, in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib._random import haar, stream
from mtlbook_lib.data.digit_tasks import turn
from mtlbook_lib.data.real import breast_cancer, digits
from mtlbook_lib.data.scores import area_under_curve
from mtlbook_lib.theory.hard_sharing import (
    covariance_similarity,
    finetuned_models,
    rank_one_optimum,
    single_task_solution,
)

RIDGE = 3.0
# Name of a domain: how the source differs, examples of source and target.
DOMAINS: dict[str, tuple[str, int, int]] = {
    "same": ("same", 800, 60),
    "shifted": ("shifted", 800, 60),
    "turned": ("turned", 800, 60),
    "mixed": ("mixed", 800, 60),
    "other label": ("other label", 800, 60),
    "shifted, 300": ("shifted", 800, 300),
    "cells": ("cells", 300, 40),
    "cells, rescaled": ("cells, rescaled", 300, 40),
}


class Pair(NamedTuple):
    """Training data of source and target, and held-out inputs with their yes-or-no labels, source first.

    Inputs are standardised on the rows of each domain, labels have mean 0 and variance 1 on the training rows.
    """

    inputs: tuple[Array, Array]
    labels: tuple[Array, Array]
    new_inputs: tuple[Array, Array]
    new_labels: tuple[Array, Array]


def draw(domain: str, split: int) -> Pair:
    """A random split; target and held-out images are the same for all domains of digits with equal sizes.

    The target asks whether a digit is odd, or whether cells are benign. The source has the same question on the same
    kind of images, on images shifted by a pixel or turned by a quarter, on pixels mixed by a random rotation, on
    features multiplied by random scales; or another question, whether the digit is 5 or more.
    """
    kind, n_source, n_target = DOMAINS[domain]
    data = breast_cancer() if kind.startswith("cells") else digits()
    order = stream(split, "domains: rows").permutation(len(data.labels))
    target, source, new = np.split(order, [n_target, n_target + n_source])
    odd = data.labels if kind.startswith("cells") else data.labels % 2
    question = (data.labels >= 5).astype(int) if kind == "other label" else odd
    parts = [
        _side(_images(kind, data.inputs, split), question, source, new),
        _side(data.inputs, odd, target, new),
    ]
    if kind == "mixed":
        parts[0] = _mapped(parts[0], haar(64, 64, [split], "domains: mixing")[0])
    if kind == "cells, rescaled":
        d = data.inputs.shape[1]
        parts[0] = _mapped(parts[0], np.diag(np.exp(stream(split, "domains: scales").standard_normal(d))))
    x, y, x_new, y_new = zip(*parts, strict=True)
    return Pair(x, y, x_new, y_new)


Side = tuple[Array, Array, Array, Array]
Integers = NDArray[np.int64]


def _images(kind: str, images: Array, split: int) -> Array:
    if kind == "turned":
        return turn(images)
    if kind == "shifted":
        square = np.roll(images.reshape(-1, 8, 8), 1, axis=2)
        square[:, :, 0] = 0.0
        return square.reshape(-1, 64)
    return images


def _side(inputs: Array, question: Integers, train: Integers, new: Integers) -> Side:
    mean, spread = inputs[train].mean(axis=0), inputs[train].std(axis=0)
    scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
    labels = question[train].astype(float)
    x, x_new = ((inputs[rows] - mean) * scale for rows in (train, new))
    return x, (labels - labels.mean()) / labels.std(), x_new, question[new].astype(float)


def _mapped(side: Side, matrix: Array) -> Side:
    return side[0] @ matrix, side[1], side[2] @ matrix, side[3]


TIMES = np.concatenate([[0.0], np.geomspace(1e-5, 1.0, 16)])  # of fine-tuning; the last is the end
N_FOLDS, LEAST, MOST_ROUNDS = 4, 1e-4, 20
Data = tuple[tuple[Array, ...], tuple[Array, ...]]


@dataclass(frozen=True)
class Shared:
    """One direction for both tasks, (d,), of unit norm, and the head of each, (2,)."""

    direction: Array
    heads: Array

    def model(self, task: int) -> Array:
        """Linear map of a task."""
        return np.asarray(self.heads[task] * self.direction)


def share(data: Data, weights: tuple[float, float] = (1.0, 1.0)) -> Shared:
    """The optimum of hard sharing with one direction and a ridge."""
    (xs, ys), roots = with_ridge(data), np.sqrt(weights)
    b, heads, _ = rank_one_optimum([x * r for x, r in zip(xs, roots, strict=True)],
                                   [y * r for y, r in zip(ys, roots, strict=True)])  # fmt: skip
    return Shared(b, heads)


def share_by_uncertainty(data: Data) -> Shared:
    """Kendall's weighting: from equal weights, weights of one over the mean squared error until they settle."""
    weights = np.ones(2)
    for _ in range(MOST_ROUNDS):
        found = share(data, (float(weights[0]), float(weights[1])))
        errors = [np.mean((x @ found.model(i) - y) ** 2) for i, (x, y) in enumerate(zip(*data, strict=True))]
        new = 1 / np.maximum(errors, LEAST)
        new *= 2 / new.sum()
        settled = np.max(np.abs(new / weights - 1)) < 1e-3
        weights = new
        if settled:
            break
    return found


def with_ridge(data: Data) -> Data:
    """With rows for the ridge."""
    d = data[0][0].shape[1]
    xs = tuple(np.concatenate([x, np.sqrt(RIDGE) * np.eye(d)]) for x in data[0])
    return xs, tuple(np.concatenate([y, np.zeros(d)]) for y in data[1])


def tune(data: Data, task: int, start: Array) -> Array:
    """Models on the flow of a task's own loss from a start and from zero, at TIMES, (2, time, d)."""
    xs, ys = with_ridge(data)
    return finetuned_models(xs[task], ys[task], np.stack([start, np.zeros_like(start)]), TIMES)


def alone(data: Data, task: int) -> Array:
    """Single-task learning."""
    xs, ys = with_ridge(data)
    return single_task_solution(xs[task], ys[task])


class Choice(NamedTuple):
    """By the loss on rows left out: places of the best times from the shared model and from zero; whether to share.

    Instead of single-task learning to the end, or instead of the best stopped one.
    """

    aligned: int
    stopped: int
    share: bool
    share_over_stopped: bool


def choose(pair: Pair, task: int, split: int, both: bool) -> Choice:
    """Cross-validation on the rows of one task; the other's are left out as well where `both` is set."""
    n = [len(y) for y in pair.labels]
    fold = [stream(split, "domains: folds", i).permutation(n[i]) % N_FOLDS for i in (0, 1)]
    losses = np.zeros((2, TIMES.size))
    gate = 0.0
    for k in range(N_FOLDS):
        kept = [fold[i] != k if i == task or both else np.ones(n[i], dtype=bool) for i in (0, 1)]
        data = (
            tuple(x[rows] for x, rows in zip(pair.inputs, kept, strict=True)),
            tuple(y[rows] for y, rows in zip(pair.labels, kept, strict=True)),
        )
        x_out, y_out = pair.inputs[task][~kept[task]], pair.labels[task][~kept[task]]
        start = share(data).model(task)
        losses += ((tune(data, task, start) @ x_out.T - y_out) ** 2).sum(axis=-1)
        gate += float(((x_out @ alone(data, task) - y_out) ** 2).sum() - ((x_out @ start - y_out) ** 2).sum())
    over_stopped = bool(losses[0, 0] < losses[1].min())
    return Choice(int(losses[0].argmin()), int(losses[1].argmin()), gate > 0, over_stopped)


def cell(domain: str, split: int) -> dict[str, Array]:
    """Areas under the curve of all arms on one split, target and source, and similarity scores of the two.

    Arms of "areas", (2, arm), source first: alone, alone and stopped early, shared, Kendall, Algorithm 1, and the gate.
    "scores", (2, 3): eq. 6 and the cosine, before alignment, after it, and after alignment to shuffled labels.
    """
    pair = draw(domain, split)
    data = (pair.inputs, pair.labels)
    shared, uncertain = share(data), share_by_uncertainty(data)
    areas, aligned = np.empty((2, 6)), []
    for task in (0, 1):
        chosen = choose(pair, task, split, both=task == 0)
        start = shared.model(task)
        own = alone(data, task)
        paths = tune(data, task, start)
        tuned, stopped = paths[0, chosen.aligned], paths[1, max(chosen.stopped, 1)]
        models = [own, stopped, start, uncertain.model(task), tuned, start if chosen.share else own]
        scores = np.array(models) @ pair.new_inputs[task].T
        areas[task] = area_under_curve(scores, np.tile(pair.new_labels[task], (6, 1)))
        aligned.append(tuned)
    return {"areas": areas, "scores": _scores(pair, shared, aligned, split)}


def against_open_gate(domain: str, split: int) -> float:
    """Area of the target by Algorithm 1, less that of a gate between sharing and a single task that may stop early."""
    pair = draw(domain, split)
    data = (pair.inputs, pair.labels)
    start, chosen = share(data).model(1), choose(pair, 1, split, both=False)
    paths = tune(data, 1, start)
    models = [paths[0, chosen.aligned], start if chosen.share_over_stopped else paths[1, max(chosen.stopped, 1)]]
    areas = area_under_curve(np.array(models) @ pair.new_inputs[1].T, np.tile(pair.new_labels[1], (2, 1)))
    return float(areas[0] - areas[1])


def _scores(pair: Pair, shared: Shared, aligned: list[Array], split: int) -> Array:
    shuffled = tuple(stream(split, "domains: shuffled labels", i).permutation(y) for i, y in enumerate(pair.labels))
    noise = [tune((pair.inputs, shuffled), i, shared.model(i))[0, -1] for i in (0, 1)]
    sets = [pair.inputs, *(_through(pair, shared, models) for models in (aligned, noise))]
    return np.array([[covariance_similarity(x, z, normalized=kind) for x, z in sets] for kind in (False, True)])


def _through(pair: Pair, shared: Shared, models: list[Array]) -> tuple[Array, Array]:
    """Inputs behind the alignment matrices, which change only along the shared direction."""
    b = shared.direction
    found = [
        x + np.outer(x @ (model - shared.model(i)), b) / shared.heads[i]
        for i, (x, model) in enumerate(zip(pair.inputs, models, strict=True))
    ]
    return found[0], found[1]
