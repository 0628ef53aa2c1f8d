r"""Plain and stochastic gradient descent of diagonal networks of one task, at one rate."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import Array, bounded, count, counts, in_scale, increasing, instance, one_of, scalar
from mtlbook_lib._random import seed_tuple, stream
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.diagonal import Weights
from mtlbook_lib.simulation.engine import on_host, to_numpy, to_tensor

_CHUNK = 1000  # steps whose examples are drawn at once


@suited
def fixed_steps(
    weights: Weights,
    inputs: ArrayLike,
    labels: ArrayLike,
    rate: float,
    marks: ArrayLike,
    batch: int | None = None,
    seeds: Iterable[int] = (),
    loss: str = "squares",
) -> list[Weights]:
    r"""Steps of gradient descent of all four layers, on all examples or on batches drawn with replacement.

    Parameters
    ----------
    weights : Weights
        Where to start, with one task.
    inputs : array_like, shape (seed, n, D)
    labels : array_like, shape (seed, n)
        Numbers; 1 and −1 for the logistic loss.
    rate : float
        Learning rate, > 0, for the mean of the loss over the examples of a step.
    marks : array_like of int, shape (M,)
        Increasing numbers of steps after which the weights are wanted.
    batch : int or None
        Examples of a step; None takes all of them.
    seeds : iterable of int
        Of the draws, one for each seed, if `batch` is given. Settings of a seed share them.
    loss : {"squares", "logistic"}

    Returns
    -------
    list of Weights
        At each mark.

    Raises
    ------
    RuntimeError
        If the weights overflow: the rate is too large.
    """
    given, rate = instance("weights", weights, Weights), scalar("rate", rate, in_scale)
    kind, wanted = one_of("loss", loss, ("squares", "logistic")), increasing("marks", marks, counts)
    x, y = _data(given, inputs, labels)
    draws = _Draws(x.shape[1], count("batch", batch) if batch is not None else None, seeds, len(x))
    parts = (given.u_plus, given.v_plus[:, :, 0], given.u_minus, given.v_minus[:, :, 0])
    state = _Pathways(*map(_placed, parts))
    found, done = [], 0
    for mark in wanted.tolist():
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow is an error below
            for _ in range(done, mark):
                state.step(*draws.batch(x, y), rate, kind)
        done = mark
        up, vp, um, vm = (to_numpy(torch.as_tensor(part)) for part in state.layers())
        if not all(np.isfinite(part).all() for part in (up, vp, um, vm)):
            raise RuntimeError(f"the weights overflowed within {mark} steps; lower the rate {rate:g}.")
        found.append(Weights(up, um, vp[:, :, None], vm[:, :, None]))
    return found


class _Pathways:
    """Networks (seed, setting, D) in arrays over both pathways, the readouts of the second with a minus.

    The arrays are NumPy's on the processor, where they are so small that torch would spend most of a step on beginning.
    """

    def __init__(self, up: Any, vp: Any, um: Any, vm: Any):
        stack = torch.stack if isinstance(up, Tensor) else np.stack
        self._u, self._v = stack([up, um]), stack([vp, -vm])

    def step(self, x: Any, y: Any, rate: float, kind: str) -> None:
        """One step of the descent on examples (seed, b, D)."""
        parts = self._u * self._v
        beta = parts[0] + parts[1]
        outputs, labels = beta @ x.swapaxes(1, 2), y[:, None]
        error = 2 * (labels - outputs) if kind == "squares" else labels * _logistic(-labels * outputs)
        turn = rate / x.shape[1] * (error @ x)
        first = turn * self._v
        self._v += turn * self._u
        self._u += first

    def layers(self) -> list[Any]:
        """First layer and readout of the first pathway, then those of the second, (seed, setting, D) each."""
        return [self._u[0], self._v[0], self._u[1], -self._v[1]]


class _Draws:
    """Which examples the next step takes, from a generator of each seed."""

    def __init__(self, n: int, batch: int | None, seeds: Iterable[int], n_seeds: int):
        self._n, self._batch = n, batch
        self._waiting: Any = ()
        self._order: Any = ()
        if batch is not None:
            chosen = seed_tuple(seeds)
            if len(chosen) != n_seeds:
                raise ValueError(f"seeds must have one number for each of the {n_seeds} inputs; got {len(chosen)}.")
            self._generators = [stream(seed, "steps: batches") for seed in chosen]

    def batch(self, x: Any, y: Any) -> tuple[Any, Any]:
        """The examples of the next step."""
        if self._batch is None:
            return x, y
        if not len(self._waiting):
            drawn = [one.integers(0, self._n, (_CHUNK, self._batch)) for one in self._generators]
            rows: Any = np.stack(drawn, axis=1)
            order: Any = np.arange(len(x))[:, None]
            if isinstance(x, Tensor):  # to a device for many steps at once
                rows, order = (torch.as_tensor(part, device=x.device) for part in (rows, order))
            self._waiting, self._order = rows, order
        now, self._waiting = self._waiting[0], self._waiting[1:]
        return x[self._order, now], y[self._order, now]


def _data(weights: Weights, inputs: ArrayLike, labels: ArrayLike) -> tuple[Any, Any]:
    x, y = bounded("inputs", inputs), bounded("labels", labels)
    wanted = (weights.u_plus.shape[0], weights.u_plus.shape[2])
    if x.ndim != 3 or x.size == 0 or (x.shape[0], x.shape[2]) != wanted or y.shape != x.shape[:2]:
        raise ValueError(f"inputs must have shape (seed, n, D) to go with the weights, {wanted}, and labels (seed, n); "
                         f"got {x.shape} and {y.shape}.")  # fmt: skip
    if weights.v_plus.shape[2] != 1:
        raise ValueError(f"weights must be of one task; got {weights.v_plus.shape[2]}.")
    return _placed(x), _placed(y)


def _placed(value: Array) -> Any:
    """An array of the engine's precision on the processor, a tensor elsewhere."""
    tensor = to_tensor(value)
    return tensor.numpy() if on_host(tensor) else tensor


def _logistic(x: Any) -> Any:
    """1/(1 + exp(-x)), without an overflow on either side."""
    return torch.sigmoid(x) if isinstance(x, Tensor) else 0.5 * (1 + np.tanh(0.5 * x))
