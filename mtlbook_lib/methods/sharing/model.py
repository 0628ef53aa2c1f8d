"""Interface of every fitted method: outputs, predictions, losses and scores of all tasks."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib._parameters import Parameters
from mtlbook_lib.methods.sharing._fitting.loop import Training, to_array
from mtlbook_lib.methods.sharing._fitting.network import row_losses, tensor_tasks, to_tensor
from mtlbook_lib.methods.sharing._fitting.targets import Target
from mtlbook_lib.methods.sharing._fitting.tasks import Mask, Tasks, make_inputs, make_tasks

Kind = TypeVar("Kind", bound="TaskModel")


class TaskModel(Parameters):
    """A model of several tasks, with the interface of a scikit-learn estimator.

    Tasks are columns of one table of labels, NaN where a row has no label for a task (``stack_tasks`` makes such a
    table of tasks with examples of their own). So the models work in a ``Pipeline`` and in ``cross_val_score``, with
    steps before them that treat the rows of all tasks alike: a scaler in a pipeline sees all tasks together.
    """

    training: Training | None
    targets_: list[Target]

    @torch.inference_mode(False)
    def fit(self: Kind, X: ArrayLike, Y: ArrayLike, sample_weight: ArrayLike | None = None) -> Kind:
        """Train on rows that are labelled for one or more tasks.

        Parameters
        ----------
        X : array_like, shape (n, ...)
            Inputs, in any shape that the encoder takes. Integers, such as tokens, stay integers.
        Y : array_like, shape (n, k)
            Labels, a column a task: numbers, or classes named by numbers. NaN where a label is missing.
        sample_weight : array_like, shape (n,) or (n, k), optional
            Weights >= 0 of the rows in each task's loss, which is the weighted mean.

        Returns
        -------
        the fitted model itself

        Raises
        ------
        ValueError
            If a task lacks labels.
        RuntimeError
            If training diverges.
        """
        tasks = make_tasks(X, Y, sample_weight)
        self._fit(tasks, None)
        return self

    def _fit(self, tasks: Tasks, held: Mask | None) -> None:
        """Train on checked data; `held` are the rows for early stopping, chosen here if None."""
        raise NotImplementedError

    def _outputs(self, x: torch.Tensor) -> list[torch.Tensor]:
        """Outputs of every task on all rows, without gradients."""
        raise NotImplementedError

    def _of(self, x: torch.Tensor) -> list[torch.Tensor]:
        """The same; what the encoder cannot take is said as torch says it."""
        try:
            return self._outputs(x)
        except RuntimeError as error:
            raise ValueError(f"X must have rows that the encoder takes; got shape {tuple(x.shape)}: {error}") from error

    def outputs(self, X: ArrayLike) -> list[Array]:
        """Raw outputs of each task on every row, shapes (n, outputs of the task): numbers, log odds, or logits."""
        return [to_array(outputs) for outputs in self._of(self._tensor(X))]

    def predict(self, X: ArrayLike) -> Array:
        """The number or the likeliest class for each row and task, shape (n, k)."""
        outputs = self.outputs(X)
        return np.column_stack([target.predict(out) for target, out in zip(self.targets_, outputs, strict=True)])

    def predict_proba(self, X: ArrayLike) -> list[Array]:
        """Probabilities of the classes of each task, shapes (n, classes); all tasks must have classes."""
        outputs = self.outputs(X)
        for i, target in enumerate(self.targets_):
            if target.classes is None:
                raise ValueError(f"loss must be cross-entropy for probabilities; task {i} has squared errors.")
        return [target.probabilities(out) for target, out in zip(self.targets_, outputs, strict=True)]

    def row_losses(self, X: ArrayLike, Y: ArrayLike) -> Array:
        """Loss of each row and task, shape (n, k), NaN where a label is missing."""
        tasks = self._tasks(X, Y)
        data = tensor_tasks(tasks, self.targets_, self._training())
        losses = row_losses(self.targets_, self._of(data.x), data.codes)
        return np.where(tasks.weights > 0, to_array(losses), np.nan)

    def scores(self, X: ArrayLike, Y: ArrayLike, sample_weight: ArrayLike | None = None) -> Array:
        """Share of correct classes, or of the labels' variance that is explained, for each task, shape (k,)."""
        tasks, outputs = self._tasks(X, Y, sample_weight), self.outputs(X)
        shares = []
        for i, (target, out) in enumerate(zip(self.targets_, outputs, strict=True)):
            rows = tasks.weights[:, i] > 0
            shares.append(target.score(tasks.y[rows, i], out[rows], tasks.weights[rows, i]))
        return np.array(shares)

    def score(self, X: ArrayLike, Y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Mean over the tasks of their ``scores``."""
        return float(self.scores(X, Y, sample_weight).mean())

    def _training(self) -> Training:
        """Settings that say where tensors are, and how precise."""
        return Training() if self.training is None else self.training

    def _tensor(self, X: ArrayLike) -> torch.Tensor:
        self._check_fitted()
        return to_tensor(make_inputs("X", X), self._training())

    def _tasks(self, X: ArrayLike, Y: ArrayLike, sample_weight: ArrayLike | None = None) -> Tasks:
        self._check_fitted()
        tasks = make_tasks(X, Y, sample_weight)
        if tasks.y.shape[1] != len(self.targets_):
            raise ValueError(f"Y must have {len(self.targets_)} columns as in the fit; got {tasks.y.shape[1]}.")
        return tasks

    def _check_fitted(self) -> None:
        if not hasattr(self, "targets_"):
            raise RuntimeError(f"this {type(self).__name__} is not fitted; call fit first.")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        target = TargetTags(required=True, multi_output=True, single_output=False)
        return Tags(estimator_type=None, target_tags=target, input_tags=InputTags(three_d_array=True))
