"""Algorithm 2 and Kendall's weighting on real tasks: weak annotators, tasks of many kinds, pairs, outside baselines."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import entropy
from torch import nn

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.chapters.part5._same_inputs import in_label_space
from mtlbook_lib.chapters.part5.svd_reweighting import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import read, spot_check
from mtlbook_lib.chapters.sweep import combinations, sweep
from mtlbook_lib.data.linear_tasks import regression_tasks
from mtlbook_lib.data.noisy_tasks import SIX, NoisyTasks, noisy_tasks
from mtlbook_lib.data.real import digits, row_permutations
from mtlbook_lib.data.scores import area_under_curve
from mtlbook_lib.methods.sharing import GradientAggregation, HardSharing, Training, shared
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import shared_models, svd_task_weights, uncertainty_weights

RIDGE, LEAST = SETTINGS.ridge, SETTINGS.least
ARMS = ("alone", "svd", "kendall")


@dataclass(frozen=True)
class Compared:
    """Areas under the curve on held-out rows, and weights of mean 1, by arm, each (split, task).

    Arms are the tasks "alone", sharing with "equal" weights, with those of Algorithm 2, "svd", and "kendall".
    """

    areas: dict[str, Array]
    weights: dict[str, Array]
    shares: Array

    def first(self, n: int) -> Compared:
        """The first few tasks alone, trained with all."""
        areas, weights = ({arm: values[:, :n] for arm, values in part.items()} for part in (self.areas, self.weights))
        return Compared(areas, weights, self.shares[:, :n])

    def gain(self, arm: str, most: float = 1.0, over: str = "equal") -> tuple[Array, Array]:
        """Mean area over tasks with at most a share of random labels, less that of another arm; paired error."""
        return mean_and_error(self.changes(arm, most, over))

    def changes(self, arm: str, most: float = 1.0, over: str = "equal") -> Array:
        """The same in each split."""
        kept = self.shares <= most
        change = np.where(kept, self.areas[arm] - self.areas[over], 0.0)
        return np.asarray(change.sum(axis=-1) / kept.sum(axis=-1))


def compare(splits: NoisyTasks, shares: Array, rank: int, ridge: float = RIDGE, least: float = LEAST) -> Compared:
    """All arms on the same splits, at one capacity; every fit is a closed form."""
    return compare_ranks(splits, shares, [rank], ridge, least)[rank]


def compare_ranks(
    splits: NoisyTasks, shares: Array, ranks: Iterable[int], ridge: float = RIDGE, least: float = LEAST
) -> dict[int, Compared]:
    """All arms on the same splits, by capacity. Alone, tasks have no capacity: their areas are found once."""
    x, y, lift = in_label_space(*splits.with_ridge(ridge))
    alone, compared = areas(splits, lift @ shared_models(x, y, y.shape[-1])), {}
    for rank in ranks:
        weights = {
            "svd": svd_task_weights(splits.inputs, splits.labels, rank),
            "kendall": uncertainty_weights(x, y, rank, least),
            "equal": np.ones(shares.shape),
        }
        weights = {arm: values / values.mean(axis=-1, keepdims=True) for arm, values in weights.items()}
        models = lift[:, None] @ shared_models(x[:, None], y[:, None], rank, np.stack([*weights.values()], axis=1))
        measured = dict(zip(weights, np.moveaxis(areas(splits, models), 1, 0), strict=True))
        compared[rank] = Compared(measured | {"alone": alone}, weights, shares)
    return compared


def areas(splits: NoisyTasks, models: Array) -> Array:
    """Areas under the curve on the held-out rows: of models (split, d, task), (split, task); arms after the splits."""
    n_splits, n_tasks = len(models), models.shape[-1]
    flat = models.reshape(n_splits, -1, *models.shape[-2:])
    # One product for all arms: reading the rows takes most of the time.
    columns = flat.swapaxes(1, 2).reshape(n_splits, models.shape[-2], -1)
    scores = (splits.new_inputs @ columns).swapaxes(-1, -2).reshape(n_splits, -1, n_tasks, splits.new_inputs.shape[1])
    labels = np.broadcast_to(splits.new_labels.swapaxes(-1, -2)[:, None], scores.shape)
    return area_under_curve(scores, labels).reshape(*models.shape[:-2], n_tasks)


SIZES = {"breast cancer": 60}  # training rows; 150 for tasks on digits


@sized(n_splits=SETTINGS.n_splits_weak_annotators, cost="4 GB, 5 min on one core")
def weak_annotators(name: str, shares: Sequence[float], ridge: float = RIDGE, *, n_splits: int) -> Compared:
    """One target labelled by several annotators with these shares of random labels, capacity 1."""
    noise = np.tile(shares, (n_splits, 1))
    splits = noisy_tasks(name, noise, SIZES.get(name, 150), range(n_splits))
    return compare(splits, noise, 1, ridge)


@sized(n_splits=SETTINGS.n_splits_clean_alone, cost="4 GB, 5 min on one core")
def clean_alone(name: str, shares: Sequence[float], *, n_splits: int) -> Array:
    """Area of annotators without errors, each alone, less that with "svd" and "kendall", (arm, split).

    The annotators of ``weak_annotators``, over as many splits as so small a difference needs.
    """
    run = weak_annotators(name, shares, n_splits=n_splits)
    return np.stack([run.changes("alone", 0.0, arm) for arm in ("svd", "kendall")])


@sized(n_splits=SETTINGS.n_splits_good_from_sixty, cost="4 GB, 5 min on one core")
def good_from_sixty(shares: Sequence[float], *, n_splits: int) -> Array:
    """Gain of annotators with at most 20 % random labels by "svd" on "breast cancer", whose 60 rows scatter most."""
    return weak_annotators("breast cancer", shares, n_splits=n_splits).changes("svd", 0.2)


@sized(n_splits=SETTINGS.n_splits_many_tasks, cost="8 GB, 30 min on one core")
def many_tasks(name: str, ranks: Sequence[int], noisy: Sequence[float] = (), *, n_splits: int) -> dict[int, Compared]:
    """The "ten digits" or "six tasks" from 150 images, by capacity; the first tasks have shares of random labels.

    Which tasks come first moves on by one from split to split, unless all labels are clean.
    """
    k = {"ten digits": 10, "six tasks": 6}[name]
    base = np.array([*noisy, *[0.0] * (k - len(noisy))])
    noise = np.stack([np.roll(base, split) for split in range(n_splits)])
    splits = noisy_tasks(name, noise, 150, range(n_splits))
    return compare_ranks(splits, noise, ranks)


@sized(n_splits=SETTINGS.n_splits_ten_digits, cost="8 GB, 5 min on one core")
def ten_digits(rank: int, *, n_splits: int) -> Compared:
    """``many_tasks`` of ten digits at one capacity, over the splits that a small difference needs."""
    return many_tasks("ten digits", [rank], n_splits=n_splits)[rank]


@sized(n_splits=SETTINGS.n_splits_pairs, cost="4 GB, 20 min on one core")
def pairs(*, n_splits: int) -> dict[tuple[str, str], Compared]:
    """All 15 pairs of the six tasks at capacity 1; one task of a pair has 20 % random labels, by turns."""
    names = list(SIX)
    noise = np.array([[0.2, 0.0] if split % 2 else [0.0, 0.2] for split in range(n_splits)])
    compared = {}
    for a, b in itertools.combinations(range(len(names)), 2):
        splits = noisy_tasks("six tasks", noise, 150, range(n_splits), [a, b])
        compared[names[a], names[b]] = compare(splits, noise, 1)
    return compared


@sized(n_splits=SETTINGS.n_splits_entropies, cost="2 GB, 1 min on one core")
def entropies(share: float, *, n_splits: int) -> tuple[Array, Array]:
    """Entropy in nats of how a task's energy spreads over the principal axes of its inputs: clean labels, noisy ones.

    "At least 5" from 150 images, each (split,); 64 axes at most, those of constant pixels have no energy.
    """
    splits = noisy_tasks("at least 5", [0.0, share], 150, range(n_splits))
    axes = np.linalg.svd(splits.inputs, full_matrices=False)[2]
    values = entropy((axes @ (splits.inputs.swapaxes(-1, -2) @ splits.labels)) ** 2, axis=1)
    return values[:, 0], values[:, 1]


@sized(n_problems=SETTINGS.n_problems, cost="1 GB, 5 min on one core")
def collapse(floors: Sequence[float], *, n_problems: int) -> tuple[Array, Array]:
    """Three unrelated linear tasks of equal energy, the first without noise, capacity 1, by Kendall's least loss.

    Share of the weight that the first takes, and share of their energy that is left of the others, (floor, problem).
    """
    tasks = regression_tasks(40, 5, (1.0,) * 3, 3.0, 0.5, range(n_problems), covariances="shared")
    x, y = tasks.inputs[:, 0], tasks.labels.swapaxes(-1, -2).copy()
    y[..., 0] = (x @ tasks.models[:, 0, :, None])[..., 0]
    y /= np.linalg.norm(y, axis=-2, keepdims=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that a loss was clamped is what is to be seen
        weights = np.stack([uncertainty_weights(x, y, 1, floor) for floor in floors])
    left = ((y - x @ shared_models(x, y, 1, weights)) ** 2).sum(axis=-2) / (y**2).sum(axis=-2)
    return weights[..., 0], left[..., 1:].mean(axis=-1)


@sized(n_splits=SETTINGS.n_splits_raw_weights, cost="2 GB, 1 min on one core")
def raw_weights(*, n_splits: int) -> tuple[Array, Array]:
    """Weights of Algorithm 2 for raw pixels and labels 0 and 1, not centred, and class sizes, each (split, task).

    Nine tasks of growing classes, "is the digit at most j?", j = 0 ... 8, capacity 3; mean weight 1.
    """
    task = digits()
    labels = (task.labels[:, None] <= np.arange(9)).astype(float)
    rows = row_permutations(len(labels), range(n_splits))[:, :150]
    weights = svd_task_weights(task.inputs[rows], labels[rows], 3)
    return weights / weights.mean(axis=-1, keepdims=True), labels[rows].mean(axis=1)


FILE = "part5/svd_reweighting/svd-reweighting.json"
CASES: dict[str, tuple[str, list[int], list[float], int]] = {
    # data, columns, shares of random labels, capacity
    "weak annotators": ("at least 5", [0, 0, 0, 0], [0.0, 0.2, 0.8, 0.8], 1)
}
METHODS = ("equal", "pcgrad", "upgrad")
TRAINING = Training(optimizer="adam", rate=2e-2, epochs=800, batch_size=None, validation=0.0, dtype="float64")


def available() -> bool:
    """Whether TorchJD and what it projects with are installed."""
    return all(find_spec(name) is not None for name in ("torchjd", "qpsolvers", "quadprog"))


def trained_cells(setting: str, method: str, split: int) -> dict[str, Array]:
    """Areas under the curve of all tasks after training on one split."""
    name, columns, shares, rank = CASES[setting]
    splits = noisy_tasks(name, shares, 150, [split], columns)
    x, y = splits.with_ridge(RIDGE)
    model = _model(method, rank).fit(x[0], y[0])
    models = np.stack([_weights(model, task) for task in range(y.shape[-1])], axis=-1)
    return {"areas": areas(splits, models[None])[0]}


def _model(method: str, rank: int) -> HardSharing:
    if method == "equal":
        return shared(rank, _head, training=TRAINING)
    return GradientAggregation(method, rank, _head, training=TRAINING)


def _head(n_features: int, n_outputs: int) -> nn.Module:
    return nn.Linear(n_features, n_outputs, bias=False)


def _weights(model: HardSharing, task: int) -> Array:
    """The linear map of one task, (d,)."""
    encoder, head = model.network_of(task)
    layers = [part for part in (*encoder.modules(), *head.modules()) if isinstance(part, nn.Linear)]
    first, last = (layer.weight.detach().cpu().numpy() for layer in layers)
    return np.asarray((last @ first)[0])


@sized(file=FILE, minutes=10)
def compute_stored(folder: Path) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone."""
    kept: dict[str, dict[str, Any]] = {name: {} for name in CASES}
    for setting, method in product(CASES, METHODS):
        splits = combinations(setting=[setting], method=[method], split=range(SETTINGS.n_splits))
        cells = sweep(trained_cells, splits, folder)
        kept[setting][method] = [one["areas"].round(SETTINGS.digits).tolist() for one in cells]
    return {"splits": SETTINGS.n_splits, "areas": kept}


def _kept(setting: str) -> dict[str, Array]:
    """Stored areas of each method, (split, task)."""
    kept: dict[str, Array] = read(FILE, "areas", setting)
    return kept


@own_seeds()
def with_baselines(setting: str) -> Compared:
    """All closed-form arms on the stored splits, with "pcgrad", "upgrad", and "trained" with equal weights."""
    name, columns, shares, rank = CASES[setting]
    noise = np.tile(shares, (SETTINGS.n_splits, 1))
    compared = compare(noisy_tasks(name, noise, 150, range(SETTINGS.n_splits), columns), noise, rank)
    stored = {("trained" if method == "equal" else method): values for method, values in _kept(setting).items()}
    return Compared({**compared.areas, **stored}, compared.weights, noise)


@spot_check(FILE, 1e-4, split=range(SETTINGS.n_splits), setting=tuple(CASES))
def recomputed(split: int, setting: str) -> tuple[Array, Array]:
    """Areas of one split: by PCGrad where TorchJD is installed, else with equal weights."""
    method = "pcgrad" if available() else "equal"
    return trained_cells(setting, method, split)["areas"], _kept(setting)[method][split]
