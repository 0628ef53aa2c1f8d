"""Two tasks at every cosine, linear and rectified, and tasks of higher rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from scipy.stats import rankdata

from mtlbook_lib._checks import Array
from mtlbook_lib.data.two_tasks.feature_tasks import FeatureTasks, direction_pairs, rotated_pairs
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.rank_one import rank_one_directions
from mtlbook_lib.simulation.two_tasks.shared_features import train_features

N_INPUTS, N_NEW = 100, 1000
SINGLE = torch.float32  # half the time of double precision; what it moves is far below the scatter over seeds
PANELS = {"b": (False, True), "c": (True, False), "d": (True, True)}  # rectified, classes


@dataclass(frozen=True)
class Sweep:
    """Scores on new examples, mean over both tasks, shape (seed, cosine): shared and alone."""

    shared: Array
    alone: Array


@sized(
    quick={"n_seeds": 2, "n_examples": 2000},
    paper={"n_seeds": 24, "n_examples": 2000},
    large={"n_seeds": 100, "n_examples": 9000},
    large_cost="16 GB, 20 min on one core",
)
def linear_sweep(cosines: Sequence[float], *, n_seeds: int, n_examples: int) -> Sweep:
    """Rank correlation of linear models at the exact optimum of one shared direction, without noise; 100 inputs."""
    tasks = direction_pairs(n_examples, N_NEW, N_INPUTS, cosines, range(n_seeds), False)
    squares = [x.mT @ x for x in tasks.inputs]
    products = [y @ x for x, y in zip(tasks.inputs, tasks.labels, strict=True)]
    # All cosines share the inputs, and with them one eigenvalue problem; no direction has inputs of another size.
    layer, _, _ = rank_one_directions(squares[0][:, None], products[0], squares[1][:, None], products[1], 201)
    alone = [np.linalg.solve(s, p.mT).mT for s, p in zip(squares, products, strict=True)]
    new = tasks.new_inputs.mT
    # A head of the wrong sign would turn the order round; it has the sign of its task's labels along the direction.
    signs = [np.sign((p * layer).sum(axis=-1, keepdims=True)) for p in products]
    return Sweep(
        _score([sign * layer @ new for sign in signs], tasks, classes=False),
        _score([model @ new for model in alone], tasks, classes=False),
    )


@sized(
    quick={"n_seeds": 2, "n_steps": 60},
    paper={"n_seeds": 8, "n_steps": 500},
    large={"n_seeds": 100, "n_steps": 2000},
    large_cost="8 GB, 10 min on one GPU",
)
def trained_sweep(panel: str, cosines: Sequence[float], *, n_seeds: int, n_steps: int) -> Sweep:
    """Scores of trained networks of one shared feature, 1000 examples of 100 inputs for each task.

    Panel "b": linear features, classes; "c": rectified ones, regression; "d": rectified ones, classes. The score is
    the accuracy for classes, and otherwise the rank correlation.
    """
    relu, classes = PANELS[panel]
    seeds = range(n_seeds)
    tasks = direction_pairs(1000, N_NEW, N_INPUTS, cosines, seeds, relu, classes)
    loss = "logistic" if classes else "squares"
    both = train_features(tasks.inputs, tasks.labels, 1, seeds, n_steps, relu, loss, 0.02, SINGLE)
    # The first task is the same at all cosines, and alone it is trained once.
    single = [train_features([x], [y], 1, seeds, n_steps, relu, loss, 0.02, SINGLE)
              for x, y in zip(tasks.inputs, (tasks.labels[0][:, :1], tasks.labels[1]), strict=True)]  # fmt: skip
    return Sweep(
        _score([both.outputs(tasks.new_inputs, i) for i in range(2)], tasks, classes),
        _score([one.outputs(tasks.new_inputs, 0) for one in single], tasks, classes),
    )


def _score(outputs: list[Array], tasks: FeatureTasks, classes: bool) -> Array:
    """Mean over tasks, (seed, setting)."""
    parts = []
    for found, wanted in zip(outputs, tasks.new_labels, strict=True):
        parts.append(((found > 0) == (wanted > 0.5)).mean(axis=-1) if classes else _rank_correlation(found, wanted))
    return np.asarray(sum(parts) / len(parts))


def _rank_correlation(found: Array, wanted: Array) -> Array:
    """Spearman's, over the last axis; 0 for equal outputs, which have no order."""
    one, other = (rankdata(values, axis=-1) - (values.shape[-1] + 1) / 2 for values in (found, wanted))
    sizes = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    return np.asarray(np.divide((one * other).sum(axis=-1), sizes, out=np.zeros(sizes.shape), where=sizes > 0))


@dataclass(frozen=True)
class Gain:
    """R² on new examples of the target: shared less alone (seed, size of the source, mixing), and alone (seed,)."""

    change: Array
    alone: Array
    cosines: Array


@sized(
    quick={"n_seeds": 4, "n_steps": 60},
    paper={"n_seeds": 8, "n_steps": 300},
    large={"n_seeds": 100, "n_steps": 1000},
    large_cost="8 GB, 10 min on one GPU",
)
def higher_rank(sources: Sequence[int], mixing: Sequence[float], *, n_seeds: int, n_steps: int) -> Gain:
    """Target of 100 examples and a source, ten rectified features each, ten shared; noise 0.5.

    `cosines` are those of the principal angles between the models of both tasks, (mixing,).
    """
    seeds, shared = range(n_seeds), []
    for m in sources:
        tasks = rotated_pairs(100, m, N_NEW, N_INPUTS, 10, mixing, 0.5, seeds)
        both = train_features(tasks.inputs, tasks.labels, 10, seeds, n_steps, True, dtype=SINGLE)
        shared.append(_determination(both.outputs(tasks.new_inputs, 0), tasks.new_labels[0]))
    # The target is the same for all sources and mixings, and alone it is trained once.
    single = train_features(tasks.inputs[:1], [tasks.labels[0][:, :1]], 10, seeds, n_steps, True, dtype=SINGLE)
    alone = _determination(single.outputs(tasks.new_inputs, 0), tasks.new_labels[0][:, :1])
    bases = [np.linalg.qr(model[0])[0] for model in tasks.models]
    cosines = np.linalg.svd(bases[0].mT @ bases[1], compute_uv=False).mean(axis=-1)
    return Gain(np.stack(shared, axis=1) - alone[:, None], alone[:, 0], cosines)


@sized(
    quick={"n_seeds": 4, "n_steps": 60},
    paper={"n_seeds": 32, "n_steps": 300},
    large={"n_seeds": 200, "n_steps": 1000},
    large_cost="8 GB, 5 min on one GPU",
)
def half_similar(sources: Sequence[int], *, n_seeds: int, n_steps: int) -> Array:
    """Gain of ``higher_rank`` at a mixing of 1/2, where it is least, over more draws: (seed, size of the source)."""
    return higher_rank(sources, [0.5], n_seeds=n_seeds, n_steps=n_steps).change[:, :, 0]


def _determination(outputs: Array, wanted: Array) -> Array:
    return np.asarray(1 - ((outputs - wanted) ** 2).mean(axis=-1) / wanted.var(axis=-1))
