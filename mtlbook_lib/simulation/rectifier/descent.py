r"""Leaky rectifier networks: their outputs, and full-batch gradient descent on them.

The leak is applied after every hidden layer and, on request, after the last one:
:math:`h_l = \phi(W_l h_{l-1})` with :math:`\phi(z) = z` for :math:`z > 0` and slope times :math:`z` otherwise.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import leaky_relu

from mtlbook_lib import _checks
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import (
    Networks,
    Steps,
    Trajectory,
    networks,
    run_descent,
    steps_along,
    tensor_of,
)

Predictor = Callable[..., Tensor]  # of inputs and, where not all rows are asked for, the number of outputs


def forward(layers: Sequence[Tensor], inputs: Tensor, slope: float = 0.2, leaky_output: bool = False) -> Tensor:
    r"""Outputs of leaky rectifier networks.

    Parameters
    ----------
    layers : sequence of Tensor, shapes (..., output, input)
        Weight matrices, first layer first.
    inputs : Tensor, shape (..., n_in, n_examples)
        Examples in columns; the leading axes broadcast with those of the layers.
    slope : float
        Slope for negative arguments, in [0, 1]; 1 is a linear network.
    leaky_output : bool
        Whether the last layer is rectified too.

    Returns
    -------
    Tensor, shape (..., n_out, n_examples)
    """
    chain = [_checks.instance("layers", layer, Tensor) for layer in _checks.sequence("layers", layers)]
    examples, leaky = _checks.instance("inputs", inputs, Tensor), _checks.flag("leaky_output", leaky_output)
    if not chain or examples.ndim < 2 or examples.shape[-2] != chain[0].shape[-1]:
        raise ValueError(f"inputs must have one row for each column of the first of the layers; got {examples.shape}.")
    try:
        np.broadcast_shapes(examples.shape[:-2], *(layer.shape[:-2] for layer in chain))
    except ValueError:
        told = f"leading axes that go with those of layers; got {tuple(examples.shape)} and {tuple(chain[0].shape)}"
        raise ValueError(f"inputs must have {told}.") from None
    if any(after.shape[-1] != before.shape[-2] for before, after in pairwise(chain)):
        raise ValueError(f"layers must chain, first layer first; got {[tuple(layer.shape) for layer in chain]}.")
    return _activities(chain, examples, _slope(slope), leaky)[-1]


@suited
def descend(
    layers: Sequence[Any],
    inputs: Any,
    targets: Any,
    lr: float,
    n_steps: int,
    *,
    slope: float = 0.2,
    leaky_output: bool = False,
    loss: str = "half",
    record_every: int = 1,
    observe: Mapping[str, Callable[[Predictor], Tensor]] | None = None,
) -> Trajectory:
    r"""Full-batch gradient descent on a batch of leaky rectifier networks.

    Parameters
    ----------
    layers : sequence of Tensor or array, shapes (seed, setting, output, input)
        Initial weights, first layer first; tensors decide device and precision, arrays take those of the runtime.
    inputs : Tensor or array, shape (seed, n_in, n_examples) or (seed, setting, n_in, n_examples)
        Training inputs in columns; the leading axes may be 1.
    targets : Tensor or array, shape (seed, setting, n_out, n_examples)
        Training outputs in columns; the leading axes may be 1.
    lr : float
        Learning rate, > 0.
    n_steps : int
        Number of steps, >= 1.
    slope : float
        Slope for negative arguments, in [0, 1].
    leaky_output : bool
        Whether the last layer is rectified too.
    loss : str
        "half" (half the sum of squared errors) or "full" (the sum itself).
    record_every : int
        Steps between samples, >= 1; start and end are always sampled.
    observe : dict of callables, optional
        Each takes a predictor, which maps inputs (..., n_in, n_examples) to outputs of shape (seed, setting, n_out,
        n_examples), or to the first of them if it is told how many, and returns a Tensor of shape (seed, setting, ...).

    Returns
    -------
    Trajectory
        Its times are in units of the time constant of the linear network with this loss and learning rate.
    """
    nets = networks(layers)
    leak, leaky_output = _slope(slope), _checks.flag("leaky_output", leaky_output)
    examples = _fold_examples(nets, "inputs", inputs, nets.sizes[0][1])
    answers = _fold_examples(nets, "targets", targets, nets.sizes[-1][0])
    if examples.shape[2] != answers.shape[2]:
        raise ValueError(f"targets must have {examples.shape[2]} columns, as inputs; got {answers.shape[2]}.")

    def rule(group: slice, weights: list[Tensor], rate: float) -> Steps:
        mine, wanted = examples[group], answers[group]
        return steps_along(weights, lambda: _direction(weights, mine, wanted, leak, leaky_output), rate)

    def predictor(weights: list[Tensor]) -> Predictor:
        *below, last = (nets.unfold(layer) for layer in weights)
        return lambda new, rows=None: forward([*below, last[..., :rows, :]], new.to(last), leak, leaky_output)

    return run_descent(nets, rule, predictor, lr, n_steps, loss, record_every, observe)


def prediction_error(inputs: Any, targets: Any) -> Callable[[Predictor], Tensor]:
    r"""Observable: squared error on given examples, relative to that of predicting zero.

    .. math:: \varepsilon = \frac{\sum_\mu |y^\mu - f(x^\mu)|^2}{\sum_\mu |y^\mu|^2}

    Parameters
    ----------
    inputs : Tensor or array, shape (seed, n_in, n_examples) or (seed, setting, n_in, n_examples)
        Inputs in columns; the leading axes may be 1.
    targets : Tensor or array, shape (seed, setting, n_out, n_examples)
        Wanted outputs in columns; the leading axes may be 1.

    Returns
    -------
    callable
        Predictors to errors of shape (seed, setting).

    Raises
    ------
    ValueError
        If the targets of a network are all zero.
    """
    examples, wanted = _with_setting("inputs", inputs), tensor_of("targets", targets, 4)
    power = wanted.flatten(2).square().sum(dim=2)
    if not bool((power > 0).all()):
        raise ValueError("targets must not be zero: the error is relative to their power.")

    def observable(predict: Predictor) -> Tensor:
        outputs = predict(examples)
        fits = all(a == b or b == 1 for a, b in zip(outputs.shape[:2], wanted.shape[:2], strict=True))
        if outputs.shape[2:] != wanted.shape[2:] or not fits:
            raise ValueError(f"targets must have the outputs' shape, {outputs.shape}; got {tuple(wanted.shape)}.")
        return (outputs - wanted.to(outputs)).flatten(2).square().sum(dim=2) / power.to(outputs)

    return observable


def _direction(
    layers: Sequence[Tensor], inputs: Tensor, targets: Tensor, slope: float, leaky_output: bool
) -> list[Tensor]:
    """Minus the gradient of half the sum of squared errors, by backpropagation."""
    activities = _activities(layers, inputs, slope, leaky_output)
    backward = targets - activities[-1]
    if leaky_output:
        backward = _through_rectifier(backward, activities[-1], slope)
    directions = [backward @ activities[-2].mT]
    for above in range(len(layers) - 1, 0, -1):
        backward = _through_rectifier(layers[above].mT @ backward, activities[above], slope)
        directions.append(backward @ activities[above - 1].mT)
    return directions[::-1]


def _activities(layers: Sequence[Tensor], inputs: Tensor, slope: float, leaky_output: bool) -> list[Tensor]:
    """Inputs, activities of the hidden layers, and outputs."""
    activities = [inputs]
    for layer in layers[:-1]:
        activities.append(leaky_relu(layer @ activities[-1], slope))
    last = layers[-1] @ activities[-1]
    return [*activities, leaky_relu(last, slope) if leaky_output else last]


def _through_rectifier(backward: Tensor, activity: Tensor, slope: float) -> Tensor:
    """`backward` times the derivative of the rectifier, read off its output: the sign survives rectification."""
    # torch's own backward pass: in one sweep, where a choice between two products takes ten times as long.
    return cast(Tensor, torch.ops.aten.leaky_relu_backward(backward, activity, slope, True))


def _slope(slope: float) -> float:
    return _checks.scalar("slope", slope, lambda name, value: _checks.within(name, value, 0.0, 1.0))


def _with_setting(name: str, value: Any) -> Tensor:
    """`value` with a setting axis, which inputs that all settings share may leave out."""
    tensor = tensor_of(name, value, None)
    if tensor.ndim not in (3, 4):
        raise ValueError(f"{name} must have 3 or 4 axes; got shape {tuple(tensor.shape)}.")
    return tensor[:, None] if tensor.ndim == 3 else tensor


def _fold_examples(nets: Networks, name: str, value: Any, rows: int) -> Tensor:
    tensor = _with_setting(name, value)
    return nets.fold(name, tensor, rows, tensor.shape[-1])
