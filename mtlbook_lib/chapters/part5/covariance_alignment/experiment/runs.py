"""The table of domains that is kept beside the book, and the course of Algorithm 1: by its flow, and trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal, own_seeds
from mtlbook_lib.chapters.kept_arrays import read
from mtlbook_lib.chapters.part5.covariance_alignment.experiment.domains import (
    DOMAINS,
    against_open_gate,
    alone,
    cell,
    draw,
    share,
    tune,
)
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import committed
from mtlbook_lib.chapters.sweep import sweep
from mtlbook_lib.data.linear_tasks import TransferPair, transfer_pairs
from mtlbook_lib.data.scores import area_under_curve, rank_correlation
from mtlbook_lib.simulation.alignment import align
from mtlbook_lib.simulation.mixed_batches import SharedDirections, align_on_batches, train_on_mixed_batches
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import covariance_similarity, finetuned_models

FILE = "part5/covariance_alignment/covariance-alignment.json"
N_SPLITS, DIGITS = 60, 6
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


@committed(FILE, minutes=2)
def compute_stored(folder: Path) -> dict[str, Any]:
    """Fit everything that is kept, or what a former call left undone."""
    kept = {}
    for domain in DOMAINS:
        cells = sweep(cell, [{"domain": domain, "split": split} for split in range(N_SPLITS)], folder)
        kept[domain] = {name: [one[name].round(DIGITS).tolist() for one in cells] for name in cells[0]}
    return {"splits": N_SPLITS, "domains": kept}


def table() -> dict[str, Table]:
    """What is stored, by domain."""
    return {domain: Table(**kept) for domain, kept in read(FILE, "domains").items()}


@own_seeds()
def fit_again(seed: int, n_cells: int = 4) -> tuple[Array, Array]:
    """Areas of some cells, drawn with the seed: now, and as stored."""
    rng = np.random.default_rng(seed)
    domains = rng.choice(list(DOMAINS), n_cells, replace=False)
    cells, kept = list(zip(map(str, domains), map(int, rng.integers(N_SPLITS, size=n_cells)), strict=True)), table()
    now = [cell(*one)["areas"] for one in cells]
    return np.stack(now), np.stack([kept[domain].areas[split] for domain, split in cells])


N_INPUTS, N_TARGET, COSINE, CONDITION, SIZE, EPOCHS = 100, 100, 0.96, 100.0, 10.0, 30
N_NEW = 1000
SINGLE = torch.float32  # half the time of double precision; what it moves is far below the scatter over seeds


@sized(n_splits=(2, 12, 1000), cost="1 GB, 10 min on one core")
def course(domain: str, *, n_splits: int) -> tuple[Array, Array]:
    """Area under the curve of the target along TIMES, from the shared model and from zero (split, start, time); alone.

    The second array is that of single-task learning, (split,).
    """
    paths, ends = [], []
    for split in range(n_splits):
        pair = draw(domain, split)
        data = (pair.inputs, pair.labels)
        start = share(data).model(1)
        models = np.concatenate([*tune(data, 1, start), alone(data, 1)[None]])
        # Zero has no direction: all its areas are one half, which is what ties give.
        found = area_under_curve(models @ pair.new_inputs[1].T, np.tile(pair.new_labels[1], (len(models), 1)))
        paths.append(found[:-1].reshape(2, -1))
        ends.append(found[-1])
    return np.stack(paths), np.array(ends)


@sized(n_splits=(2, 60, 400), cost="1 GB, 5 min on one core")
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


@sized(n_seeds=(2, 24, 500), epochs=(EPOCHS // 6, EPOCHS, EPOCHS), cost="8 GB, 10 min on one GPU")
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


@sized(n_seeds=(2, 8, 100), epochs=(EPOCHS // 6, EPOCHS, EPOCHS), cost="8 GB, 2 min on one GPU")
def with_many_examples(n_source: int, *, n_seeds: int, epochs: int) -> Array:
    """``synthetic_correlations`` of Algorithm 1 less those of sharing, (seed,), with one source and linear networks."""
    run = synthetic_correlations([n_source], n_seeds=n_seeds, epochs=epochs)
    return np.asarray(run.aligned[:, 0] - run.shared[:, 0])


def _labels(labels: Array, rectified: bool) -> Array:
    return SIZE * np.maximum(labels, 0.0) if rectified else SIZE * labels


def _rank_correlation(pair: TransferPair, fit: SharedDirections, task: int, rectified: bool) -> Array:
    """Rank correlation of prediction and truth on new inputs of the target, (seed,)."""
    rows = normal((N_NEW, N_INPUTS), [0], "Fig. 9: new inputs")[0]
    x = rows @ np.linalg.cholesky(pair.target_covariance).mT
    outputs = [(x @ maps[..., None])[..., 0] for maps in (fit.shared, pair.models[:, 1])]
    predicted, expected = (np.maximum(z, 0.0) if rectified else z for z in outputs)
    return rank_correlation(fit.heads[:, task, None] * predicted, expected)


@sized(n_draws=(2, 20, 2000), cost="1 GB, 1 min on one core")
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
    found = np.empty((2, len(sizes), n_draws))
    for i, s in enumerate(sizes):
        for j in range(n_draws):
            one, two = (x[j] + s * np.outer(x[j] @ v[j], b[j]) for x, v in zip(sets, (v1, v2), strict=True))
            found[:, i, j] = [covariance_similarity(one, two, normalized=kind) for kind in (False, True)]
    return found


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


@sized(n_draws=(2, 10, 1000), cost="1 GB, 5 min on one core")
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
