r"""Parts of stiff flows: boosts of the weights of diagonal networks, and steps by a Rosenbrock method."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

Solve = Callable[[Tensor], Tensor]

_D, _E = 1 / (2 + np.sqrt(2.0)), 6 + np.sqrt(2.0)


def nonzero(values: Tensor) -> Tensor:
    """`values` >= 0 as divisors: not less than the smallest number of their precision."""
    return values.clamp_min(torch.finfo(values.dtype).tiny)


def boosted(u: Tensor, v: Tensor, angles: Tensor) -> tuple[Tensor, Tensor]:
    """Weights u (pathway, run, D), v (pathway, run, task, D) after a boost by angles (run, task, D).

    Along the boost u ± v are multiplied by exponentials; across it nothing moves.
    """
    size = torch.linalg.vector_norm(angles, dim=1)
    direction = angles / nonzero(size)[:, None]
    along, growth = (direction * v).sum(dim=2), size.exp()
    rising, falling = (u + along) * growth, (u - along) / growth
    return (rising + falling) / 2, v + direction * ((rising - falling) / 2 - along)[:, :, None]


def by_cholesky(matrix: Tensor) -> Solve:
    """Solves equations with symmetric positive definite matrices (run, n, n), of which the lower triangle is read."""
    factor = torch.linalg.cholesky_ex(matrix)[0]
    return lambda right: torch.cholesky_solve(right[..., None], factor)[..., 0]


def by_lu(matrix: Tensor) -> Solve:
    """Solves equations with any matrices (run, n, n); a singular one gives what is not finite."""
    factors = torch.linalg.lu_factor_ex(matrix)[:2]
    return lambda right: torch.linalg.lu_solve(*factors, right[..., None])[..., 0]


def rosenbrock(
    step: Tensor, start: Tensor, matrix: Tensor, field: Solve, solver: Callable[[Tensor], Solve] = by_cholesky
) -> tuple[Tensor, Tensor, Tensor]:
    """A step of z' = f(z) from z = 0, by the method of order 2 with an error estimate of order 3 (Shampine & Reichelt).

    `start` is f at 0, (run, n), `matrix` minus its derivative there times the step, (run, n, n). Gives the end of the
    step, f there, and the error of the end.
    """
    h, system = step[:, None], _D * matrix
    system.diagonal(dim1=1, dim2=2).add_(1.0)
    solve = solver(system)
    k1 = solve(start)
    f1 = field(0.5 * h * k1)
    k2 = solve(f1 - k1) + k1
    end = h * k2
    f2 = field(end)
    k3 = solve(f2 - _E * (k2 - f1) - 2 * (k1 - start))
    return end, f2, h / 6 * (k1 - 2 * k2 + k3)


def next_length(error: Tensor, allowed: float) -> tuple[Tensor, Tensor]:
    """Whether steps are accurate, false for what is not finite, and by what to multiply the next ones."""
    ratio = torch.nan_to_num(error / allowed, nan=torch.inf)
    return ratio <= 1, (0.8 * ratio ** (-1 / 3)).clamp(0.2, 5.0)
