"""What each weighting makes of random splits of real tasks on the same inputs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part5._same_inputs import in_label_space
from mtlbook_lib.data.noisy_tasks import NoisyTasks
from mtlbook_lib.data.scores import area_under_curve
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import shared_models, svd_task_weights, uncertainty_weights

RIDGE, LEAST = 10.0, 1e-4  # of the fits; least loss in Kendall's weighting, as a share of the labels' energy
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


def areas(splits: NoisyTasks, models: Array) -> Array:
    """Areas under the curve on the held-out rows: of models (split, d, task), (split, task); arms after the splits."""
    n_splits, n_tasks = len(models), models.shape[-1]
    flat = models.reshape(n_splits, -1, *models.shape[-2:])
    # One product for all arms: reading the rows takes most of the time.
    columns = flat.swapaxes(1, 2).reshape(n_splits, models.shape[-2], -1)
    scores = (splits.new_inputs @ columns).swapaxes(-1, -2).reshape(n_splits, -1, n_tasks, splits.new_inputs.shape[1])
    labels = np.broadcast_to(splits.new_labels.swapaxes(-1, -2)[:, None], scores.shape)
    return area_under_curve(scores, labels).reshape(*models.shape[:-2], n_tasks)
