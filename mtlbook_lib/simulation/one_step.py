r"""Linear softmax classifiers after one step of gradient descent, and the loss of any linear classifier.

Logits of Gaussian inputs are Gaussian: a student's and a teacher's together are drawn from their joint covariance,
2k numbers for each example instead of d, with the same law.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from mtlbook_lib._checks import Array, bounded, count, counts, nonnegative
from mtlbook_lib._random import seed_tuple, stream
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import to_numpy, to_tensor

_CLOSE = 1e-7  # of the best multiple, relative: the loss moves by the square of its error


@dataclass(frozen=True)
class BestLosses:
    """Test results of classifiers whose logits are multiplied by the best number, all of shape (seed, ...).

    Attributes
    ----------
    loss : ndarray
        Cross-entropy on the teacher's labels at the best multiple (nats).
    scale : ndarray
        The multiple.
    agreement : ndarray
        Share of examples with the teacher's label.
    """

    loss: Array
    scale: Array
    agreement: Array


@suited
def one_step_maps(teachers: ArrayLike, n_samples: ArrayLike, seeds: Iterable[int]) -> Array:
    r"""Students after one step of gradient descent of the cross-entropy from zero, with rate 1.

    At zero all classes are equally probable, so that the step is the mean of :math:`(e_y - 1/k)\,x^T` over the
    examples, with the labels y of the largest logit of the teacher.

    Parameters
    ----------
    teachers : array_like, shape (seed, ..., k, d)
        Maps whose largest logit is the label; all of a seed see the same examples.
    n_samples : array_like of int, shape (setting,)
        Numbers of standard Gaussian examples; a larger number takes in the examples of the smaller ones.
    seeds : iterable of int
        One for each teacher.

    Returns
    -------
    ndarray, shape (seed, ..., setting, k, d)
    """
    maps = _maps("teachers", teachers)
    numbers, chosen = np.atleast_1d(counts("n_samples", n_samples)), seed_tuple(seeds)
    if numbers.ndim > 1:
        raise ValueError(f"n_samples must have shape (setting,); got {numbers.shape}.")
    if len(maps) != len(chosen):
        raise ValueError(f"teachers must hold one map for each of the {len(chosen)} seeds; got {len(maps)}.")
    return np.stack([_steps(to_tensor(own), numbers, seed) for own, seed in zip(maps, chosen, strict=True)])


@suited
def losses(scales: ArrayLike, maps: ArrayLike, teachers: ArrayLike, seeds: Iterable[int], n_draws: int) -> Array:
    """Cross-entropy on the labels of `teachers`, shape (seed, ..., scale), of multiples of `maps`.

    `maps` have shape (seed, ..., k, d), and `teachers` one that broadcasts to it; all of a seed share their draws.
    """
    row = bounded("scales", scales, nonnegative)
    if row.ndim > 1 or row.size == 0:
        raise ValueError(f"scales must be a number or a vector with entries; got shape {row.shape}.")
    multiples = np.atleast_1d(row).tolist()

    def curve(logits: torch.Tensor, y: torch.Tensor) -> Array:
        own = logits.gather(1, y[:, None])[:, 0]
        values: Array = to_numpy(torch.stack([(torch.logsumexp(c * logits, 1) - c * own).mean() for c in multiples]))
        return values

    return _tested(curve, maps, teachers, seeds, n_draws)


@suited
def best_losses(maps: ArrayLike, teachers: ArrayLike, seeds: Iterable[int], n_draws: int) -> BestLosses:
    """The multiple of each map, shape (seed, ..., k, d), that has the least loss on the labels of its teacher.

    `teachers` have a shape that broadcasts to that of `maps`, such as (seed, 1, k, d) for one that all settings share.
    The multiple is found on a tenth of the examples and tested on the others: at the least loss its own error matters
    only squared.

    Raises
    ------
    ValueError
        If the best multiple is infinite.
    """

    def test(logits: torch.Tensor, y: torch.Tensor) -> Array:
        few = max(1, len(y) // 10)
        own = logits.gather(1, y[:, None])[:, 0]
        scale = _best_multiple(logits[:few], own[:few])
        loss = (torch.logsumexp(scale * logits[few:], dim=1) - scale * own[few:]).mean()
        return np.array([float(loss), scale, float((logits.argmax(dim=1) == y).to(logits.dtype).mean())])

    return BestLosses(*np.moveaxis(_tested(test, maps, teachers, seeds, n_draws), -1, 0))


def _maps(name: str, value: ArrayLike) -> Array:
    maps = bounded(name, value)
    if maps.ndim < 3:
        raise ValueError(f"{name} must have shape (seed, ..., k, d); got {maps.shape}.")
    return maps


def _steps(teachers: torch.Tensor, numbers: NDArray[np.int64], seed: int) -> Array:
    k, d = teachers.shape[-2:]
    x = to_tensor(stream(seed, "examples").standard_normal((int(numbers.max()), d)))
    maps = []
    for teacher in teachers.reshape(-1, k, d):
        logits = teacher @ x.T
        target = (logits == logits.amax(dim=0)).to(x) - 1 / k
        maps.append(torch.stack([target[:, :n] @ x[:n] / n for n in numbers.tolist()]))
    steps: Array = to_numpy(torch.stack(maps))
    return steps.reshape(*teachers.shape[:-2], len(numbers), k, d)


def _tested(
    test: Callable[[torch.Tensor, torch.Tensor], Array],
    maps: ArrayLike,
    teachers: ArrayLike,
    seeds: Iterable[int],
    n_draws: int,
) -> Array:
    """What a test says of the logits of each map and the labels of its teacher on fresh examples, (seed, ..., result).

    All maps of a seed are tested on the same draws.
    """
    students, right = _maps("maps", maps), _maps("teachers", teachers)
    chosen, n_draws = seed_tuple(seeds), count("n_draws", n_draws, minimum=2)
    shape, k = students.shape, students.shape[-2]
    fits = right.ndim == len(shape) and all(n in (1, m) for n, m in zip(right.shape, shape, strict=True))
    if not fits or right.shape[-2:] != shape[-2:] or len(students) != len(chosen):
        raise ValueError(
            "maps must have shape (seed, ..., k, d), one for each seed, and teachers that shape or 1 in place of "
            f"settings; got {shape} and {right.shape} for {len(chosen)} seeds."
        )
    right = np.broadcast_to(right, shape)
    values = []
    for own, labels, seed in zip(students, right, chosen, strict=True):
        drawn = to_tensor(stream(seed, "test examples").standard_normal((n_draws, 2 * k)))
        pairs = zip(own.reshape(-1, *shape[-2:]), labels.reshape(-1, *shape[-2:]), strict=True)
        values += [test(*_joint_logits(*pair, drawn)) for pair in pairs]
    return np.array(values).reshape(*shape[:-2], -1)


def _joint_logits(student: Array, teacher: Array, drawn: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    # Maps of one size: multiples of a map then get the same draws.
    sizes = [float(np.linalg.norm(one)) or 1.0 for one in (student, teacher)]
    both, k = np.concatenate([student / sizes[0], teacher / sizes[1]]), len(student)
    values, vectors = np.linalg.eigh(both @ both.T)
    # The symmetric root: among equal eigenvalues the vectors are any, and would draw other examples on other machines.
    factor = to_tensor((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)
    logits = drawn @ factor.T
    return sizes[0] * logits[:, :k], logits[:, k:].argmax(dim=1)


def _best_multiple(logits: torch.Tensor, own: torch.Tensor) -> float:
    """Root of the slope of the loss in the logarithm of the multiple."""

    columns = logits.T.contiguous()  # softmax is several times as fast over the first axis

    def slope(logarithm: float) -> float:
        p = torch.softmax(math.exp(logarithm) * columns, dim=0)
        return float(((p * columns).sum(dim=0) - own).mean())

    size = float(logits.std())
    low, high = math.log(1e-3 / size), math.log(1e4 / size)
    if slope(high) <= 0:
        raise ValueError("maps must misjudge some example: the loss of one falls without end in its multiple.")
    return math.exp(low if slope(low) >= 0 else brentq(slope, low, high, xtol=_CLOSE))
