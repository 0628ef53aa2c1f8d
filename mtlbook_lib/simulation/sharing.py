r"""Training of hard sharing: one linear layer for all tasks and a head for each, from random starts.

All tasks of a problem have as many examples. The loss is a weighted sum of squares over tasks and examples, with no
factor 1/2 and no mean. Starts and problems are trained side by side, each with its own rate.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import Array, bounded, broadcast, count, in_scale
from mtlbook_lib._random import normal, seed_tuple
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import to_numpy, to_tensor

_DONE, _LOOK = 3e-8, 50  # slope, relative to the first, below which the loss resolves no step; steps between looks
_FASTER, _SLOWER = 1.02, 0.6  # what a step that went down, or up, does to a run's rate


@dataclass(frozen=True)
class SharedFits:
    """Trained layers and heads, first axis seed (of the start), second axis problem.

    Attributes
    ----------
    shared : ndarray, shape (seed, problem, d, r)
    heads : ndarray, shape (seed, problem, k, r)
    loss : ndarray, shape (seed, problem)
        Weighted sum of squares, in squared units of the labels.
    slope : ndarray, shape (seed, problem)
        Norm of the last gradient over that at the start.
    """

    shared: Array
    heads: Array
    loss: Array
    slope: Array


@suited
def train_shared(
    inputs: ArrayLike,
    labels: ArrayLike,
    capacity: int,
    seeds: Iterable[int],
    n_steps: int,
    weights: ArrayLike = 1.0,
) -> SharedFits:
    r"""Train the shared layer and all heads by accelerated gradient descent.

    .. math:: f(B, A) = \sum_i \alpha_i \left|X_i B A_i - y_i\right|^2

    Layers and heads start as independent Gaussian numbers, so that predictions start at the size of the labels. Each
    run has momentum, which is dropped when its loss goes up, and a rate that shrinks then and grows otherwise.

    Parameters
    ----------
    inputs : array_like, shape (problem, task, m, d)
    labels : array_like, shape (problem, task, m)
    capacity : int
        Columns :math:`r` of the shared layer.
    seeds : iterable of int
        One start for each; a problem has the same starts as the others.
    n_steps : int
        Most steps; fewer if all runs have come to rest, with slopes below 3e-8 of the first.
    weights : array_like, shape (task,) or a number
        Positive weights :math:`\alpha_i` of the tasks' losses.
    """
    x, y, alphas = _problem(inputs, labels, weights)
    rank, chosen = count("capacity", capacity), seed_tuple(seeds)
    n_steps = count("n_steps", n_steps)
    n_tasks, n_inputs = x.shape[1], x.shape[3]
    typical = np.sqrt((y**2).mean() / max((x**2).mean() * n_inputs * rank, np.finfo(float).tiny))
    starts = [
        np.sqrt(typical) * normal(shape, chosen, "sharing start", part)[:, None].repeat(len(x), axis=1)
        for part, shape in enumerate([(n_inputs, rank), (n_tasks, rank)])
    ]
    layers = [to_tensor(start) for start in starts]
    data = (to_tensor(x), to_tensor(y)[..., None], to_tensor(alphas)[:, None, None])
    loss, slope = _descend(layers, data, n_steps)
    return SharedFits(to_numpy(layers[0]), to_numpy(layers[1]), to_numpy(loss), to_numpy(slope))


Data = tuple[Tensor, Tensor, Tensor]  # inputs, labels with a last axis of one, weights (task, 1, 1)


def _descend(layers: list[Tensor], data: Data, n_steps: int) -> tuple[Tensor, Tensor]:
    """Train the layers in place; the loss of each run and the norm of its gradient relative to the first."""
    shared, heads = layers
    best, gradient = _loss(_residuals(shared, heads, data), data), _gradient(shared, heads, data)
    first = _norm(gradient)
    rate = 0.1 / first.square() * best
    ahead, momentum = [shared.clone(), heads.clone()], torch.zeros_like(best)
    for step in range(n_steps):
        if step % _LOOK == 0 and bool((_norm(gradient) <= _DONE * first).all()):
            break
        new = [layer - rate[..., None, None] * g for layer, g in zip(ahead, gradient, strict=True)]
        loss = _loss(_residuals(new[0], new[1], data), data)
        worse = ~(loss <= best)
        rate = torch.where(worse, rate * _SLOWER, rate * _FASTER)
        momentum = torch.where(worse, 0.0, momentum + 1)
        share = (momentum / (momentum + 3))[..., None, None]
        back = worse[..., None, None]
        for layer, moved, place in zip(layers, new, ahead, strict=True):
            kept = torch.where(back, layer, moved)
            place.copy_(kept + share * (kept - layer))
            layer.copy_(kept)
        best = torch.where(worse, best, loss)
        gradient = _gradient(ahead[0], ahead[1], data)
    return _loss(_residuals(shared, heads, data), data), _norm(_gradient(shared, heads, data)) / first


def _residuals(shared: Tensor, heads: Tensor, data: Data) -> Tensor:
    """Errors of all runs, shape (problem, k, m, seed)."""
    x, y, _ = data
    # Starts are the columns of one product for each problem and task: few large products instead of many small ones.
    return x @ (heads @ shared.mT).permute(1, 2, 3, 0) - y


def _loss(residuals: Tensor, data: Data) -> Tensor:
    """Of all runs, shape (seed, problem)."""
    return (data[2] * residuals.square()).sum(dim=(-3, -2)).T


def _gradient(shared: Tensor, heads: Tensor, data: Data) -> list[Tensor]:
    """Of all runs, shapes (seed, problem, d, r) and (seed, problem, k, r)."""
    x, _, alphas = data
    pull = (2 * alphas * (x.mT @ _residuals(shared, heads, data))).permute(3, 0, 1, 2)
    return [pull.mT @ heads, pull @ shared]


def _norm(gradient: list[Tensor]) -> Tensor:
    return torch.stack([part.square().sum(dim=(-2, -1)) for part in gradient]).sum(dim=0).sqrt()


def _problem(inputs: ArrayLike, labels: ArrayLike, weights: ArrayLike) -> tuple[Array, Array, Array]:
    x, y = bounded("inputs", inputs), bounded("labels", labels)
    if x.ndim != 4 or x.size == 0 or y.shape != x.shape[:-1]:
        raise ValueError(f"inputs and labels must have shapes (problem, task, m, d) and (problem, task, m), none of "
                         f"them 0; got {x.shape} and {y.shape}.")  # fmt: skip
    alphas = in_scale("weights", weights)
    if alphas.ndim > 1 or alphas.size not in (1, x.shape[1]):
        raise ValueError(f"weights must be a number or one for each of the {x.shape[1]} tasks; got {alphas.shape}.")
    return x, y, broadcast(weights=alphas, tasks=np.ones(x.shape[1]))[0]
