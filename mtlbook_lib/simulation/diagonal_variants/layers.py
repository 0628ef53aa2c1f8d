r"""Diagonal networks of any depth: each input has a chain of weights in each of two pathways."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from mtlbook_lib._checks import LAYERS, Array, bounded, count, in_scale, scalar, within
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import looks_apart, nonzero, stretches, to_numpy, to_tensor

_REACHES = (1e-6, 0.5)  # beyond it a weight may lose its sign
_STABLE = 0.5  # share of the largest stable rate


@dataclass(frozen=True)
class Chains:
    """Trained networks: weights (pathway, layer, run, D); last loss, whether it is at the tolerance, steps (run,)."""

    weights: Array
    loss: Array
    converged: NDArray[np.bool_]
    steps: NDArray[np.int64]

    @property
    def beta(self) -> Array:
        """Coefficients, (run, D)."""
        plus, minus = self.weights.prod(axis=1)
        return np.asarray(plus - minus)


@suited
def descend_chains(
    alpha: ArrayLike,
    depth: int,
    inputs: ArrayLike,
    labels: ArrayLike,
    tolerance: float = 1e-10,
    reach: float = 0.02,
    max_steps: int = 100_000,
) -> Chains:
    r"""Gradient descent of :math:`\beta = \prod_l w_{+,l} - \prod_l w_{-,l}` on the mean squared error.

    The rate of a step is the largest that is stable, or the one that changes no weight by more than the share `reach`.

    Parameters
    ----------
    alpha : array_like, a number or shape (run,)
        Value of all weights at the start, > 0.
    depth : int
        Layers, >= 2.
    inputs : array_like, shape (run, n, D)
    labels : array_like, shape (run, n)
    tolerance : float
        Loss at which a run stops.
    reach : float
        Largest relative change of a weight in a step, from 1e-6 to 0.5.
    max_steps : int
        Steps after which a run ends unconverged.
    """
    depth, max_steps = count("depth", depth, 2, LAYERS), count("max_steps", max_steps)
    tolerance, reach = (
        scalar("tolerance", tolerance, in_scale),
        scalar("reach", reach, lambda name, value: within(name, value, *_REACHES)),
    )
    x, y = bounded("inputs", inputs), bounded("labels", labels)
    start = bounded("alpha", alpha, in_scale)
    if x.ndim != 3 or x.size == 0 or y.shape != x.shape[:2] or start.shape not in ((), (len(x),)):
        raise ValueError("inputs must have shape (run, n, D), labels (run, n) and alpha () or (run,); "
                         f"got {x.shape}, {y.shape} and {start.shape}.")  # fmt: skip
    rows, targets = to_tensor(np.array(x)), to_tensor(np.array(y))
    first = to_tensor(np.array(np.broadcast_to(start, (len(x),))))[:, None]
    weights = first.expand(2, depth, len(x), x.shape[2]).clone()
    steps = torch.zeros(len(x), dtype=torch.int64, device=rows.device)
    steepest = torch.linalg.matrix_norm(rows, 2).square() * 2 / x.shape[1]
    sign = torch.tensor([1.0, -1.0], dtype=rows.dtype, device=rows.device)[:, None, None]
    residual, loss = _misses(weights, rows, targets)
    for ahead in stretches(looks_apart(rows)):
        if not bool(((loss > tolerance) & (steps < max_steps)).any()):
            break
        for _ in range(ahead):
            going = (loss > tolerance) & (steps < max_steps)
            pull = 2 / x.shape[1] * torch.bmm(residual[:, None], rows)[:, 0]
            others = weights.prod(dim=1)[:, None] / weights
            slopes = (sign * pull)[:, None] * weights.prod(dim=1)[:, None] / weights
            fastest = (slopes / weights).abs().amax(dim=(0, 1, 3))
            response = others.square().sum(dim=(0, 1)).amax(dim=1)
            rate = torch.minimum(_STABLE * 2 / (steepest * response), reach / nonzero(fastest))
            weights = weights + torch.where(going, rate, 0.0)[:, None] * slopes
            steps += going
            residual, loss = _misses(weights, rows, targets)
    arrays = (to_numpy(part) for part in (weights, loss, loss <= tolerance, steps))
    return Chains(*arrays)


def _misses(weights: Tensor, rows: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Residuals (run, n), and their mean squares."""
    pathways = weights.prod(dim=1)
    residual = targets - torch.bmm(rows, (pathways[0] - pathways[1])[..., None])[..., 0]
    return residual, residual.square().mean(dim=1)
