"""Gradient descent of batches of softmax classifiers, with the gradients written out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib._random import seed_tuple
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import Recorder, Trajectory, exponential, to_numpy
from mtlbook_lib.simulation.softmax.observables import Observable, refuse_infinite
from mtlbook_lib.simulation.softmax.problems import Minibatches, Task, groups, problem
from mtlbook_lib.simulation.softmax.students import Students, apply_shared

Observables = Mapping[str, Callable[[Students], Tensor]]


@suited
def descend(
    students: Students,
    tasks: Sequence[Any],
    lr: float,
    n_steps: int,
    *,
    task_weights: Sequence[ArrayLike] | None = None,
    loss: str = "mean",
    batch_size: int | None = None,
    batch_seeds: Iterable[int] | None = None,
    record: int | Sequence[int] = 1,
    observe: Observables | None = None,
) -> Trajectory:
    r"""Gradient descent on the weighted sum of the cross-entropies of all tasks.

    .. math:: L = \sum_j \alpha_j L_j, \qquad L_j = -\frac{1}{N_j}\sum_\mu \log p_{y^\mu}(x^\mu)

    With ``loss="sum"`` all examples count alike, :math:`L = \sum_j \alpha_j (N_j / N_1) L_j`: the sum over examples, in
    units of the number of those of the first task, so that for a single task both losses are the same.

    Source: Lee & Ndirango (2019), eqs. 1-2, and the loss of two tasks before eq. 20.

    Parameters
    ----------
    students : Students
        Initial weights, which are not changed; their tensors decide device and precision.
    tasks : sequence of pairs (inputs, labels)
        One for each head, such as ``data.classification.Examples``: inputs (seed, d, N_j), labels (seed, setting or 1,
        N_j), integers below the head's number of classes.
    lr : float
        Rate of descent, > 0; time is rate times steps.
    n_steps : int
        Number of steps, >= 1.
    task_weights : sequence, optional
        :math:`\alpha_j \ge 0` for each task, a number or one per setting; by default 1.
    loss : {"mean", "sum"}
        See above.
    batch_size : int, optional
        Examples of each task that a step takes; by default all. Every epoch has a new order, which belongs to (seed,
        task): all settings, and a task alone or in company, see the same.
    batch_seeds : iterable of int, optional
        Seeds of these orders, one for each entry of the seed axis; needed with `batch_size` only.
    record : int or sequence of int
        Steps between samples (start and end are always sampled), or the steps to sample, increasing.
    observe : dict of callables, optional
        Each takes ``Students`` and returns a Tensor of shape (seed, setting, ...).

    Returns
    -------
    Trajectory
        Its layers are the trunk, then the heads.

    Raises
    ------
    FloatingPointError
        If weights or a watched loss are not finite; the message names seed and setting.
    """
    rate, marks = _checks.scalar("lr", lr, _checks.in_scale), _marks(n_steps, record)
    current, data = problem(students, tasks, task_weights, loss)
    batches = None if batch_size is None else Minibatches(batch_size, _batch_seeds(batch_seeds), data)
    recorder = Recorder(observe, current.shape, marks.size)
    valid = torch.ones(current.shape[0] * current.shape[1], dtype=torch.bool, device="cpu")
    done = 0
    for index in range(marks.size):
        _advance(current, data, rate, int(marks[index]) - done, batches)
        done = int(marks[index])
        refuse_infinite(_finite(current), f"weights after step {done} of rate {rate:g}")
        recorder.record(index, current, valid)
    return _result(current, rate, marks, recorder, "full batch" if batches is None else f"batches of {batch_size}")


@suited
def loss_gradient(
    students: Students, tasks: Sequence[Any], task_weights: Sequence[ArrayLike] | None = None, loss: str = "mean"
) -> list[Tensor]:
    """Gradient of the loss of ``descend``: one tensor for each layer, the trunk first, then the heads.

    `students`, `tasks`, `task_weights` and `loss` are as for ``descend``; weights 1 and 0 give the gradient of the
    first task alone.

    Returns
    -------
    list of Tensor, shapes (seed, setting, output, input)
    """
    current, data = problem(students, tasks, task_weights, loss)
    return [-change for change in _direction(current, data)]


def squared_gradient(tasks: Sequence[Any]) -> Observable:
    r"""Observable: squared norm of the gradient of all layers, the rate at which gradient flow lowers the loss.

    .. math:: -\frac{dL}{dt} = \sum_l \lVert \partial L/\partial W_l \rVert_F^2

    Source: Lee & Ndirango (2019), eq. 10.

    Parameters
    ----------
    tasks
        As for ``descend``; they are looked at when the observable is called.

    Returns
    -------
    callable
        Students to squared norms (seed, setting).
    """

    def total(students: Students) -> Tensor:
        layers = loss_gradient(students, tasks)
        return torch.stack([layer.square().sum(dim=(-2, -1)) for layer in layers]).sum(dim=0)

    return total


def _advance(students: Students, tasks: list[Task], rate: float, steps: int, batches: Minibatches | None) -> None:
    """Some steps of all students, in place, group by group."""
    if steps == 0:
        return
    orders = None if batches is None else batches.next(steps)
    largest = max(task.inputs.shape[-1] for task in tasks) if orders is None else orders[0].shape[-1]
    for seeds, settings in groups(students, largest):
        mine = students.with_layers([layer[seeds, settings] for layer in students.layers])
        data = [task.part(seeds, settings) for task in tasks]
        for step in range(steps):
            if batches is not None and orders is not None:
                now = [t.batch(orders[j][step, seeds], batches.share(j)) for j, t in enumerate(data)]
            else:
                now = data
            for layer, change in zip(mine.layers, _direction(mine, now), strict=True):
                layer.add_(change, alpha=rate)


def _direction(students: Students, tasks: Sequence[Task]) -> list[Tensor]:
    """Minus the gradient of the loss for every layer, the trunk first, then the heads."""
    return _rectified(students, tasks) if students.rectified and students.trunk else _linear(students, tasks)


def _linear(students: Students, tasks: Sequence[Task]) -> list[Tensor]:
    """All that the data say is their gradient in the composite maps, of the size of a teacher."""
    if not students.trunk:
        return [_map_direction(head, task) for head, task in zip(students.heads, tasks, strict=True)]
    below = list(accumulate(students.trunk, lambda product, layer: layer @ product))
    heads, pull = [], torch.zeros_like(below[-1])
    for head, task in zip(students.heads, tasks, strict=True):
        misfit = _map_direction(head @ below[-1], task)
        heads.append(misfit @ below[-1].mT)
        pull += head.mT @ misfit
    trunk = []
    for layer, under in zip(students.trunk[:0:-1], below[-2::-1], strict=True):
        trunk.append(pull @ under.mT)
        pull = layer.mT @ pull
    return [pull, *reversed(trunk), *heads]


def _map_direction(maps: Tensor, task: Task) -> Tensor:
    """Minus the gradient of a task's loss in its map from inputs to logits."""
    errors = _errors(apply_shared(maps, task.inputs), task)
    return (errors.flatten(1, 2) @ task.inputs.mT).view(maps.shape) * -task.factor


