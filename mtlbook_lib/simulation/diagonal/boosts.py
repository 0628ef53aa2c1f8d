r"""Gradient flow of several tasks with one first layer, by Lorentz transformations of each input's weights.

The weights of an input d are two vectors, :math:`(u_+, v_{+,1}, v_{+,2}, \dots)` and :math:`(u_-, -v_{-,1}, \dots)`.
With the pulls :math:`g_o` on its coefficients both move by the same equations, :math:`\dot u = g\cdot v`,
:math:`\dot v = g\,u`: a Lorentz boost along g. Its direction turns in time, and boosts in different directions do not
commute; over a step of length h the transformation is the boost by :math:`\int g` and a rotation by
:math:`\frac{h^3}{12}\,|g \times \dot g|`, to third order. The impulse :math:`\int r` is stepped as for one task, from
zero in every step. The rotation is left out: it is part of the error for which the length of the step is chosen.
"""

import torch
from torch import Tensor

from mtlbook_lib.simulation.diagonal.problems import State, Task, fits_of
from mtlbook_lib.simulation.diagonal.stepping import Stepper, Trial
from mtlbook_lib.simulation.diagonal.weights import Fits, Weights
from mtlbook_lib.simulation.engine import boosted, nonzero, put, rosenbrock


class Boosts(Stepper):
    """Weights of all runs: u (pathway, run, D) and v (pathway, run, task, D), the second pathway's with a minus."""

    def __init__(self, state: State, tasks: list[Task], tolerance: float, accuracy: float):
        self._tasks = tasks
        self._u, self._v = torch.stack([state.u_plus, state.u_minus]), torch.stack([state.v_plus, -state.v_minus])
        residual = _residuals(tasks, self._u, self._v)
        rest = torch.stack([task.rest for task in tasks]).sum(dim=0)
        fastest = torch.linalg.vector_norm(_angles(tasks, 2 * residual), dim=1).amax(dim=1)
        super().__init__(residual, rest, fastest, tolerance, accuracy)

    def run(self, weights: Weights, max_steps: int) -> Fits:
        """Step until every run has converged or used up its steps."""
        self.advance(max_steps)
        state = State(self._u[0], self._u[1], self._v[0], -self._v[1])
        return fits_of(weights, state, self._loss, self._tolerance, self._steps, self._time)

    def begin(self, runs: Tensor) -> None:
        """Their data."""
        self._some = [task.of(runs) for task in self._tasks]

    def trial(self, runs: Tensor, step: Tensor) -> Trial:
        """A step of the impulse, and the boost by it."""
        u, v, start = self._u[:, runs], self._v[:, runs], 2 * self._residual[runs]
        tasks = self._some

        def angles(impulse: Tensor) -> Tensor:
            return _angles(tasks, impulse)

        def field(impulse: Tensor) -> Tensor:
            return 2 * _residuals(tasks, *boosted(u, v, angles(impulse)))

        impulse, slope, error = rosenbrock(step, start, 2 * _stiffness(tasks, step, u, v), field)
        turned = _area(angles(start), angles(slope)) * step[:, None] ** 2 / 12
        missed = torch.linalg.vector_norm(angles(error), dim=1) + turned
        return Trial(boosted(u, v, angles(impulse)), slope / 2, missed.amax(dim=1))

    def keep(self, runs: Tensor, end: tuple[Tensor, Tensor], good: Tensor) -> None:
        """The weights at the end of the step."""
        for kept, moved in zip((self._u, self._v), end, strict=True):
            put(kept.transpose(0, 1), runs, moved.transpose(0, 1), good)


def _residuals(tasks: list[Task], u: Tensor, v: Tensor) -> Tensor:
    """Of all tasks side by side, (run, row)."""
    beta = (u[:, :, None] * v).sum(dim=0)
    return torch.cat([task.residual(beta[:, o]) for o, task in enumerate(tasks)], dim=1)


def _angles(tasks: list[Task], impulse: Tensor) -> Tensor:
    """What an impulse turns each input by, (run, task, D)."""
    parts = torch.split(impulse, [task.labels.shape[1] for task in tasks], dim=1)
    pulls = [torch.bmm(part[:, None], task.inputs)[:, 0] for part, task in zip(parts, tasks, strict=True)]
    return torch.stack(pulls, dim=1)


def _stiffness(tasks: list[Task], step: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Minus the derivative of the residuals with respect to the impulse, times the step: its lower triangle."""
    first, rows = step[:, None] * u.square().sum(dim=0), []
    for o, task in enumerate(tasks):
        answers = [step[:, None] * (v[:, :, o] * v[:, :, p]).sum(dim=0) for p in range(o + 1)]
        rows.append([torch.bmm(task.inputs * answer[:, None], other.inputs.mT)
                     for answer, other in zip(answers[:o], tasks, strict=False)])  # fmt: skip
        rows[-1].append(task.curvature(answers[o] + first))
        rows[-1] += [task.inputs.new_zeros(len(step), task.labels.shape[1], other.labels.shape[1])
                     for other in tasks[o + 1 :]]  # fmt: skip
    return torch.cat([torch.cat(row, dim=2) for row in rows], dim=1)


def _area(first: Tensor, second: Tensor) -> Tensor:
    """Area of the parallelogram of two vectors along the axis of tasks, (run, D)."""
    across = second - first * ((first * second).sum(dim=1) / nonzero(first.square().sum(dim=1)))[:, None]
    return (first.square().sum(dim=1) * across.square().sum(dim=1)).sqrt()
