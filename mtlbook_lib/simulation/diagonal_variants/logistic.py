r"""Gradient flow of diagonal classifiers on the logistic loss, along given values of minus its logarithm.

The loss falls like :math:`1/t`, so that time and pulls overflow long before anything has converged. Divided by the loss
itself, the pulls stay of order one: this changes the clock and nothing else. Weights of an input move by Lorentz boosts
as with squares (``diagonal.gradient_flow``), which keeps what the flow conserves; their impulse is stepped by the
Rosenbrock method of order 2 with an error estimate of order 3 (Shampine & Reichelt 1997). All losses are logarithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import Array, bounded, count, increasing, instance, scalar, within
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.diagonal import Weights
from mtlbook_lib.simulation.engine import (
    boosted,
    by_lu,
    looks_apart,
    next_length,
    nonzero,
    paired_tasks,
    put,
    rosenbrock,
    stretches,
    to_numpy,
    to_tensor,
)

_LANDED = 1e-6  # how near a mark a step has to end, relative to the mark
_ACCURACIES = (1e-8, 0.5)
_LINEAR = 30.0  # margins from which on the loss of an example is exp(−margin) in float64


@suited
def logistic_flow(
    weights: Weights,
    inputs: Array | Sequence[ArrayLike],
    labels: Array | Sequence[ArrayLike],
    marks: ArrayLike,
    accuracy: float = 1e-3,
    max_steps: int = 20_000,
) -> list[Weights]:
    r"""Gradient flow on :math:`L = \sum_o \frac{1}{n_o} \sum_i \log(1 + e^{-y_i x_i\cdot\beta_o})`.

    Parameters
    ----------
    weights : Weights
        Where to start.
    inputs : sequence of array_like, for each task shape (seed or 1, setting or 1, n_o, D)
        What is the same for all settings may have shape (seed, n_o, D), what is for all seeds too (n_o, D). An array
        holds the data of a single task.
    labels : sequence of array_like, for each task shape (seed or 1, setting or 1, n_o)
        Without axes that do not matter, or as one array, like the inputs.
        1 and −1.
    marks : array_like, shape (M,)
        Increasing values of :math:`-\log L` at which the weights are wanted, above that of the start.
    accuracy : float
        Largest error of a step in the angle of any coordinate, from 1e-8 to 0.5.
    max_steps : int
        Steps, rejected ones included, between two marks.

    Returns
    -------
    list of Weights
        At each mark.

    Raises
    ------
    RuntimeError
        If a run does not get to a mark, as when the data cannot be separated.
    """
    given = instance("weights", weights, Weights)
    accuracy = scalar("accuracy", accuracy, lambda name, value: within(name, value, *_ACCURACIES))
    max_steps = count("max_steps", max_steps)
    wanted = increasing("marks", marks, bounded)
    flow = _Flow(given, _examples(given, inputs, labels), accuracy)
    if not flow.moves():
        raise ValueError("weights must not all be zero in a network: no gradient moves them.")
    before = float(flow.level.max())
    if wanted[0] < before:
        raise ValueError(f"marks must begin above the start's -log L, {before:.3g}; got {wanted[0]:.3g}.")
    samples = []
    for mark in wanted:
        flow.reach(float(mark), max_steps)
        samples.append(flow.weights(given.u_plus.shape[:2]))
    return samples


class Point(NamedTuple):
    """Weights of some runs: u (pathway, run, D) and v (pathway, run, task, D), the second pathway's with a minus."""

    u: Tensor
    v: Tensor

    @property
    def beta(self) -> Tensor:
        """Coefficients, (run, task, D)."""
        return (self.u[:, :, None] * self.v).sum(dim=0)


class Examples(NamedTuple):
    """Inputs times labels of all tasks, one after the other (run, N, D); `task` and `log_n` are (N,)."""

    sizes: list[int]
    signed: Tensor
    task: Tensor
    log_n: Tensor

    def of(self, runs: Tensor) -> Examples:
        """Those of some runs, each named once and in order."""
        return self if len(runs) == len(self.signed) else self._replace(signed=self.signed[runs])

    @property
    def _parts(self) -> tuple[Tensor, ...]:
        """The examples of each task."""
        return torch.split(self.signed, self.sizes, dim=1)

    def margins(self, point: Point) -> Tensor:
        """Label times output of every example, (run, N)."""
        pairs = zip(self._parts, point.beta.unbind(dim=1), strict=True)
        return torch.cat([torch.bmm(part, beta[..., None])[..., 0] for part, beta in pairs], dim=1)

    def level(self, margins: Tensor) -> Tensor:
        """Minus the logarithm of the loss, (run,)."""
        soft = torch.nn.functional.softplus(-margins.clamp(max=_LINEAR)).log()
        return -torch.logsumexp(torch.where(margins > _LINEAR, -margins, soft) - self.log_n, dim=1)

    def shares(self, margins: Tensor) -> Tensor:
        """How much −log L grows with each margin, (run, N)."""
        return (self.level(margins)[:, None] - torch.nn.functional.softplus(margins) - self.log_n).exp()

    def angles(self, impulse: Tensor) -> Tensor:
        """Angle by which an impulse (run, N) turns each input, (run, task, D)."""
        pulls = torch.split(impulse[:, None], self.sizes, dim=2)
        return torch.cat([torch.bmm(pull, part) for pull, part in zip(pulls, self._parts, strict=True)], dim=1)

    def response(self, point: Point) -> Tensor:
        """Derivative of the margins with respect to the impulse, (run, N, N)."""
        answers = torch.einsum("prod,prqd->roqd", point.v, point.v)  # of a task's coefficients to another's pull
        answers.diagonal(dim1=1, dim2=2).add_(point.u.square().sum(dim=0)[..., None])
        columns = [torch.bmm(self.signed * answers[:, self.task, q], p.mT) for q, p in enumerate(self._parts)]
        return torch.cat(columns, dim=2)


