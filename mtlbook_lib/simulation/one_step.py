r"""Linear softmax classifiers after one step of gradient descent, and the loss of any linear classifier.

Logits of Gaussian inputs are Gaussian: a student's and a teacher's together are drawn from their joint covariance,
2k numbers for each example instead of d, with the same law.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, bounded, count, counts, nonnegative, real_array
from mtlbook_lib._random import seed_tuple, stream
from mtlbook_lib.simulation.engine import to_numpy, to_tensor

_HALVINGS = 26


@dataclass(frozen=True)
class BestLosses:
    """Test results of classifiers whose logits are multiplied by the best number, all of shape (seed,).

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


def one_step_maps(teachers: ArrayLike, n_samples: ArrayLike, seeds: Iterable[int]) -> Array:
    r"""Students after one step of gradient descent of the cross-entropy from zero, with rate 1.

    At zero all classes are equally probable, so that the step is the mean of :math:`(e_y - 1/k)\,x^T` over the
    examples, with the labels y of the largest logit of the teacher.

    Parameters
    ----------
    teachers : array_like, shape (seed, k, d)
        Maps whose largest logit is the label.
    n_samples : array_like of int, shape (setting,)
        Numbers of standard Gaussian examples; a larger number takes in the examples of the smaller ones.
    seeds : iterable of int
        One for each teacher.

    Returns
    -------
    ndarray, shape (seed, setting, k, d)
    """
    maps = real_array("teachers", teachers, ndim=3)
    numbers, chosen = np.atleast_1d(counts("n_samples", n_samples)), seed_tuple(seeds)
    if len(maps) != len(chosen):
        raise ValueError(f"teachers must hold one map for each of the {len(chosen)} seeds; got {len(maps)}.")
    return np.stack([_steps(to_tensor(teacher), numbers, seed) for teacher, seed in zip(maps, chosen, strict=True)])


def losses(scales: ArrayLike, maps: ArrayLike, teachers: ArrayLike, seeds: Iterable[int], n_draws: int) -> Array:
    """Cross-entropy on the labels of `teachers`, shape (seed, scale), of multiples of `maps`, both (seed, k, d)."""
    row = bounded("scales", scales, nonnegative)
    if row.ndim > 1 or row.size == 0:
        raise ValueError(f"scales must be a number or a vector with entries; got shape {row.shape}.")
    multiples = np.atleast_1d(row).tolist()
    found = []
    for logits, y in _tests(maps, teachers, seeds, n_draws):
        own = logits.gather(1, y[:, None])[:, 0]
        curve = [(torch.logsumexp(c * logits, dim=1) - c * own).mean() for c in multiples]
        found.append(to_numpy(torch.stack(curve)))
    return np.stack(found)


def best_losses(maps: ArrayLike, teachers: ArrayLike, seeds: Iterable[int], n_draws: int) -> BestLosses:
    """The multiple of each map, shape (seed, k, d), that has the least loss on the labels of its teacher.

    The multiple is found on a tenth of the examples and tested on the others: at the least loss its own error matters
    only squared.

    Raises
    ------
    ValueError
        If a shape, a number or the seeds are not as they should be, or the best multiple is infinite.
    TypeError
        If a number or a seed is not an integer.
    """
    found = []
    for logits, y in _tests(maps, teachers, seeds, n_draws):
        few = max(1, len(y) // 10)
        own = logits.gather(1, y[:, None])[:, 0]
        scale = _best_multiple(logits[:few], own[:few])
        loss = (torch.logsumexp(scale * logits[few:], dim=1) - scale * own[few:]).mean()
        found.append((float(loss), scale, float((logits.argmax(dim=1) == y).to(logits.dtype).mean())))
    return BestLosses(*np.array(found).T)


def _steps(teacher: torch.Tensor, numbers: NDArray[np.int64], seed: int) -> Array:
    k, d = teacher.shape
    x = to_tensor(stream(seed, "examples").standard_normal((int(numbers.max()), d)))
    target = torch.nn.functional.one_hot((x @ teacher.T).argmax(dim=1), k).to(x) - 1 / k
    steps: Array = to_numpy(torch.stack([target[:n].T @ x[:n] / n for n in numbers.tolist()]))
    return steps


def _tests(
    maps: ArrayLike, teachers: ArrayLike, seeds: Iterable[int], n_draws: int
) -> Iterable[tuple[torch.Tensor, torch.Tensor]]:
    """Logits of each map and labels of its teacher on fresh examples."""
    students, right = real_array("maps", maps, ndim=3), real_array("teachers", teachers, ndim=3)
    chosen, n_draws = seed_tuple(seeds), count("n_draws", n_draws, minimum=2)
    if students.shape != right.shape or len(students) != len(chosen):
        got = f"{students.shape} and {right.shape} for {len(chosen)} seeds"
        raise ValueError(f"maps and teachers must both have shape (seed, k, d), one map for each seed; got {got}.")
    for student, teacher, seed in zip(students, right, chosen, strict=True):
        yield _joint_logits(student, teacher, seed, n_draws)


def _joint_logits(student: Array, teacher: Array, seed: int, n_draws: int) -> tuple[torch.Tensor, torch.Tensor]:
    # Maps of one size: multiples of a map then get the same draws.
    sizes = [float(np.linalg.norm(one)) or 1.0 for one in (student, teacher)]
    both, k = np.concatenate([student / sizes[0], teacher / sizes[1]]), len(student)
    values, vectors = np.linalg.eigh(both @ both.T)
    # The symmetric root: among equal eigenvalues the vectors are any, and would draw other examples on other machines.
    factor = to_tensor((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)
    logits = to_tensor(stream(seed, "test examples").standard_normal((n_draws, 2 * k))) @ factor.T
    return sizes[0] * logits[:, :k], logits[:, k:].argmax(dim=1)


def _best_multiple(logits: torch.Tensor, own: torch.Tensor) -> float:
    """Root of the slope of the loss in the multiple, which increases, by bisection of its logarithm."""

    def slope(c: float) -> float:
        return float(((torch.softmax(c * logits, dim=1) * logits).sum(dim=1) - own).mean())

    size = float(logits.std())
    low, high = 1e-3 / size, 1e4 / size
    if slope(high) <= 0:
        raise ValueError("maps must misjudge some example: the loss of one falls without end in its multiple.")
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if slope(middle) > 0 else (middle, high)
    return math.sqrt(low * high)
