"""Linear sharing in noise: the error of every capacity, drawn and by the law, and stacked networks of single tasks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.experiments.part5.capacity import digit_widths
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.shared_modules import refit_heads, train_modules
from mtlbook_lib.theory.truncation import truncation_error

N_TASKS, N_INPUTS = 30, 100
STRENGTHS, CAPACITIES = (4.0, 3.0, 2.2, 1.6), range(9)  # of the tasks' common directions


@sized(quick={"n_seeds": 5}, paper={"n_seeds": 100}, large={"n_seeds": 5000}, large_cost="2 GB, 2 min on one GPU")
def drawn_errors(strengths: Sequence[float], noise: float, *, n_seeds: int) -> Array:
    """Squared error of 30 tasks' models, all together, at capacities 0 to 8, (seed, capacity).

    The tasks have common directions of these strengths and white inputs. The best shared layer is a truncated singular
    value decomposition of the single models, whose noise has entries of variance noise²/inputs.
    """
    teachers = low_rank_teachers(N_TASKS, N_INPUTS, [strengths], range(n_seeds), noise_scale=noise)
    found = spectra.svd(teachers.training[:, 0])
    clean, errors = teachers.clean[:, 0], []
    for r in CAPACITIES:
        kept = (found.left[..., :r] * found.values[:, None, :r]) @ found.right[..., :r].swapaxes(-1, -2)
        errors.append(((kept - clean) ** 2).sum(axis=(1, 2)))
    return np.stack(errors, axis=1)


def law(strengths: Sequence[float], noise: float) -> Array:
    """What large matrices make of it, (capacity,)."""
    s = np.asarray(strengths) / noise
    return np.array([noise**2 * truncation_error(s, r, N_TASKS / N_INPUTS) for r in CAPACITIES])


@sized(quick={"n_starts": 8}, paper={"n_starts": 20}, large={"n_starts": 500}, large_cost="1 GB, 1 min on one GPU")
def three_points(width: int, *, n_starts: int) -> tuple[float, float]:
    r"""The tasks :math:`\max(0, x)` and :math:`|x|` at -1, 0 and 1: sums of squared errors, the least over starts.

    Of networks with so many rectified units for each task, put side by side, and of one with as many in all.
    """
    x, y = np.array([[-1.0], [0.0], [1.0]])[:, None], np.array([[0.0, 1.0], [0.0, 0.0], [1.0, 1.0]])
    inputs, labels = (np.tile(part, (n_starts, *[1] * part.ndim)) for part in (x, y))
    found = [
        train_modules(inputs, labels, inputs, labels, units, range(n_starts), 1000, apart=apart).losses
        for units, apart in ((width, True), (2 * width, False))
    ]
    return float(3 * found[0].min(axis=0).sum()), float(3 * found[1].sum(axis=1).min())


@sized(quick={"n_splits": 2}, paper={"n_splits": 10}, large={"n_splits": 200}, large_cost="2 GB, 2 min on one GPU")
def stacked_digits(module: str, width: int, *, n_splits: int) -> tuple[Array, Array]:
    """Training losses of ten digit tasks on single networks put side by side: as trained, with new heads, (split,)."""
    data, _ = digit_widths.draw(module, 0.0, range(n_splits))
    fits = digit_widths.fit(module, data, width, range(n_splits), apart=True)
    stacked, refitted = refit_heads(fits, data[0], data[1])
    return stacked.mean(axis=1), refitted.mean(axis=1)
