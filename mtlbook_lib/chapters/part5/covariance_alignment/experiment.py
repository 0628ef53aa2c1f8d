"""Covariance alignment on domains of real data, with every control; and Fig. 9."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib._random import haar, normal, stream
from mtlbook_lib.chapters.part5.covariance_alignment import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import Draws, read, spot_check
from mtlbook_lib.chapters.sweep import sweep
from mtlbook_lib.data.digit_tasks import turn
from mtlbook_lib.data.linear_tasks import TransferPair, transfer_pairs
from mtlbook_lib.data.real import breast_cancer, digits
from mtlbook_lib.data.scores import area_under_curve, rank_correlation
from mtlbook_lib.simulation.alignment import align
from mtlbook_lib.simulation.mixed_batches import SharedDirections, align_on_batches, train_on_mixed_batches
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import (
    covariance_similarity,
    finetuned_models,
    rank_one_optimum,
    single_task_solution,
)

RIDGE = SETTINGS.ridge
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
    parts = [_side(_images(kind, data.inputs, split), question, source, new), _side(data.inputs, odd, target, new)]
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
    for _ in range(SETTINGS.most_rounds):
        solution = share(data, (float(weights[0]), float(weights[1])))
        errors = [np.mean((x @ solution.model(i) - y) ** 2) for i, (x, y) in enumerate(zip(*data, strict=True))]
        new = 1 / np.maximum(errors, SETTINGS.least)
        new *= 2 / new.sum()
        settled = np.max(np.abs(new / weights - 1)) < 1e-3
        weights = new
        if settled:
            break
    return solution


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
    fold = [stream(split, "domains: folds", i).permutation(n[i]) % SETTINGS.n_folds for i in (0, 1)]
    losses = np.zeros((2, TIMES.size))
    gate = 0.0
    for k in range(SETTINGS.n_folds):
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
    maps = [
        x + np.outer(x @ (model - shared.model(i)), b) / shared.heads[i]
        for i, (x, model) in enumerate(zip(pair.inputs, models, strict=True))
    ]
    return maps[0], maps[1]


FILE = "part5/covariance_alignment/covariance-alignment.json"
N_SPLITS, DIGITS = SETTINGS.n_splits, SETTINGS.digits
ARMS = ("alone", "stopped", "shared", "kendall", "aligned", "gate")


@dataclass(frozen=True)
class Table:
    """Areas of a domain, (split, role, arm), source before target, and its scores, (split, kind, state)."""

    areas: Array
    scores: Array

    def changes(self, arm: str, over: str, both: bool = False) -> Array:
        """Area of the target by one arm less that by another, in each split; of both tasks' mean for multi-task."""
        change = self.areas[..., ARMS.index(arm)] - self.areas[..., ARMS.index(over)]
        return np.asarray(change.mean(axis=1) if both else change[:, 1])

    def gain(self, arm: str, over: str, both: bool = False) -> tuple[Array, Array]:
        """Mean over splits and paired standard error."""
        return mean_and_error(self.changes(arm, over, both))


@sized(file=FILE, minutes=2)
def compute_stored(folder: Path) -> dict[str, Any]:
    """Fit everything that is kept, or what a former call left undone."""
    kept = {}
    for domain in DOMAINS:
        cells = sweep(cell, [{"domain": domain, "split": split} for split in range(N_SPLITS)], folder)
        kept[domain] = {name: [one[name].round(DIGITS).tolist() for one in cells] for name in cells[0]}
    return {"splits": N_SPLITS, "domains": kept}


def table() -> dict[str, Table]:
    """Stored results by domain."""
    return {domain: Table(**kept) for domain, kept in read(FILE, "domains").items()}


@spot_check(FILE, 1e-4, domains=Draws(tuple(DOMAINS), 4), split=range(N_SPLITS))
def recomputed(domains: list[str], split: int) -> tuple[Array, Array]:
    """Areas of some domains on one split."""
    kept = table()
    return np.stack([cell(d, split)["areas"] for d in domains]), np.stack([kept[d].areas[split] for d in domains])