def _errors(logits: Tensor, task: Task) -> Tensor:
    """Probabilities minus labels, in place of the logits (seed, setting, k, N)."""
    logits -= logits.amax(dim=2, keepdim=True)
    exponential(logits)
    logits /= logits.sum(dim=2, keepdim=True)
    minus_one = logits.new_full((), -1.0).expand(*task.labels.shape)[:, :, None]
    return logits.scatter_add_(2, task.labels[:, :, None], minus_one)


def _rectified(students: Students, tasks: Sequence[Task]) -> list[Tensor]:
    """Backpropagation; the tasks have inputs of their own and add up in the trunk."""
    trunk: list[Tensor] = [torch.zeros_like(layer) for layer in students.trunk]
    heads = []
    for head, task in zip(students.heads, tasks, strict=True):
        activities = students.activities(task.inputs)
        back = _errors(head @ activities[-1], task) * -task.factor
        heads.append(back @ activities[-1].mT)
        above = head
        for layer in range(len(trunk) - 1, 0, -1):
            back = (above.mT @ back).mul_(activities[layer] > 0)
            trunk[layer] += back @ activities[layer - 1].mT
            above = students.trunk[layer]
        back = (above.mT @ back).mul_(activities[0] > 0)
        trunk[0] += (back.flatten(1, 2) @ task.inputs.mT).view(trunk[0].shape)
    return [*trunk, *heads]


def _marks(n_steps: int, record: int | Sequence[int]) -> NDArray[np.int64]:
    """The steps after which something is recorded."""
    last = _checks.count("n_steps", n_steps)
    if _checks.as_given("record", record).ndim == 0:
        return np.unique(np.append(np.arange(0, last, _checks.count("record", record)), last))
    marks = _checks.counts("record", record, 0)
    if marks.ndim != 1 or np.any(np.diff(marks) <= 0) or marks.size == 0 or marks[-1] > last:
        raise ValueError(f"record must be increasing steps of at most n_steps = {last}; got {_checks.short(record)}.")
    return marks


def _batch_seeds(seeds: Iterable[int] | None) -> tuple[int, ...]:
    if seeds is None:
        raise ValueError("batch_seeds must be given with batch_size: one seed for each entry of the seed axis.")
    try:
        return seed_tuple(seeds)
    except (TypeError, ValueError) as error:
        raise type(error)(f"batch_seeds: {error}") from None


def _finite(students: Students) -> Tensor:
    """Whether all weights of a student are finite, shape (seed, setting): their sums are, which are quickly had."""
    return torch.stack([layer.flatten(2).sum(2) for layer in students.layers]).isfinite().all(0)


def _result(students: Students, rate: float, marks: NDArray[np.int64], recorder: Recorder, kind: str) -> Trajectory:
    shape, first = students.shape, students.layers[0]
    return Trajectory(
        times=np.asarray(marks * rate, dtype=np.float64),
        values=recorder.values,
        layers=tuple(to_numpy(layer) for layer in students.layers),
        converged=np.ones(shape, dtype=bool),
        diverged=np.zeros(shape, dtype=bool),
        steps=np.full(shape, marks[-1]),
        step=np.full(shape, rate),
        method=f"gradient descent, {kind}",
        device=str(first.device),
        dtype=str(first.dtype).removeprefix("torch."),
    )
