"""Gradient flow of diagonal networks along given times, from the equations of the weights themselves."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, count, increasing, nonnegative, one_of, scalar, within
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.diagonal import problems
from mtlbook_lib.simulation.diagonal.weights import Weights
from mtlbook_lib.simulation.engine import DormandPrince, Slope, to_numpy

_ACCURACIES = (1e-14, 1.0)  # beyond rounding no step is small enough


@suited
def sampled_flow(
    weights: Weights,
    inputs: Array | Sequence[ArrayLike],
    labels: Array | Sequence[ArrayLike],
    times: ArrayLike,
    rtol: float = 1e-8,
    max_steps: int = 100_000,
    layers: str = "both",
) -> tuple[list[Weights], Array]:
    r"""Gradient flow of the weights by an adaptive Runge–Kutta method, with any number of tasks.

    The method knows no more than the gradient, so that what it conserves is conserved by the flow.

    Parameters
    ----------
    weights, inputs, labels
        As for ``gradient_flow``.
    times : array_like, shape (T,)
        Increasing, >= 0.
    rtol : float
        Largest error of a step relative to the norm of each of the four layers, from 1e-14 to 1.
    max_steps : int
        Steps after which a run ends.
    layers : {"both", "readout"}
        What is trained: all weights, or the readouts of a frozen first layer.

    Returns
    -------
    weights : list of Weights
        At each of the times.
    loss : ndarray, shape (seed, setting, T)
        Sum over tasks of mean squared errors.

    Raises
    ------
    RuntimeError
        If a run does not get to the last time.
    """
    marks: list[float] = increasing("times", times, nonnegative).tolist()
    rtol = scalar("rtol", rtol, lambda name, value: within(name, value, *_ACCURACIES))
    max_steps, state = count("max_steps", max_steps), problems.state_of(weights)
    tasks = problems.tasks_of(weights, inputs, labels)
    frozen = one_of("layers", layers, ("both", "readout")) == "readout"

    def field(runs: torch.Tensor, where: list[torch.Tensor]) -> Slope:
        some = [task.of(runs) for task in tasks]

        def slope(out: list[torch.Tensor]) -> None:
            now = problems.State(*where)
            residuals = problems.residuals_of(now, some)
            pulls = torch.stack([task.pull(r) for task, r in zip(some, residuals, strict=True)], dim=1)
            for place, value in zip(out, problems.slope_of(now, pulls).parts(), strict=True):
                place.copy_(value)
            if frozen:
                for first in out[:2]:
                    first.zero_()

        return slope

    method = DormandPrince(field, state.parts(), rtol, max_steps, group=64)
    found, losses = [], []
    for mark in marks:
        method.reach(mark)
        if not bool(method.reached(mark).all()):
            raise RuntimeError(f"a run did not get to time {mark:g} in {max_steps} steps; raise max_steps or rtol.")
        now = problems.State(*method.at(mark))
        losses.append(problems.loss_of(now, tasks))
        shape = weights.u_plus.shape[:2]
        found.append(Weights(*(to_numpy(part).reshape(*shape, *part.shape[1:]) for part in now.parts())))
    return found, to_numpy(torch.stack(losses, dim=-1)).reshape(*weights.u_plus.shape[:2], len(marks))
