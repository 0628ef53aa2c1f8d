r"""Gradient flow of one task to a given loss, by a method for stiff equations.

While minus the gradient with respect to the coefficients is g, the layers' own equations :math:`\dot u_\pm = \pm g
v_\pm`, :math:`\dot v_\pm = \pm g u_\pm` turn each pathway by a hyperbolic angle: :math:`u_\pm + v_\pm` grows like
:math:`e^{\pm G}` and :math:`u_\pm - v_\pm` like :math:`e^{\mp G}`, with :math:`G = \int g`. The weights are moved in
this form, which loses no digit however small they are. What is integrated in time is the impulse
:math:`\int r`, r being the residuals, by the Rosenbrock method of order 2 with an error estimate of order 3 (Shampine &
Reichelt 1997). Each run has its own clock.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import count, in_scale, one_of, scalar
from mtlbook_lib.simulation.diagonal.problems import State, Task, fits_of, state_of, tasks_of
from mtlbook_lib.simulation.diagonal.weights import Fits, Weights

_D, _E = 1 / (2 + np.sqrt(2.0)), 6 + np.sqrt(2.0)
_SHORTER, _LONGER = 0.2, 5.0
_LANDING = 0.5  # the last step ends between this share of the tolerance and the tolerance


def gradient_flow(
    weights: Weights,
    inputs: Sequence[ArrayLike],
    labels: Sequence[ArrayLike],
    tolerance: float = 1e-10,
    accuracy: float = 1e-2,
    max_steps: int = 2000,
    layers: str = "both",
) -> Fits:
    r"""Gradient flow of networks with one task until their mean squared error is down to the tolerance.

    Parameters
    ----------
    weights : Weights
        Where to start; one task.
    inputs : sequence of array_like, one of shape (seed or 1, setting or 1, n, D)
    labels : sequence of array_like, one of shape (seed or 1, setting or 1, n)
    tolerance : float
        Loss at which a run stops: it ends between half of this and this.
    accuracy : float
        Largest error of a step in the angle G of any coordinate. It bears on the time, hardly on where the flow ends.
    max_steps : int
        Steps, rejected ones included, after which a run ends unconverged.
    layers : {"both", "readout"}
        What is trained. With a frozen first layer G adds to the readouts, and `accuracy` is for the coefficients.

    Returns
    -------
    Fits

    Raises
    ------
    ValueError
        If a shape does not fit, there is more than one task, a number is not positive, or an entry is not finite.
    TypeError
        If an argument has a wrong type.
    """
    tolerance, accuracy = scalar("tolerance", tolerance, in_scale), scalar("accuracy", accuracy, in_scale)
    max_steps, state = count("max_steps", max_steps), state_of(weights)
    if state.v_plus.shape[1] != 1:
        raise ValueError(f"weights must have one task; got {state.v_plus.shape[1]}. Use descend for several.")
    (task,) = tasks_of(weights, inputs, labels)
    kind = _Frozen if one_of("layers", layers, ("both", "readout")) == "readout" else _Integrator
    return kind(state, task, tolerance, accuracy).run(weights, max_steps)


class _Integrator:
    """Impulses of all runs, stepped on their own clocks."""

    def __init__(self, state: State, task: Task, tolerance: float, accuracy: float):
        self._task, self._tolerance, self._accuracy = task, tolerance, accuracy
        self._start = state
        up, vp, um, vm = state.u_plus, state.v_plus[:, 0], state.u_minus, state.v_minus[:, 0]
        # Sums and differences of a pathway's layers, those that grow with G first.
        self._rising, self._falling = torch.stack([up + vp, um - vm]), torch.stack([up - vp, um + vm])
        self._impulse = torch.zeros_like(task.labels)
        residual = self._field(self._every(), self._impulse)[0]
        self._residual, self._loss = residual, residual.square().sum(dim=1) + task.rest
        # The first step turns no coordinate by more than a tenth.
        self._step = 0.1 / task.pull(residual).abs().amax(dim=1).clamp_min(1e-300)
        self._time, self._steps = torch.zeros_like(self._loss), torch.zeros_like(self._loss, dtype=torch.int64)
        self._tries = torch.zeros_like(self._steps)

    def run(self, weights: Weights, max_steps: int) -> Fits:
        """Step until every run has converged or used up its steps."""
        while True:
            going = (self._loss > self._tolerance) & (self._tries < max_steps) & (self._step > 0)
            runs = torch.nonzero(going).flatten()
            if runs.numel() == 0:
                break
            self._attempt(runs)
        state = State(*self._layers(self._every(), self._impulse))
        return fits_of(weights, state, self._loss, self._tolerance, self._steps, self._time)

    def _every(self) -> Tensor:
        return torch.arange(len(self._task.labels), device=self._task.labels.device)

    def _turned(self, runs: Tensor, impulse: Tensor) -> tuple[Tensor, Tensor]:
        """u ± v of both pathways after an impulse, (pathway, run, D), the growing ones first."""
        grown = self._angle(runs, impulse).exp()
        return self._rising[:, runs] * grown, self._falling[:, runs] / grown

    def _layers(self, runs: Tensor, impulse: Tensor) -> list[Tensor]:
        rising, falling = self._turned(runs, impulse)
        u, v = (rising + falling) / 2, (rising - falling) / 2
        return [u[0], u[1], v[0][:, None], -v[1][:, None]]

    def _field(self, runs: Tensor, impulse: Tensor) -> tuple[Tensor, Tensor]:
        """Residuals after an impulse, and how fast each coefficient answers to its pull: the sum of squared weights."""
        u_plus, u_minus, v_plus, v_minus = self._layers(runs, impulse)
        v_plus, v_minus = v_plus[:, 0], v_minus[:, 0]
        residual = self._task.of(runs).residual(u_plus * v_plus - u_minus * v_minus)
        return residual, u_plus**2 + u_minus**2 + v_plus**2 + v_minus**2

    def _turn(self, runs: Tensor, error: Tensor) -> Tensor:
        """Largest angle of a coordinate that an error of the impulse amounts to."""
        return self._angle(runs, error).abs().amax(dim=1)

    def _angle(self, runs: Tensor, impulse: Tensor) -> Tensor:
        return torch.bmm(impulse[:, None], self._task.inputs[runs])[:, 0]

    def _attempt(self, runs: Tensor) -> None:
        """Try one step of some runs; keep it where it is accurate and does not fall far below the tolerance."""
        step = self._step[runs]
        impulse, new, error = self._rosenbrock(runs, step)
        ratio = torch.nan_to_num(self._turn(runs, error) / self._accuracy, nan=1e6, posinf=1e6)
        loss = new.square().sum(dim=1) + self._task.rest[runs]
        after = step * (0.8 * ratio.clamp_min(1e-9) ** (-1 / 3)).clamp(_SHORTER, _LONGER)
        good = (ratio <= 1) & torch.isfinite(loss)
        beyond = good & (loss < _LANDING * self._tolerance)
        # The loss falls about exponentially: aim at the middle of where to land.
        fall = torch.log(self._loss[runs] / loss.clamp_min(1e-300)).clamp_min(1e-12)
        wanted = torch.log(self._loss[runs] / (0.75 * self._tolerance))
        after = torch.where(beyond, step * (wanted / fall).clamp(0.05, 0.95), after)
        good &= ~beyond
        self._tries[runs] += 1
        self._step[runs] = after
        kept = runs[good]
        self._impulse[kept], self._residual[kept], self._loss[kept] = impulse[good], new[good], loss[good]
        self._time[kept] += step[good]
        self._steps[kept] += 1

    def _rosenbrock(self, runs: Tensor, step: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Impulse and residuals after a step, and the estimated error of the impulse."""
        h, now, f0 = step[:, None], self._impulse[runs], 2 * self._residual[runs]
        x = self._task.inputs[runs]
        _, curvature = self._field(runs, now)
        matrix = torch.bmm(x * (2 * _D * step[:, None, None] * curvature[:, None]), x.mT)
        matrix.diagonal(dim1=1, dim2=2).add_(1.0)
        factor = torch.linalg.cholesky_ex(matrix)[0]

        def solve(right: Tensor) -> Tensor:
            return torch.cholesky_solve(right[..., None], factor)[..., 0]

        k1 = solve(f0)
        f1 = 2 * self._field(runs, now + 0.5 * h * k1)[0]
        k2 = solve(f1 - k1) + k1
        end = now + h * k2
        residual = self._field(runs, end)[0]
        f2 = 2 * residual
        k3 = solve(f2 - _E * (k2 - f1) - 2 * (k1 - f0))
        return end, residual, h / 6 * (k1 - 2 * k2 + k3)


class _Frozen(_Integrator):
    """The same with a frozen first layer: the readouts move along it."""

    def _layers(self, runs: Tensor, impulse: Tensor) -> list[Tensor]:
        u_plus, u_minus = self._start.u_plus[runs], self._start.u_minus[runs]
        angle = self._angle(runs, impulse)
        v_plus, v_minus = self._start.v_plus[runs, 0] + u_plus * angle, self._start.v_minus[runs, 0] - u_minus * angle
        return [u_plus, u_minus, v_plus[:, None], v_minus[:, None]]

    def _field(self, runs: Tensor, impulse: Tensor) -> tuple[Tensor, Tensor]:
        u_plus, u_minus, v_plus, v_minus = self._layers(runs, impulse)
        residual = self._task.of(runs).residual(u_plus * v_plus[:, 0] - u_minus * v_minus[:, 0])
        return residual, u_plus**2 + u_minus**2

    def _turn(self, runs: Tensor, error: Tensor) -> Tensor:
        energy = self._start.u_plus[runs] ** 2 + self._start.u_minus[runs] ** 2
        return (energy * self._angle(runs, error)).abs().amax(dim=1)
