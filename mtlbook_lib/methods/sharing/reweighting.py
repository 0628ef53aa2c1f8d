"""Weights of the tasks: from the labels (Algorithm 2), or learned with the network (Kendall)."""

from __future__ import annotations

import warnings

import numpy as np
import torch

from mtlbook_lib._checks import Array, count, scalar, within
from mtlbook_lib.methods.sharing._fitting.loop import Training, to_array
from mtlbook_lib.methods.sharing._fitting.network import Encoder, Head, Network, TensorTasks, all_outputs
from mtlbook_lib.methods.sharing._fitting.objectives import Objective, Uncertain, Weighted
from mtlbook_lib.methods.sharing._fitting.tasks import Tasks
from mtlbook_lib.methods.sharing.hard import HardSharing, Loss
from mtlbook_lib.theory.hard_sharing import svd_task_weights


class SvdReweighting(HardSharing):
    r"""Hard sharing with the weights of Algorithm 2: how much of a task lies in the leading directions of all.

    .. math:: \alpha_i \propto \left|U_r^\top X^\top y_i\right|, \qquad \frac1k \sum_i \alpha_i = 1

    with labels :math:`y_i` centred and of unit variance, and :math:`U_r` the first :math:`r` left singular vectors of
    :math:`X^\top Y`. The rows must be labelled for all tasks; inputs of more than one axis are flattened.

    Parameters
    ----------
    rank : int
        :math:`r`, 1 to min(d, k).
    encoder, head, loss, training, seed
        As for ``shared``. Classes are at most two a task: of more, a number says nothing about a direction.

    Attributes
    ----------
    weights_ : ndarray, shape (k,)

    Notes
    -----
    Errors are those of ``fit``. Source: Wu, Zhang & Ré (2020), Algorithm 2. The paper does not say that labels are
    centred and scaled: without it the sizes of the classes decide. Nor does it normalise the weights, whose scale is a
    learning rate. With rank k the weights are the norms of :math:`X^\top y_i`. The weights
    favour tasks that agree with the others: of use where noise is the only reason for a task not to.
    """

    def __init__(
        self,
        rank: int = 1,
        encoder: Encoder = 1,
        head: Head | None = None,
        loss: Loss = "squared",
        training: Training | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(encoder, head, loss, None, training, seed)
        self.rank = rank

    def _objective(self, tasks: Tasks, data: TensorTasks, network: Network) -> Objective:
        for i, target in enumerate(data.targets):
            if target.classes is not None and len(target.classes) > 2:
                raise ValueError(f"Y[:, {i}] must hold numbers or two classes; got {len(target.classes)}.")
        self.weights_ = svd_weights(tasks, count("rank", self.rank))
        return Weighted(torch.from_numpy(self.weights_).to(data.weights))


def svd_weights(tasks: Tasks, rank: int) -> Array:
    """Weights of Algorithm 2 for centred and scaled labels, with mean 1."""
    if np.any(tasks.weights == 0):
        row, task = np.argwhere(tasks.weights == 0)[0]
        raise ValueError("Y must have labels of all tasks on every row: SVD weights compare tasks of the same inputs; "
                         f"row {row} has none for task {task}.")  # fmt: skip
    if tasks.x.dtype.kind in "iu":
        raise TypeError("X must be real numbers for SVD weights, not integers such as tokens; use X.astype(float).")
    spread = tasks.y.std(axis=0)
    for i in np.flatnonzero(spread == 0):
        raise ValueError(f"Y[:, {i}] must vary; it is constant, and has no direction.")
    weights = svd_task_weights(tasks.x.reshape(len(tasks.x), -1), (tasks.y - tasks.y.mean(axis=0)) / spread, rank)
    if np.any(weights == 0):
        raise ValueError(f"rank {rank} gives a task no weight at all: its labels are uncorrelated with X.")
    return np.asarray(weights / weights.mean())


class UncertaintyWeighting(HardSharing):
    r"""Hard sharing with weights that are learned as noise levels of the tasks.

    .. math:: \min_{B, A, s} \sum_i \Big(\frac{L_i}{2 s_i^2} + \log s_i\Big),
        \qquad \frac{L_i}{s_i^2} + \log s_i \text{ for classes}

    At the optimum of s, the weight of :math:`L_i` is :math:`1/2L_i` for numbers and classes alike: the two forms are
    one, with :math:`\sqrt2 s` for s. So the whole is
    :math:`\tfrac12 \sum_i \log L_i`, which has no minimum where one task can be fitted exactly: :math:`L_i` counts as
    no less than `least` times the loss of the best constant, and a warning names a task that gets there.

    Parameters
    ----------
    least : float
        Share of the loss of the best constant, 1e-12 to 1.
    encoder, head, loss, training, seed
        As for ``shared``.

    Attributes
    ----------
    weights_ : ndarray, shape (k,)
        :math:`1/2s_i^2` (:math:`1/s_i^2` for classes) of the last epoch, scaled to mean 1.

    Warns
    -----
    UserWarning
        If a task's training loss falls below the least one.

    Notes
    -----
    Errors are those of ``fit``. Source: Kendall, Gal & Cipolla (2018), which Wu, Zhang & Ré (2020), Sec. 3, compare
    with. The least loss is ours. Training stops by the held-out :math:`\sum_i \log L_i`.
    """

    def __init__(
        self,
        encoder: Encoder = 1,
        head: Head | None = None,
        loss: Loss = "squared",
        least: float = 1e-4,
        training: Training | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(encoder, head, loss, None, training, seed)
        self.least = least

    def _objective(self, tasks: Tasks, data: TensorTasks, network: Network) -> Objective:
        share = scalar("least", self.least, lambda name, value: within(name, value, 1e-12, 1.0))
        least = share * constant_losses(data)
        return Uncertain(data.losses(all_outputs(network, data.x)), least)

    def _finish(self, objective: Objective, data: TensorTasks) -> None:
        assert isinstance(objective, Uncertain)
        objective.bound()
        weights = to_array(objective.weights())
        self.weights_ = weights / weights.mean()
        losses = data.losses(all_outputs(self.network_, data.x))
        for i in torch.nonzero(losses < objective.least).flatten().tolist():
            warnings.warn(
                f"task {i} is fitted almost exactly (loss {float(losses[i]):.1e}); its loss counts as "
                f"{float(objective.least[i]):.1e}, to keep its weight from taking all.",
                UserWarning,
                stacklevel=4,
            )


def constant_losses(data: TensorTasks) -> torch.Tensor:
    """Loss of the best constant output of each task: the variance, or the entropy of the classes."""
    losses = []
    for i, target in enumerate(data.targets):
        shares = data.weights[:, i] / data.weights[:, i].sum()
        codes = data.codes[:, i]
        if len(torch.unique(codes[shares > 0])) < 2:
            raise ValueError(f"Y[:, {i}] must vary among the rows of the training; it is constant there.")
        if target.classes is None:
            losses.append(shares @ (codes - shares @ codes) ** 2)
        else:
            counts = torch.stack([shares @ (codes == c).to(shares) for c in range(len(target.classes))])
            losses.append(-torch.special.xlogy(counts, counts).sum())
    return torch.stack(losses)
