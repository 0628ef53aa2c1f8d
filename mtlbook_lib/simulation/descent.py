r"""Gradient descent on the layers of deep linear networks, in the two loss conventions of the literature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib.simulation._batches import Networks, networks, regression
from mtlbook_lib.simulation._fixed_step import divergence_limit
from mtlbook_lib.simulation._recording import Recorder, trajectory
from mtlbook_lib.simulation.networks import composite, descent_direction
from mtlbook_lib.simulation.results import Trajectory

Progress = Callable[[Iterable[int]], Iterable[int]]
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
    return 1.0 / (gradients * _checks.scalar("lr", lr, _checks.positive))


def descend(
    layers: Sequence[Any],
    training: Any,
    lr: float,
    n_steps: int,
    *,
    loss: str = "half",
    covariance: Any = None,
    record_every: int = 1,
    observe: Mapping[str, Callable[[Tensor], Tensor]] | None = None,
    progress: Progress | None = None,
) -> Trajectory:
    r"""Full-batch gradient descent on a batch of deep linear networks.

    .. math:: W_l \leftarrow W_l + \eta g\,(W_D \cdots W_{l+1})^T (\Sigma_{31} - W \Sigma_{11})
              (W_{l-1} \cdots W_1)^T, \qquad g = 1 \text{ (half)},\ 2 \text{ (full)}

    Parameters
    ----------
    layers : sequence of Tensor or array, shapes (seed, setting, n_l, n_{l-1})
        Initial weights, first layer first; tensors decide device and precision, arrays take those of the runtime.
    training : Tensor or array, shape (seed, setting, n_out, n_in)
        Input-output covariance :math:`\Sigma_{31}`; the leading axes may be 1.
    lr : float
        Learning rate :math:`\eta`, > 0.
    n_steps : int
        Number of steps, >= 1.
    loss : str
        "half" (half the sum of squared errors) or "full" (the sum itself).
    covariance : Tensor or array, shape (n_in, n_in) or (seed, setting, n_in, n_in), optional
        Input covariance :math:`\Sigma_{11}`; the leading axes may be 1. Identity by default.
    record_every : int
        Steps between samples, >= 1; start and end are always sampled.
    observe : dict of callables, optional
        Each maps the composite maps (seed, setting, n_out, n_in) to a Tensor of shape (seed, setting, ...).
    progress : callable, optional
        Wraps the iterable over samples, for a progress bar.

    Returns
    -------
    Trajectory
        Its times are in units of `time_constant`, so that gradient flow with tau = 1 is the limit of small steps.

    Raises
    ------
    ValueError
        If shapes do not chain, data are not finite, or a number is out of range.
    TypeError
        If an argument has the wrong type.
    """
    nets = networks(layers)
    problem = regression(nets, training, covariance)

    def rule(group: slice) -> Rule:
        target, spread = problem(group)
        return lambda weights: descent_direction(weights, target, spread)

    def maps(weights: list[Tensor]) -> Tensor:
        return nets.unfold(composite(weights))

    return run(nets, rule, maps, lr, n_steps, loss, record_every, observe, progress)


def run(
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
    limit = divergence_limit(_largest(nets.layers)[:, None])
    valid = torch.ones_like(limit, dtype=torch.bool)
    taken = torch.zeros_like(limit, dtype=torch.int64)
    for index in (progress or iter)(range(marks.size)):
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
