"""Share or not, task by task, by cross-validation."""

from __future__ import annotations

import numpy as np
import torch

from mtlbook_lib._checks import Array, count
from mtlbook_lib.methods.sharing._fitting.loop import Training
from mtlbook_lib.methods.sharing._fitting.parameters import fresh
from mtlbook_lib.methods.sharing._fitting.tasks import Mask, Tasks, folds
from mtlbook_lib.methods.sharing.hard import HardSharing, SingleTask
from mtlbook_lib.methods.sharing.model import TaskModel


class SharingGate(TaskModel):
    r"""Each task by the one of two models whose loss on rows left out is lower.

    .. math:: \hat g_i = \frac1{m_i} \sum_{a} \Big[\ell\big(f^{\text{alone}}_{-a}(x_a), y_{ai}\big)
        - \ell\big(f^{\text{together}}_{-a}(x_a), y_{ai}\big)\Big]

    with the models :math:`f_{-a}` fitted without the fold of row :math:`a`. A task is shared if :math:`\hat g_i > 0`.

    Parameters
    ----------
    alone, together : TaskModel, optional
        Unfitted; ``single_task()`` and ``shared()`` by default. Any two models of this package.
    n_folds : int
        At least 2.
    seed : int
        Of the folds.

    Attributes
    ----------
    gains_ : ndarray, shape (k,)
        :math:`\hat g_i`, in units of the loss.
    gain_errors_ : ndarray, shape (k,)
        Standard errors over the rows. They leave out that the folds share training rows.
    shared_ : ndarray of bool, shape (k,)
        Which tasks are shared.
    alone_, together_ : the two models, fitted to all rows

    Notes
    -----
    Errors are those of ``fit``. Source: ours; the bar for anything that claims to know when to share. Training folds
    are smaller than the whole, so that gains of many examples are estimated low.
    """

    alone_: TaskModel
    together_: TaskModel

    def __init__(
        self, alone: TaskModel | None = None, together: TaskModel | None = None, n_folds: int = 4, seed: int = 0
    ) -> None:
        self.alone = alone
        self.together = together
        self.n_folds = n_folds
        self.seed = seed

    def _fit(self, tasks: Tasks, held: Mask | None) -> None:
        models = [_model("alone", self.alone, SingleTask()), _model("together", self.together, HardSharing())]
        fold = folds(tasks, count("n_folds", self.n_folds, 2), count("seed", self.seed, minimum=0))
        if len(np.unique(fold)) < self.n_folds:
            raise ValueError(f"n_folds must be at most the number of rows of a task; got {self.n_folds}.")
        differences = np.zeros_like(tasks.y)
        for f in range(self.n_folds):
            rows = fold == f
            alone, together = (_losses(model, tasks.rows(~rows), tasks.rows(rows)) for model in models)
            differences[rows] = alone - together
        share = tasks.weights / tasks.weights.sum(axis=0)
        self.gains_ = (share * differences).sum(axis=0)
        self.gain_errors_ = np.sqrt((share**2 * (differences - self.gains_) ** 2).sum(axis=0))
        self.shared_ = self.gains_ > 0
        self.alone_, self.together_ = (_fitted(model, tasks) for model in models)
        self.targets_ = self.alone_.targets_

    def _outputs(self, x: torch.Tensor) -> list[torch.Tensor]:
        alone, together = (model._outputs(x) for model in (self.alone_, self.together_))
        return [pair[int(take)] for pair, take in zip(zip(alone, together, strict=True), self.shared_, strict=True)]

    def _training(self) -> Training:
        return self.alone_._training()


def _model(name: str, given: TaskModel | None, default: TaskModel) -> TaskModel:
    if given is not None and not isinstance(given, TaskModel):
        raise TypeError(f"{name} must be an unfitted model of this package, such as shared(); got {given!r}.")
    return default if given is None else given


def _fitted(model: TaskModel, tasks: Tasks) -> TaskModel:
    copied = fresh(model)
    copied._fit(tasks, None)
    return copied


def _losses(model: TaskModel, train: Tasks, test: Tasks) -> Array:
    """Loss of each test row and task after training on the others; 0 where a label is missing."""
    return _fitted(model, train)._table_losses(test)
