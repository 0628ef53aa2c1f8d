"""Weights of least norm for given coefficients, searched for with no formula."""

from typing import Any

import torch
from torch import Tensor

from mtlbook_lib._checks import instance
from mtlbook_lib.simulation.diagonal.weights import Weights
from mtlbook_lib.simulation.engine import to_numpy, to_tensor

_STEPS = 1000
_FLAT = 0.4  # power of the rounding error: the slope at which a search has ended, for coefficients of size 1


def shrunk(weights: Weights) -> Weights:
    """Weights of least squared norm that compute the same coefficients, by a quasi-Newton search.

    The search starts at the given weights. Inputs do not interact, but are searched together.

    Parameters
    ----------
    weights : Weights

    Raises
    ------
    RuntimeError
        If the search does not end.
    """
    given = instance("weights", weights, Weights)
    # With the sign of the second readouts changed the coefficients are the sum over pathways.
    u = torch.stack([to_tensor(given.u_plus), to_tensor(given.u_minus)])[:, :, :, None]
    v = torch.stack([to_tensor(given.v_plus), -to_tensor(given.v_minus)])
    size = torch.linalg.vector_norm((u * v).sum(dim=0), dim=2, keepdim=True)
    used = size > 0
    scale = torch.where(used, size, 1.0).sqrt()
    u, v = (torch.where(used, part * scale, 0.0) for part in _searched(u / scale, v / scale, used))
    return Weights(to_numpy(u[0, :, :, 0]), to_numpy(u[1, :, :, 0]), to_numpy(v[0]), to_numpy(-v[1]))


def _searched(u: Tensor, v: Tensor, used: Tensor) -> tuple[Tensor, Tensor]:
    """Least weights u (pathway, seed, setting, 1, D), v (pathway, seed, setting, task, D), where there is a need.

    The readouts of the pathway with the wider first layer follow from the other weights.
    """
    target, swapped = (u * v).sum(dim=0), u[1].abs() > u[0].abs()
    free = [torch.where(swapped, one, other).requires_grad_()
            for one, other in ((u[1], u[0]), (u[0], u[1]), (v[0], v[1]))]  # fmt: skip

    def readout() -> Tensor:
        return (target - free[1] * free[2]) / torch.where(used, free[0], 1.0)

    def norm() -> Tensor:
        squares = free[0] ** 2 + free[1] ** 2 + (free[2] ** 2 + readout() ** 2).sum(dim=2, keepdim=True)
        return squares[used].sum()

    def closure() -> float:
        slopes = torch.autograd.grad(value := norm(), free)
        for part, slope in zip(free, slopes, strict=True):
            part.grad = slope
        return float(value.detach())

    search: Any = torch.optim.LBFGS(free, max_iter=_STEPS, history_size=20, tolerance_grad=0.1 * _flat(u),
                               tolerance_change=0.0, line_search_fn="strong_wolfe")  # fmt: skip
    search.step(closure)
    steepest = float(torch.cat([slope.flatten() for slope in torch.autograd.grad(norm(), free)]).abs().max())
    if not steepest <= _flat(u):
        raise RuntimeError(f"the search for the least weights did not end: its slope is {steepest:.2g}.")
    wide, narrow, spare, own = (part.detach() for part in (*free, readout()))
    return (torch.stack([torch.where(swapped, narrow, wide), torch.where(swapped, wide, narrow)]),
            torch.stack([torch.where(swapped, spare, own), torch.where(swapped, own, spare)]))  # fmt: skip


def _flat(values: Tensor) -> float:
    return float(torch.finfo(values.dtype).eps ** _FLAT)
