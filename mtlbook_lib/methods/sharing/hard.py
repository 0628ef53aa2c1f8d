"""One network for all tasks, or one for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, place, positive, whole
from mtlbook_lib.methods.sharing._fitting.loop import History, Training, descend, make_training
from mtlbook_lib.methods.sharing._fitting.network import (
    Encoder,
    Head,
    Network,
    TensorTasks,
    all_outputs,
    make_network,
    tensor_tasks,
)
from mtlbook_lib.methods.sharing._fitting.objectives import Objective, Weighted
from mtlbook_lib.methods.sharing._fitting.targets import make_targets
from mtlbook_lib.methods.sharing._fitting.tasks import Mask, Tasks, held_out
from mtlbook_lib.methods.sharing.model import TaskModel

Loss = str | Sequence[str]


class _Networks(TaskModel):
    """What all networks are made by."""

    def __init__(
        self,
        encoder: Encoder = 1,
        head: Head | None = None,
        loss: Loss = "squared",
        training: Training | None = None,
        seed: int = 0,
    ) -> None:
        self.encoder = encoder
        self.head = head
        self.loss = loss
        self.training = training
        self.seed = seed


class HardSharing(_Networks):
    """One encoder for all tasks and a head for each; made by ``shared``, and the base of the weighted methods.

    Attributes
    ----------
    network_ : torch.nn.Module
        The trained encoder and heads.
    weights_ : ndarray, shape (k,)
        Weights of the tasks' losses, where the method has any.
    history_ : History
        Losses of every epoch.
    """

    network_: Network
    weights_: Array
    history_: History

    def __init__(
        self,
        encoder: Encoder = 1,
        head: Head | None = None,
        loss: Loss = "squared",
        weights: ArrayLike | None = None,
        training: Training | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(encoder, head, loss, training, seed)
        self.weights = weights

    def _fit(self, tasks: Tasks, held: Mask | None) -> None:
        training, seed = make_training(self.training), whole("seed", self.seed, 0)
        targets = make_targets(self.loss, tasks)
        held = held_out(tasks, training.validation, seed) if held is None else held
        data = tensor_tasks(tasks.rows(~held), targets, training)
        judge = tensor_tasks(tasks.rows(held), targets, training) if held.any() else None
        with training.random_state(seed):
            network = make_network(self.encoder, self.head, targets, tasks.x, training)
            objective = self._objective(tasks, data, network)
            history = fit_network(network, objective, data, judge, training, seed)
        self.network_, self.targets_, self.history_ = network, targets, history
        self._finish(objective, data)

    def _objective(self, tasks: Tasks, data: TensorTasks, network: Network) -> Objective:
        weights = check_weights(self.weights, tasks.y.shape[1])
        self.weights_ = weights
        return Weighted(torch.from_numpy(weights).to(data.weights))

    def _finish(self, objective: Objective, data: TensorTasks) -> None:
        """Keep what the objective has learned."""

    def _outputs(self, x: torch.Tensor) -> list[torch.Tensor]:
        return all_outputs(self.network_, x)

    def network_of(self, task: int) -> tuple[torch.nn.Module, torch.nn.Module]:
        """Encoder and head of one task."""
        return self.network_.encoder, self.network_.heads[place("task", task, len(self.network_.heads), "task")]


class SingleTask(_Networks):
    """A network for each task; made by ``single_task``.

    Attributes
    ----------
    models_ : list of HardSharing
        One for each task, trained on the rows that it has labels for.
    """

    models_: list[HardSharing]

    def _fit(self, tasks: Tasks, held: Mask | None) -> None:
        training = make_training(self.training)
        held = held_out(tasks, training.validation, whole("seed", self.seed, 0)) if held is None else held
        targets = make_targets(self.loss, tasks)
        models = []
        for i, target in enumerate(targets):
            loss = "squared" if target.classes is None else "cross-entropy"
            model = HardSharing(self.encoder, self.head, loss, training=training, seed=self.seed)
            model._fit(tasks.only(i), held[tasks.weights[:, i] > 0])
            models.append(model)
        self.models_, self.targets_ = models, targets

    def _outputs(self, x: torch.Tensor) -> list[torch.Tensor]:
        return [model._outputs(x)[0] for model in self.models_]

    def network_of(self, task: int) -> tuple[torch.nn.Module, torch.nn.Module]:
        """Encoder and head of one task."""
        return self.models_[place("task", task, len(self.models_), "task")].network_of(0)


def fit_network(
    network: Network,
    objective: Objective,
    data: TensorTasks,
    judge: TensorTasks | None,
    training: Training,
    seed: int,
) -> History:
    """Train all parameters of a network and of its objective."""
    optimizer = training.make_optimizer([p for p in network.parameters() if p.requires_grad], objective.parameters())

    def step(rows: torch.Tensor) -> torch.Tensor:
        network.train()
        optimizer.zero_grad()
        losses = data.losses(network(data.x[rows]), rows)
        objective.backward(losses, network)
        optimizer.step()
        return losses.detach().mean()

    def held_out_loss() -> float:
        assert judge is not None
        return objective.value(judge.losses(all_outputs(network, judge.x)))

    return descend(network, step, None if judge is None else held_out_loss, len(data), training, seed)


def check_weights(weights: ArrayLike | None, n_tasks: int | None) -> Array:
    """One positive weight a task; ones by default."""
    checked = np.ones(n_tasks or 1) if weights is None else positive("weights", weights)
    if checked.ndim != 1 or (n_tasks is not None and len(checked) != n_tasks):
        raise ValueError(f"weights must have shape ({n_tasks or 'k'},), one a task; got {checked.shape}.")
    return checked