N_INPUTS, N_TARGET, COSINE, CONDITION, SIZE, EPOCHS = (
    SETTINGS.n_inputs,
    SETTINGS.n_target,
    SETTINGS.cosine,
    SETTINGS.condition,
    SETTINGS.size,
    SETTINGS.epochs,
)
SINGLE = torch.float32  # half the time of double precision; what it moves is far below the scatter over seeds


class Course(NamedTuple):
    """Areas under the curve of the target at `times`, (split, start, time), and of single-task learning, (split,).

    It starts from the shared model, and from zero.
    """

    times: Array
    areas: Array
    alone: Array


@sized(n_splits=SETTINGS.n_splits_course, cost="1 GB, 10 min on one core")
def course(domain: str, *, n_splits: int) -> Course:
    """Areas of the target along `TIMES`."""
    paths, ends = [], []
    for split in range(n_splits):
        pair = draw(domain, split)
        data = (pair.inputs, pair.labels)
        start = share(data).model(1)
        models = np.concatenate([*tune(data, 1, start), alone(data, 1)[None]])
        # Zero has no direction: all its areas are one half, which is what ties give.
        areas = area_under_curve(models @ pair.new_inputs[1].T, np.tile(pair.new_labels[1], (len(models), 1)))
        paths.append(areas[:-1].reshape(2, -1))
        ends.append(areas[-1])
    return Course(np.asarray(TIMES), np.stack(paths), np.array(ends))


@sized(n_splits=SETTINGS.n_splits_open_gate, cost="1 GB, 5 min on one core")
def open_gate(domains: Sequence[str], *, n_splits: int) -> Array:
    """Area of the target by Algorithm 1, less that of a gate that may also stop the single task early, (domain, split).

    The gate takes the shared model or the best single-task model, whichever has the lower loss in cross-validation.
    """
    return np.array([[against_open_gate(domain, split) for split in range(n_splits)] for domain in domains])


@dataclass(frozen=True)
class SyntheticCorrelations:
    """Rank correlation of predictions for the target with the truth, by arm: (seed, source), or (seed,) without one."""

    shared: Array
    aligned: Array
    alone: Array
    alone_aligned: Array
    alone_longer: Array


