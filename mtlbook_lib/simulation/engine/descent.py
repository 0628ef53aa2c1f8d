"""Full-batch gradient descent of a batch of networks, whatever the rule that says where a network goes down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib.simulation.engine.batches import Networks
from mtlbook_lib.simulation.engine.fixed_step import divergence_limit
from mtlbook_lib.simulation.engine.recording import Progress, Recorder, each_sample, trajectory
from mtlbook_lib.simulation.engine.results import Trajectory

Rule = Callable[[Sequence[Tensor]], list[Tensor]]  # layers -> minus the gradient of half the sum of squares

_GRADIENTS = {"half": 1.0, "full": 2.0}  # gradient of the loss over that of half the sum of squared errors


def time_constant(lr: float, loss: str = "half") -> float:
    r"""Steps of gradient descent in one unit of the time constant :math:`\tau` of gradient flow.

    Parameters
    ----------
    lr : float
        Learning rate, > 0.
    loss : str
        "half": :math:`\tfrac12\sum|y - Wx|^2`, hence :math:`\tau = 1/lr`. "full": :math:`\sum|y - Wx|^2`, hence
        :math:`\tau = 1/(2\,lr)`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If `lr` is not positive or `loss` is unknown.

    Notes
    -----
    Source: Lampinen & Ganguli (2019), Sec. 3.1, which pairs the second loss with the first time constant.
    """
    gradients = _GRADIENTS[_checks.one_of("loss", loss, tuple(_GRADIENTS))]
    return 1.0 / (gradients * _checks.scalar("lr", lr, _checks.in_scale))


def run_descent(
    nets: Networks,
    rule: Callable[[slice], Rule],
    subject: Callable[[list[Tensor]], Any],
    lr: float,
    n_steps: int,
    loss: str,
    record_every: int,
    observe: Mapping[str, Callable[[Any], Tensor]] | None,
    progress: Progress | None,
) -> Trajectory:
    """Gradient descent by `rule`; the observables see `subject` of the layers, which are 0 once a run has diverged."""
    constant = time_constant(lr, loss)
    marks = _sampled_steps(n_steps, record_every)
    recorder = Recorder(observe, nets.shape, marks.size)
    limit = divergence_limit(_largest(nets.layers))
    valid = torch.ones_like(limit, dtype=torch.bool)
    taken = torch.zeros_like(limit, dtype=torch.int64)
    for index in each_sample(progress, marks.size):
        new = int(marks[index] - marks[max(index - 1, 0)])
        _advance(nets, rule, 1.0 / constant, new)
        taken += new * valid
        valid &= _largest(nets.layers) <= limit
        for layer in nets.layers:
            layer[~valid] = 0.0  # a stationary point: observables and further steps need not cope with NaN
        recorder.record(index, subject(nets.layers), valid)
    step = torch.full_like(limit, 1.0 / constant, dtype=torch.float64)
    method = f"gradient descent, {loss} loss"
    return trajectory(nets, marks / constant, recorder, nets.layers, valid, ~valid, taken, step, method)


def _advance(nets: Networks, rule: Callable[[slice], Rule], rate: float, n_steps: int) -> None:
    """`n_steps` steps of all networks, in place, group by group."""
    n_nets, size = nets.layers[0].shape[0], nets.group_size(copies=4)
    for start in range(0, n_nets, size):
        group = slice(start, start + size)
        direction, weights = rule(group), [layer[group] for layer in nets.layers]
        for _ in range(n_steps):
            for layer, change in zip(weights, direction(weights), strict=True):
                layer.add_(change, alpha=rate)


def _sampled_steps(n_steps: int, record_every: int) -> NDArray[np.int64]:
    last, every = _checks.count("n_steps", n_steps), _checks.count("record_every", record_every)
    return np.unique(np.append(np.arange(0, last, every), last))


def _largest(layers: Sequence[Tensor]) -> Tensor:
    """Largest weight of every network."""
    return torch.stack([layer.abs().amax(dim=(1, 2)) for layer in layers]).amax(dim=0)
