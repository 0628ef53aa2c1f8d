"""Full-batch gradient descent of a batch of networks, whatever the rule that says where a network goes down."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib.simulation.engine.batches import Networks
from mtlbook_lib.simulation.engine.dormand_prince import State, divergence_limit
from mtlbook_lib.simulation.engine.linear_algebra import Calls, added, array_view, packed, run_calls
from mtlbook_lib.simulation.engine.recording import Recorder, trajectory
from mtlbook_lib.simulation.engine.results import Trajectory

Steps = Callable[[int], None]  # so many steps down, of layers that it changes in place
# Which networks, their layers, and the rate of descent on half the sum of squared errors.
Rule = Callable[[slice, list[Tensor], float], Steps]

_GRADIENTS = {"half": 1.0, "full": 2.0}  # gradient of the loss over that of half the sum of squared errors


def time_constant(lr: float, loss: str = "half") -> float:
    r"""Steps of gradient descent in one unit of the time constant :math:`\tau` of gradient flow.

    Source: Lampinen & Ganguli (2019), Sec. 3.1, which pairs the second loss with the first time constant.

    Parameters
    ----------
    lr : float
        Learning rate, > 0.
    loss : str
        "half": :math:`\tfrac12\sum|y - Wx|^2`, hence :math:`\tau = 1/lr`. "full": :math:`\sum|y - Wx|^2`, hence
        :math:`\tau = 1/(2\,lr)`.
    """
    gradients = _GRADIENTS[_checks.one_of("loss", loss, tuple(_GRADIENTS))]
    return 1.0 / (gradients * _checks.scalar("lr", lr, _checks.in_scale))


def run_descent(
    nets: Networks,
    rule: Rule,
    subject: Callable[[list[Tensor]], Any],
    lr: float,
    n_steps: int,
    loss: str,
    record_every: int,
    observe: Mapping[str, Callable[[Any], Tensor]] | None,
) -> Trajectory:
    """Gradient descent by `rule`; the observables see `subject` of the layers, which are 0 once a run has diverged."""
    constant = time_constant(lr, loss)
    marks = _sampled_steps(n_steps, record_every)
    recorder = Recorder(observe, nets.shape, marks.size)
    limit = divergence_limit(largest(nets.layers))
    valid = torch.ones_like(limit, dtype=torch.bool)
    taken = torch.zeros_like(limit, dtype=torch.int64)
    groups = _in_groups(nets, rule, 1.0 / constant)
    for index in range(marks.size):
        new = int(marks[index] - marks[max(index - 1, 0)])
        for steps in groups:
            steps(new)
        taken += new * valid
        valid &= largest(nets.layers) <= limit
        if not bool(valid.all()):
            for layer in nets.layers:
                layer[~valid] = 0.0  # a stationary point: observables and further steps need not cope with NaN
        recorder.record(index, subject(nets.layers), valid)
    step = torch.full(limit.shape, 1.0 / constant, dtype=torch.float64, device="cpu")
    method = f"gradient descent, {loss} loss"
    return trajectory(nets, marks / constant, recorder, nets.layers, valid, ~valid, taken, step, method)


def steps_along(layers: Sequence[Tensor], direction: Callable[[], Sequence[Tensor]], rate: float) -> Steps:
    """Steps of `rate` times what `direction` says at each of them."""

    def steps(count: int) -> None:
        for _ in range(count):
            for layer, change in zip(layers, direction(), strict=True):
                layer.add_(change, alpha=rate)

    return steps


def in_place(layers: Sequence[Tensor], into: Callable[[State, State], Calls], unit: float) -> Steps:
    """Steps of layers measured in `unit`, by changes that the calls of `into` take from one list to another.

    Layers and changes lie in one piece of memory each, so that a step adds them in one call.
    """
    weights, every = packed(layers)
    changes, all_changes = packed(layers)
    calls = [*into(weights, changes), *added([array_view(every)], [array_view(all_changes)])]

    def steps(count: int) -> None:
        for weight, layer in zip(weights, layers, strict=True):
            torch.div(layer, unit, out=weight)
        run_calls(calls, count)
        for weight, layer in zip(weights, layers, strict=True):
            torch.mul(weight, unit, out=layer)

    return steps


def largest(blocks: Sequence[Tensor]) -> Tensor:
    """Size of the largest number of every run; NaN where there is one."""
    return torch.stack([block.abs().flatten(1).amax(dim=1) for block in blocks]).amax(dim=0)


def _in_groups(nets: Networks, rule: Rule, rate: float) -> list[Steps]:
    """Steps of all networks, in place, group by group."""
    n_nets, size = nets.layers[0].shape[0], nets.group_size(copies=4)
    groups = [slice(start, start + size) for start in range(0, n_nets, size)]
    return [rule(group, [layer[group] for layer in nets.layers], rate) for group in groups]


def _sampled_steps(n_steps: int, record_every: int) -> NDArray[np.int64]:
    last, every = _checks.count("n_steps", n_steps), _checks.count("record_every", record_every)
    return np.unique(np.append(np.arange(0, last, every), last))