@sized(
    n_seeds=SETTINGS.n_seeds_synthetic_correlations,
    epochs=(EPOCHS // 6, EPOCHS, EPOCHS),
    cost="8 GB, 10 min on one GPU",
)
def synthetic_correlations(
    sources: Sequence[int], rectified: bool = False, *, n_seeds: int, epochs: int
) -> SyntheticCorrelations:
    """Sharing with a source of another covariance, trained as in the paper's App. B.3, then Algorithm 1 as long again.

    Both models have norm 10 and no noise. Controls without a source: the target alone with Algorithm 1 as long again,
    and with twice the epochs.
    """
    seeds = range(n_seeds)
    pair = transfer_pairs(max(sources), N_TARGET, N_INPUTS, COSINE, CONDITION, 0.0, seeds, "different")
    target, y = pair.target_inputs, _labels(pair.target_labels, rectified)
    how: dict[str, Any] = {"rectified": rectified, "dtype": SINGLE}
    single = train_on_mixed_batches([target], [y], seeds, epochs, **how)
    longer = train_on_mixed_batches([target], [y], seeds, 2 * epochs, **how)
    shared, aligned = [], []
    for m in sources:
        x, source = pair.source(m)
        fit = train_on_mixed_batches([x, target], [_labels(source, rectified), y], seeds, epochs, **how)
        tuned = align_on_batches(target, y, fit, 1, seeds, epochs, **how)
        shared.append(_rank_correlation(pair, fit, 1, rectified))
        aligned.append(_rank_correlation(pair, tuned, 0, rectified))
    control = align_on_batches(target, y, single, 0, seeds, epochs, **how)
    ends = [_rank_correlation(pair, fit, 0, rectified) for fit in (single, control, longer)]
    return SyntheticCorrelations(np.stack(shared, axis=1), np.stack(aligned, axis=1), *ends)


@sized(n_seeds=SETTINGS.n_seeds_with_many_examples, epochs=(EPOCHS // 6, EPOCHS, EPOCHS), cost="8 GB, 2 min on one GPU")
def with_many_examples(n_source: int, *, n_seeds: int, epochs: int) -> Array:
    """``synthetic_correlations`` of Algorithm 1 less those of sharing, (seed,), with one source and linear networks."""
    run = synthetic_correlations([n_source], n_seeds=n_seeds, epochs=epochs)
    return np.asarray(run.aligned[:, 0] - run.shared[:, 0])


def _labels(labels: Array, rectified: bool) -> Array:
    return SIZE * np.maximum(labels, 0.0) if rectified else SIZE * labels


def _rank_correlation(pair: TransferPair, fit: SharedDirections, task: int, rectified: bool) -> Array:
    """Rank correlation of prediction and truth on new inputs of the target, (seed,)."""
    rows = normal((SETTINGS.n_new, N_INPUTS), [0], "Fig. 9: new inputs")[0]
    x = rows @ np.linalg.cholesky(pair.target_covariance).mT
    outputs = [(x @ maps[..., None])[..., 0] for maps in (fit.shared, pair.models[:, 1])]
    predicted, expected = (np.maximum(z, 0.0) if rectified else z for z in outputs)
    return rank_correlation(fit.heads[:, task, None] * predicted, expected)


@sized(n_draws=SETTINGS.n_draws_scores_of_stretched, cost="1 GB, 1 min on one core")
def scores_of_stretched(sizes: Sequence[float], *, n_draws: int) -> Array:
    """Eq. 6 and the cosine of two sets that have nothing in common, behind alignment matrices of a given size.

    Inputs of 20 features lie in two orthogonal halves. The matrices are :math:`I + s v_i b^T` with random unit
    vectors, one :math:`b` for both, as Algorithm 1 makes them. Scores are (kind, size, draw).
    """
    seeds = range(n_draws)
    first, second = (normal((200, 10), seeds, f"stretched: inputs {i}") for i in (1, 2))
    empty = np.zeros_like(first)
    sets = np.concatenate([first, empty], axis=-1), np.concatenate([empty, second], axis=-1)
    v1, v2, b = (_unit(normal((20,), seeds, f"stretched: {name}")) for name in ("v1", "v2", "b"))
    scores = np.empty((2, len(sizes), n_draws))
    for i, s in enumerate(sizes):
        for j in range(n_draws):
            one, two = (x[j] + s * np.outer(x[j] @ v[j], b[j]) for x, v in zip(sets, (v1, v2), strict=True))
            scores[:, i, j] = [covariance_similarity(one, two, normalized=kind) for kind in (False, True)]
    return scores


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


@sized(n_draws=SETTINGS.n_draws_by_definition, cost="1 GB, 5 min on one core")
def by_definition(n_examples: int, *, n_draws: int, rate: float = 1e-5, n_steps: int = 2000) -> tuple[Array, Array]:
    """Algorithm 1 step by step with the head held, on a matrix of 12 × 12, and its flow: models, each (draw, d).

    Inputs and labels are random, and so is the start; steps are small.
    """
    seeds = range(n_draws)
    x, y = normal((n_examples, 12), seeds, "by definition: x"), normal((n_examples,), seeds, "by definition: y")
    layer, head = normal((12,), seeds, "by definition: B"), np.full(n_draws, 1.5)
    starts, taus = head[:, None] * layer, rate * n_steps * head**2 * (layer**2).sum(axis=-1)
    flows = [finetuned_models(a, b, w, [tau])[0] for a, b, w, tau in zip(x, y, starts, taus, strict=True)]
    return align(x, y, layer, head, rate, n_steps), np.stack(flows)
