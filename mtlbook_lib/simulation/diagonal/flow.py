r"""Gradient flow to a given loss, by a method for stiff equations; several tasks are in ``boosts``.

While minus the gradient with respect to the coefficients is g, the layers' own equations :math:`\dot u_\pm = \pm g
v_\pm`, :math:`\dot v_\pm = \pm g u_\pm` turn each pathway by a hyperbolic angle: :math:`u_\pm + v_\pm` grows like
:math:`e^{\pm G}` and :math:`u_\pm - v_\pm` like :math:`e^{\mp G}`, with :math:`G = \int g`. The weights are moved in
this form, which loses no digit however small they are. What is integrated in time is the impulse
:math:`\int r`, r being the residuals, by the Rosenbrock method of order 2 with an error estimate of order 3 (Shampine &
Reichelt 1997). Each run has its own clock.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import Array, count, in_scale, one_of, scalar
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.diagonal.boosts import Boosts
from mtlbook_lib.simulation.diagonal.problems import State, Task, fits_of, state_of, tasks_of
from mtlbook_lib.simulation.diagonal.stepping import Stepper, Trial
from mtlbook_lib.simulation.diagonal.weights import Fits, Weights
from mtlbook_lib.simulation.engine import put, rosenbrock


@suited
def gradient_flow(
    weights: Weights,
    inputs: Array | Sequence[ArrayLike],
    labels: Array | Sequence[ArrayLike],
    tolerance: float = 1e-10,
    accuracy: float = 1e-2,
    max_steps: int = 2000,
    layers: str = "both",
) -> Fits:
    r"""Gradient flow of networks until their loss, the sum over tasks of mean squared errors, is at the tolerance.

    Parameters
    ----------
    weights : Weights
        Where to start.
    inputs : sequence of array_like, for each task shape (seed or 1, setting or 1, n_o, D)
        What is the same for all settings may have shape (seed, n_o, D), what is for all seeds too (n_o, D). An array
        holds the data of a single task.
    labels : sequence of array_like, for each task shape (seed or 1, setting or 1, n_o)
        Without axes that do not matter, or as one array, like the inputs.
    tolerance : float
        Loss at which a run stops: it ends between half of this and this.
    accuracy : float
        Largest error of a step in the angle G of any coordinate. With one task it bears on the time, hardly on where
        the flow ends; with several the end depends on the path, and an error of the path stays.
    max_steps : int
        Steps, rejected ones included, after which a run ends unconverged.
    layers : {"both", "readout"}
        What is trained. With a frozen first layer, for one task, G adds to the readouts, and `accuracy` is for the
        coefficients.

    Raises
    ------
    ValueError
        If a frozen first layer has several tasks.
    """
    tolerance, accuracy = scalar("tolerance", tolerance, in_scale), scalar("accuracy", accuracy, in_scale)
    max_steps, state = count("max_steps", max_steps), state_of(weights)
    tasks, frozen = tasks_of(weights, inputs, labels), one_of("layers", layers, ("both", "readout")) == "readout"
    if len(tasks) > 1 and frozen:
        raise ValueError(f"layers must be 'both' for several tasks; got 'readout' and {len(tasks)} tasks.")
    if len(tasks) > 1:
        return Boosts(state, tasks, tolerance, accuracy).run(weights, max_steps)
    kind = _Frozen if frozen else _Integrator
    return kind(state, tasks[0], tolerance, accuracy).run(weights, max_steps)


class _Integrator(Stepper):
    """Impulses of all runs, stepped on their own clocks."""

    def __init__(self, state: State, task: Task, tolerance: float, accuracy: float):
        self._task = task
        self._start = state
        up, vp, um, vm = state.u_plus, state.v_plus[:, 0], state.u_minus, state.v_minus[:, 0]
        # Sums and differences of a pathway's layers, those that grow with G first.
        self._rising, self._falling = torch.stack([up + vp, um - vm]), torch.stack([up - vp, um + vm])
        self._impulse = torch.zeros_like(task.labels)
        self.begin(self._every())
        residual = self._field(self._impulse)[0]
        super().__init__(residual, task.rest, task.pull(residual).abs().amax(dim=1), tolerance, accuracy)

    def run(self, weights: Weights, max_steps: int) -> Fits:
        """Step until every run has converged or used up its steps."""
        self.advance(max_steps)
        self.begin(self._every())
        state = State(*self._layers(self._impulse))
        return fits_of(weights, state, self._loss, self._tolerance, self._steps, self._time)

    def begin(self, runs: Tensor) -> None:
        """Their data and their start."""
        self._some, self._grows, self._falls = self._task.of(runs), self._rising[:, runs], self._falling[:, runs]

    def trial(self, runs: Tensor, step: Tensor) -> Trial:
        """A step of the impulse."""
        now = self._impulse[runs]
        _, curvature = self._field(now)
        matrix = self._some.curvature(2 * step[:, None] * curvature)

        def field(move: Tensor) -> Tensor:
            return 2 * self._missed(self._layers(now + move))

        change, slope, error = rosenbrock(step, 2 * self._residual[runs], matrix, field)
        return Trial(now + change, slope / 2, self._turn(error))

    def keep(self, runs: Tensor, end: Tensor, good: Tensor) -> None:
        """The impulse at the end of the step."""
        put(self._impulse, runs, end, good)

    def _every(self) -> Tensor:
        return torch.arange(len(self._task.labels), device=self._task.labels.device)

    def _turned(self, impulse: Tensor) -> tuple[Tensor, Tensor]:
        """u ± v of both pathways after an impulse, (pathway, run, D), the growing ones first."""
        grown = self._angle(impulse).exp()
        return self._grows * grown, self._falls / grown

    def _layers(self, impulse: Tensor) -> list[Tensor]:
        rising, falling = self._turned(impulse)
        u, v = (rising + falling) / 2, (rising - falling) / 2
        return [u[0], u[1], v[0][:, None], -v[1][:, None]]

    def _field(self, impulse: Tensor) -> tuple[Tensor, Tensor]:
        """Residuals after an impulse, and how fast each coefficient answers to its pull: the sum of squared weights."""
        u_plus, u_minus, v_plus, v_minus = layers = self._layers(impulse)
        return self._missed(layers), u_plus**2 + u_minus**2 + v_plus[:, 0] ** 2 + v_minus[:, 0] ** 2

    def _missed(self, layers: list[Tensor]) -> Tensor:
        """Residuals of these weights."""
        u_plus, u_minus, v_plus, v_minus = layers
        return self._some.residual(u_plus * v_plus[:, 0] - u_minus * v_minus[:, 0])

    def _turn(self, error: Tensor) -> Tensor:
        """Largest angle of a coordinate that an error of the impulse amounts to."""
        return self._angle(error).abs().amax(dim=1)

    def _angle(self, impulse: Tensor) -> Tensor:
        return torch.bmm(impulse[:, None], self._some.inputs)[:, 0]


class _Frozen(_Integrator):
    """The same with a frozen first layer: the readouts move along it."""

    def begin(self, runs: Tensor) -> None:
        """Their data and their start."""
        self._some, self._from = self._task.of(runs), State(*(part[runs] for part in self._start.parts()))

    def _layers(self, impulse: Tensor) -> list[Tensor]:
        u_plus, u_minus, angle = self._from.u_plus, self._from.u_minus, self._angle(impulse)
        v_plus, v_minus = self._from.v_plus[:, 0] + u_plus * angle, self._from.v_minus[:, 0] - u_minus * angle
        return [u_plus, u_minus, v_plus[:, None], v_minus[:, None]]

    def _field(self, impulse: Tensor) -> tuple[Tensor, Tensor]:
        u_plus, u_minus, *_ = layers = self._layers(impulse)
        return self._missed(layers), u_plus**2 + u_minus**2

    def _turn(self, error: Tensor) -> Tensor:
        energy = self._from.u_plus**2 + self._from.u_minus**2
        return (energy * self._angle(error)).abs().amax(dim=1)
