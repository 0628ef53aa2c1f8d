"""Random splits of real data into tasks on the same inputs, and what each weighting makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib.data.real import RealTask, breast_cancer, digits
from mtlbook_lib.data.scores import area_under_curve
from mtlbook_lib.experiments.part5._same_inputs import in_label_space
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import shared_models, svd_task_weights, uncertainty_weights

RIDGE, LEAST = 10.0, 1e-4  # of the fits; least loss in Kendall's weighting, as a share of the labels' energy
ARMS = ("alone", "svd", "kendall")
SIX: Mapping[str, tuple[int, ...]] = {
    "even": (0, 2, 4, 6, 8),
    "at least 5": (5, 6, 7, 8, 9),
    "has a loop": (0, 6, 8, 9),
    "prime": (2, 3, 5, 7),
    "1, 4 or 7": (1, 4, 7),
    "3, 5 or 8": (3, 5, 8),
}


@dataclass(frozen=True)
class Splits:
    """Training sets of tasks on the same inputs, first axis split, and the rows held out, with clean labels.

    Inputs are standardised on the training rows; training labels are centred and of unit variance.
    """

    inputs: Array
    labels: Array
    new_inputs: Array
    new_labels: Array

    def with_ridge(self, ridge: float) -> tuple[Array, Array]:
        """Inputs and labels with rows for a ridge, reduced to rows with the same products."""
        n_splits, _, d = self.inputs.shape
        k = self.labels.shape[-1]
        added = np.broadcast_to(np.sqrt(ridge) * np.eye(d, d + k), (n_splits, d, d + k))
        rows = np.concatenate([np.concatenate([self.inputs, self.labels], axis=-1), added], axis=1)
        triangle = np.asarray(np.linalg.qr(rows, mode="r"))
        return triangle[..., :d], triangle[..., d:]


def real_tasks(name: str) -> tuple[RealTask, Array]:
    """A data set and its yes-or-no tasks, (row, task): one for "breast cancer", "at least 5" and "odd"."""
    if name == "breast cancer":
        task = breast_cancer()
        return task, task.targets[:, :1]
    task = digits()
    if name == "ten digits":
        return task, task.targets
    if name == "six tasks":
        return task, np.stack([np.isin(task.labels, group) for group in SIX.values()], axis=1).astype(float)
    chosen = {"at least 5": task.labels >= 5, "odd": task.labels % 2 == 1}[name]
    return task, chosen[:, None].astype(float)


def draw(name: str, columns: NDArray[np.int64], shares: Array, n_train: int, seeds: Iterable[int]) -> Splits:
    """Splits of one data set. Of each task (split, task), a share of training labels is flipped by a fair coin."""
    chosen, (_, targets) = tuple(seeds), real_tasks(name)
    orders, x, x_new = _rows("breast cancer" if name == "breast cancer" else "digits", n_train, chosen)
    found: list[Array] = []
    for split, order, share in zip(chosen, orders, shares, strict=True):
        labels = targets[order[:n_train]][:, columns]
        for place, noisy in enumerate(share):
            rng = stream(split, "reweighting: labels", place)
            rows = rng.permutation(n_train)[: round(noisy * n_train)]
            labels[rows, place] = np.abs(labels[rows, place] - rng.integers(0, 2, rows.size))
        found.append((labels - labels.mean(axis=0)) / labels.std(axis=0))
    return Splits(x, np.stack(found), x_new, targets[orders[:, n_train:]][..., columns])


@lru_cache(maxsize=2)
def _rows(source: str, n_train: int, seeds: tuple[int, ...]) -> tuple[NDArray[np.int64], Array, Array]:
    """Order of the rows, standardised training inputs and held-out ones by split: the same for all tasks on them."""
    inputs = (breast_cancer() if source == "breast cancer" else digits()).inputs
    orders = np.stack([stream(split, "reweighting: rows").permutation(len(inputs)) for split in seeds])
    training = inputs[orders[:, :n_train]]
    mean, spread = training.mean(axis=1, keepdims=True), training.std(axis=1, keepdims=True)
    scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
    return orders, (training - mean) * scale, (inputs[orders[:, n_train:]] - mean) * scale


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


def compare(splits: Splits, shares: Array, rank: int, ridge: float = RIDGE, least: float = LEAST) -> Compared:
    """All arms on the same splits, at one capacity; every fit is a closed form."""
    return compare_ranks(splits, shares, [rank], ridge, least)[rank]


def compare_ranks(
    splits: Splits, shares: Array, ranks: Iterable[int], ridge: float = RIDGE, least: float = LEAST
) -> dict[int, Compared]:
    """All arms on the same splits, by capacity. Alone, tasks have no capacity: their areas are found once."""
    x, y, lift = in_label_space(*splits.with_ridge(ridge))
    alone, found = areas(splits, lift @ shared_models(x, y, y.shape[-1])), {}
    for rank in ranks:
        weights = {
            "svd": svd_task_weights(splits.inputs, splits.labels, rank),
            "kendall": uncertainty_weights(x, y, rank, least),
            "equal": np.ones(shares.shape),
        }
        weights = {arm: values / values.mean(axis=-1, keepdims=True) for arm, values in weights.items()}
        models = lift[:, None] @ shared_models(x[:, None], y[:, None], rank, np.stack([*weights.values()], axis=1))
        measured = dict(zip(weights, np.moveaxis(areas(splits, models), 1, 0), strict=True))
        found[rank] = Compared(measured | {"alone": alone}, weights, shares)
    return found


def areas(splits: Splits, models: Array) -> Array:
    """Areas under the curve on the held-out rows: of models (split, d, task), (split, task); arms after the splits."""
    n_splits, n_tasks = len(models), models.shape[-1]
    flat = models.reshape(n_splits, -1, *models.shape[-2:])
    # One product for all arms: reading the rows takes most of the time.
    columns = flat.swapaxes(1, 2).reshape(n_splits, models.shape[-2], -1)
    scores = (splits.new_inputs @ columns).swapaxes(-1, -2).reshape(n_splits, -1, n_tasks, splits.new_inputs.shape[1])
    labels = np.broadcast_to(splits.new_labels.swapaxes(-1, -2)[:, None], scores.shape)
    return area_under_curve(scores, labels).reshape(*models.shape[:-2], n_tasks)