class _Flow:
    """Runs on their own clocks; an implicit step of two tasks is some 210 launches on a device, as in ``diagonal``."""

    def __init__(self, weights: Weights, examples: Examples, accuracy: float):
        parts = (weights.u_plus, weights.u_minus, weights.v_plus, -weights.v_minus)
        up, um, vp, vm = (to_tensor(part).flatten(0, 1) for part in parts)
        self._point, self._examples, self._accuracy = (
            Point(torch.stack([up, um]), torch.stack([vp, vm])),
            examples,
            accuracy,
        )
        self._n_tasks = vp.shape[1]
        margins = examples.margins(self._point)
        self.level = examples.level(margins)
        fastest = examples.angles(examples.shares(margins)).abs().amax(dim=(1, 2))
        self._step = 0.1 / nonzero(fastest)

    def weights(self, shape: tuple[int, ...]) -> Weights:
        """The present weights, (seed, setting) unfolded."""
        up, um = (to_numpy(part).reshape(*shape, -1) for part in self._point.u)
        vp, vm = (to_numpy(part).reshape(*shape, self._n_tasks, -1) for part in self._point.v)
        return Weights(up, um, vp, -vm)

    def moves(self) -> bool:
        """Whether every run has weights other than zero."""
        first, second = (part.abs().transpose(0, 1).flatten(1).amax(dim=1) for part in self._point)
        return bool((torch.maximum(first, second) > 0).all())

    def reach(self, mark: float, max_steps: int) -> None:
        """Step until every run is at the mark."""
        close = _LANDED * (1 + abs(mark))
        left = max_steps
        for ahead in stretches(looks_apart(self.level)):
            runs = torch.nonzero(self.level < mark - close).flatten()
            if runs.numel() == 0:
                return
            if left == 0:
                break
            examples = self._examples.of(runs)
            for _ in range(min(ahead, left)):
                self._attempt(runs, examples, mark, close)
            left -= min(ahead, left)
        raise RuntimeError(
            f"a run did not get to -log L = {mark:g} in {max_steps} steps, only to {float(self.level.min()):.3g}; "
            "can the data be separated, and marks be reached?"
        )

    def _attempt(self, runs: Tensor, examples: Examples, mark: float, close: float) -> None:
        """Try one step of some runs that are not yet there; keep it where it is accurate and does not pass the mark."""
        step, old = self._step[runs], self.level[runs]
        waiting = old < mark - close
        point = Point(self._point.u[:, runs], self._point.v[:, runs])
        end, error = self._trial(examples, point, step)
        level = examples.level(examples.margins(end))
        accurate, change = next_length(error, self._accuracy)
        beyond = level > mark + close
        # The level is smooth along a step: a chord says where it meets the mark.
        chord = ((mark - old) / (level - old)).clamp(0.01, 0.9999)
        good = accurate & ~beyond & waiting
        self._step[runs] = torch.where(waiting, step * torch.where(beyond & accurate, chord, change), step)
        for kept, moved in zip(self._point, end, strict=True):
            put(kept.transpose(0, 1), runs, moved.transpose(0, 1), good)
        put(self.level, runs, level, good)

    def _trial(self, examples: Examples, start: Point, step: Tensor) -> tuple[Point, Tensor]:
        """Where a step leads, and the largest angle it is in error by."""
        margins = examples.margins(start)
        shares = examples.shares(margins)
        # Minus the derivative of the shares, diag(share · sigmoid) − share shareᵀ, times that of the margins.
        matrix, taken = examples.response(start), step[:, None] * shares
        together = torch.bmm(shares[:, None], matrix)
        matrix.mul_((taken * torch.sigmoid(margins))[..., None]).baddbmm_(taken[..., None], together, alpha=-1)

        def moved(impulse: Tensor) -> Point:
            return Point(*boosted(*start, examples.angles(impulse)))

        def field(impulse: Tensor) -> Tensor:
            return examples.shares(examples.margins(moved(impulse)))

        # A singular matrix gives NaN, and the step is tried again shorter.
        end, _, error = rosenbrock(step, shares, matrix, field, by_lu)
        missed = examples.angles(error)
        return moved(end), torch.linalg.vector_norm(missed, dim=1).amax(dim=1)


def _examples(weights: Weights, inputs: Array | Sequence[ArrayLike], labels: Array | Sequence[ArrayLike]) -> Examples:
    shape = weights.v_plus.shape
    pairs = paired_tasks(inputs, labels, shape[2], shape)
    if not all(np.all(np.abs(y) == 1) for _, y in pairs):
        raise ValueError("labels must be 1 and -1.")
    signed = [x * y[..., None] for x, y in pairs]
    sizes = [part.shape[2] for part in signed]
    counts = torch.tensor(sizes)
    task = torch.repeat_interleave(torch.arange(len(sizes)), counts)
    rows = to_tensor(np.concatenate(signed, axis=2)).flatten(0, 1)
    return Examples(sizes, rows, task.to(rows.device), counts[task].to(rows).log())
