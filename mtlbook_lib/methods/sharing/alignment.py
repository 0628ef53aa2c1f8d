"""Covariance alignment: Algorithm 1."""

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from mtlbook_lib._checks import flag, member, short, whole
from mtlbook_lib._parameters import fresh
from mtlbook_lib.methods.sharing._fitting.loop import (
    History,
    Training,
    descend,
    make_training,
    to_array,
)
from mtlbook_lib.methods.sharing._fitting.network import TensorTasks, all_outputs, tensor_tasks
from mtlbook_lib.methods.sharing._fitting.tasks import Mask, Tasks, held_out
from mtlbook_lib.methods.sharing.hard import HardSharing, SingleTask
from mtlbook_lib.methods.sharing.model import TaskModel


class Alignment(TaskModel):
    r"""Algorithm 1: a matrix for each task before a frozen encoder, trained in turn with the task's head.

    .. math:: \min_{R_i, A_i} L_i\big(A_i(B(x R_i))\big), \qquad R_i = I \text{ at the start}

    First `model` is fitted; then, on every batch, one step for :math:`A_i` and one for :math:`R_i`. With :math:`B`
    fixed the tasks no longer meet, so each is trained, and stopped, by itself: on the rows that its labels are on, and
    held out for it as they were for `model` (if its seed and its share are the same). The start counts as an epoch.

    Parameters
    ----------
    model : HardSharing or SingleTask, optional
        Unfitted; ``shared()`` by default. A ``single_task()`` is the control without any source: the same extra
        parameters and steps, and nothing learned from another task.
    layer : str, optional
        Name of the layer of the encoder behind which the matrix acts, such as an embedding. By default it acts on the
        last axis of the inputs.
    train_heads : bool
        False holds :math:`A_i` where `model` left it.
    training : Training, optional
        Of the matrices and heads; of `model` by default. Device and precision must be those of `model`.

    Attributes
    ----------
    model_ : the fitted `model`
    matrices_ : list of ndarray
        :math:`R_i` of each task.
    histories_ : list of History

    Notes
    -----
    Errors are those of ``fit``. Source: Wu, Zhang & Ré (2020), Algorithm 1. With one linear layer and the head held,
    the flow of :math:`R_i` is the descent of the task's own loss from the shared solution: finetuning, whose result
    depends on when it stops. Trained to the end, it gives single-task learning if the inputs have full column rank, and
    what the source taught survives in their null space otherwise. Compare it with early-stopped ``single_task``.
    """

    model_: HardSharing | SingleTask
    histories_: list[History]

    def __init__(
        self,
        model: HardSharing | SingleTask | None = None,
        layer: str | None = None,
        train_heads: bool = True,
        training: Training | None = None,
    ) -> None:
        self.model = model
        self.layer = layer
        self.train_heads = train_heads
        self.training = training

    def _fit(self, tasks: Tasks, held: Mask | None) -> None:
        model = HardSharing() if self.model is None else self.model
        if not isinstance(model, HardSharing | SingleTask):
            raise TypeError(f"model must be made by shared or single_task, or a reweighted one; got {short(model)}.")
        base, heads = fresh(model), flag("train_heads", self.train_heads)
        training = make_training(base.training if self.training is None else self.training)
        seed = whole("seed", base.seed, 0)
        held = held_out(tasks, training.validation, seed) if held is None else held
        base._fit(tasks, held if training.validation == base._training().validation else None)
        aligned, histories = [], []
        for i, target in enumerate(base.targets_):
            mine, out = tasks.only(i), held[tasks.weights[:, i] > 0]
            data = tensor_tasks(mine.rows(~out), [target], training)
            judge = tensor_tasks(mine.rows(out), [target], training) if out.any() else None
            with training.random_state(seed):
                module = Aligned(*base.network_of(i), self.layer, data.x)
                histories.append(_align(module, data, judge, heads, training, seed))
            aligned.append(module)
        self.model_, self.targets_, self.aligned_, self.histories_ = base, base.targets_, aligned, histories
        self.matrices_ = [to_array(module.matrix) for module in aligned]

    def _outputs(self, x: torch.Tensor) -> list[torch.Tensor]:
        return [all_outputs(module, x)[0] for module in self.aligned_]

    def _training(self) -> Training:
        return self.training if self.training is not None else self.model_._training()


class Aligned(nn.Module):
    """One task: its matrix, its head, and the encoder that it does not own."""

    def __init__(self, encoder: nn.Module, head: nn.Module, layer: str | None, x: torch.Tensor) -> None:
        super().__init__()
        encoder.requires_grad_(False)
        self.frozen = (encoder,)  # in a tuple, torch does not count it among the parameters that are kept
        self.layer = _find(encoder, layer)
        self.head = copy.deepcopy(head)
        example = self._aligned_values(x[:2])
        self.matrix = nn.Parameter(torch.eye(example.shape[-1], dtype=example.dtype, device=example.device))

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        encoder = self.frozen[0].eval()  # no dropout, and no new statistics
        if self.layer is None:
            return [self.head(encoder(x @ self.matrix))]
        return [self.head(self._run(x, lambda values: values @ self.matrix))]

    def _run(self, x: torch.Tensor, change: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
        """Features, with the values behind the layer changed on their way."""
        assert self.layer is not None
        handle = self.layer.register_forward_hook(lambda module, given, values: change(_tensor(values)))
        try:
            features: torch.Tensor = self.frozen[0](x)
        finally:
            handle.remove()
        return features

    def _aligned_values(self, x: torch.Tensor) -> torch.Tensor:
        """What the matrix will act on, for some rows."""
        if self.layer is None:
            if not x.is_floating_point():
                raise TypeError("layer must name an embedding: X holds integers, on which no matrix can act.")
            return x
        seen: list[torch.Tensor] = []

        def keep(values: torch.Tensor) -> torch.Tensor:
            seen.append(values)
            return values

        with torch.no_grad():
            self._run(x, keep)
        if len(seen) != 1:
            raise ValueError(f"layer must be used once in the encoder; it was used {len(seen)} times.")
        return seen[0]


def _find(encoder: nn.Module, layer: str | None) -> nn.Module | None:
    if layer is None:
        return None
    names = [name for name, _ in encoder.named_modules() if name]
    return encoder.get_submodule(names[member("layer", layer, names, "the encoder's ")])


def _tensor(values: Any) -> torch.Tensor:
    if not isinstance(values, torch.Tensor):
        raise TypeError(f"layer must have one tensor as its output; got {type(values).__name__}.")
    return values


def _align(
    module: Aligned, data: TensorTasks, judge: TensorTasks | None, heads: bool, training: Training, seed: int
) -> History:
    """Steps for the head and for the matrix in turn, both on the same batch."""
    turns: list[list[nn.Parameter]] = [list(module.head.parameters())] if heads else []
    optimizers = [(part, training.make_optimizer(part)) for part in [*turns, [module.matrix]]]

    def step(rows: torch.Tensor) -> torch.Tensor:
        module.train()
        for part, optimizer in optimizers:
            loss = data.losses(module(data.x[rows]), rows)[0]
            torch.autograd.backward(loss, inputs=part)
            optimizer.step()
            optimizer.zero_grad()
        return loss.detach()

    def held_out_loss() -> float:
        assert judge is not None
        return float(judge.losses(all_outputs(module, judge.x))[0])

    return descend(module, step, None if judge is None else held_out_loss, len(data), training, seed)
