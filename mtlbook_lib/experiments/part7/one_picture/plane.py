"""The map's model problem: the shared part of a task is known, and its own part is to be learned, or to be left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.data.gaussian_pairs import gaussian_task
from mtlbook_lib.experiments.sizes import sized

N_INPUTS = 60
PER_INPUT = np.array([0.2, 0.4, 0.7, 1.5, 2.5, 5.0, 20.0])  # examples for each input, simulated
_NULL = 1e-9  # of the largest eigenvalue: directions without data


@dataclass(frozen=True)
class Risks:
    """Excess risks, (draw, place): the shared feature alone, all weights trained to the end, a ridge to the start.

    They are in units of the noise variance times inputs over examples.
    """

    frozen: Array
    trained: Array
    held: Array


@sized(
    quick={"n_draws": 40},
    paper={"n_draws": 400},
    large={"n_draws": 40_000},
    large_cost="2 GB, 20 min on one core",
)
def risks(own: ArrayLike, per_input: Array = PER_INPUT, *, n_draws: int) -> Risks:
    """Draw data at places of the map: examples for each input, and `own`, the strength of the task's own part.

    The shared model and its head are known. Trained from there, with fewer examples than inputs, descent ends at the
    nearest interpolator, else at least squares. The ridge has the strength that suits the own part's energy.
    """
    found = [_place(float(n), float(o), n_draws) for n, o in zip(per_input, np.asarray(own), strict=True)]
    return Risks(*(np.stack(part, axis=1) for part in zip(*found, strict=True)))


def _place(per_input: float, own: float, n_draws: int) -> tuple[Array, Array, Array]:
    n = round(per_input * N_INPUTS)
    energy = own * N_INPUTS / n  # of the own part, for noise of standard deviation 1
    truth, white = np.zeros(N_INPUTS), np.eye(N_INPUTS)
    truth[0] = np.sqrt(energy)
    task = gaussian_task(n, white, truth, 1.0, range(n_draws), "target", n)
    products = task.products[..., None]
    trained = np.linalg.pinv(task.gram, rcond=_NULL, hermitian=True) @ products
    held = np.linalg.solve(task.gram + N_INPUTS / energy * white, products)
    excess = (((fit[..., 0] - truth) ** 2).sum(axis=-1) * n / N_INPUTS for fit in (trained, held))
    return np.full(n_draws, own), *excess
