"""Learning curves of aligned and random students on given data, of heads too, and what is read off them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib.data.teachers import Teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.theory import linear_dynamics as ld

Law = Callable[[Array, Array], Array]

_CACHED = 2**17  # strengths at a time, which stay in the processor's cache


def added_distances(
    modes: spectra.DataModes,
    times: Array,
    eps: float,
    n_hidden: int | None = None,
    depth: int = 2,
    law: Law | None = None,
) -> Array:
    """Squared distance of an aligned student to its teacher at each time, minus that of the zero map, (..., n_times).

    An exact sum over the modes of the data, of which a student of `n_hidden` units learns the strongest. For one head
    of several, `modes` are those of the joint data with their part on the head, as ``spectra.data_modes`` gives them.
    `law` is the strength of a mode from time and singular value, where it is not that of an aligned student of `depth`.
    """
    return np.asarray(distances_to_goals(modes, [modes.captured], times, eps, n_hidden, depth, law)[0])


def distances_to_goals(
    modes: spectra.DataModes,
    captured: Sequence[Array],
    times: Array,
    eps: float,
    n_hidden: int | None = None,
    depth: int = 2,
    law: Law | None = None,
) -> Array:
    """The same for several maps that the student is compared with, (goal, ..., n_times).

    `captured` has for each of them what the modes hold of it; the data themselves, ``modes.values``, are one such map.
    """
    grown = partial(ld.mode_strength, eps=eps, depth=depth) if law is None else law
    parts = [part[..., :n_hidden] for part in (modes.values, modes.share, *captured)]
    values, share, *goals = (part.reshape(-1, part.shape[-1], 1) for part in parts)
    distances = np.empty((len(goals), len(values), times.size))
    rows = max(1, _CACHED // (times.size * values.shape[1]))
    for block in (slice(first, first + rows) for first in range(0, len(values), rows)):
        x = np.asarray(grown(times[:, None], values[block, None, :, 0]))
        length = x**2 @ share[block]
        for goal, out in zip(goals, distances, strict=True):
            out[block] = (length - 2 * (x @ goal[block]))[..., 0]
    return distances.reshape(len(goals), *modes.values.shape[:-1], times.size)


def head_modes(training: Array, clean: Array) -> spectra.DataModes:
    """The modes of `training` and what they hold of the map `clean` behind its first rows.

    From the side of the inputs where there are no fewer outputs, which is twice as fast. That loses half of the digits
    of a small singular value, but a mode of a thousandth of the noise is learned by nobody.
    """
    n_outputs, n_inputs = training.shape[-2:]
    if n_outputs >= n_inputs:
        return spectra.leading_data_modes(training, clean, n_inputs)
    return spectra.data_modes(training, clean, slice(clean.shape[-2]))


def aligned_errors(teachers: Teachers, times: Array, n_hidden: int, eps: float, depth: int = 2) -> Array:
    """Test errors of aligned students on the data of each seed, exact sums over their modes.

    Returns
    -------
    ndarray, shape (seed, setting, n_times)
        Relative to the error of the zero map.
    """
    return modes_errors(head_modes(teachers.training, teachers.clean), teachers, times, n_hidden, eps, depth)


def modes_errors(
    modes: spectra.DataModes, teachers: Teachers, times: Array, n_hidden: int, eps: float, depth: int = 2
) -> Array:
    """The same from the modes of the data, which students of several widths share."""
    energy = (teachers.singular_values**2).sum(axis=-1)[:, None]
    return np.asarray(1 + added_distances(modes, times, eps, n_hidden, depth) / energy)


def random_layers(
    n_outputs: int, n_inputs: int, n_hidden: int, eps: float, seeds: Sequence[int], n_settings: int = 1
) -> tuple[Array, Array]:
    """Both layers of random students, each root eps times a random matrix with orthonormal rows or columns."""
    shape = (n_outputs, n_inputs, n_hidden, eps, seeds)
    first, second = students.orthogonal(*shape, n_settings=n_settings, dtype=torch.float64)
    return first.cpu().numpy(), second.cpu().numpy()


def random_errors(teachers: Teachers, times: Array, n_hidden: int, eps: float, *goals: Array) -> Array:
    """Errors of random students, by the exact flow, relative to each goal (the teacher, if none is given).

    Returns
    -------
    ndarray, shape (goal, seed, setting, n_times)
    """
    data, goals = teachers.training, goals or (teachers.clean,)
    n_outputs, n_inputs, n_settings = teachers.n_outputs, teachers.n_inputs, data.shape[1]
    layers = random_layers(n_outputs, n_inputs, n_hidden, eps, teachers.seeds, n_settings)

    power = np.stack([(goal**2).sum((-1, -2)) for goal in goals])[..., None]
    return np.asarray(ld.balanced_distances(*layers, data, times, goals) / power)


def minima(times: Array, errors: Array) -> tuple[Array, Array]:
    """Least error of each curve (..., n_times) and its time, as if each student stopped at its own best moment.

    The times are evenly spaced; that of the minimum is refined by the parabola through it and its two neighbours.
    """
    place = errors.argmin(axis=-1)
    inner = np.clip(place, 1, times.size - 2)
    low, mid, high = (np.take_along_axis(errors, (inner + k)[..., None], axis=-1)[..., 0] for k in (-1, 0, 1))
    bend = np.where(place == inner, low - 2 * mid + high, np.inf)  # at an end of the curve there is nothing to refine
    shift = np.where(bend > 0, (low - high) / np.where(bend > 0, 2 * bend, 1.0), 0.0)
    return errors.min(axis=-1), times[place] + shift * (times[1] - times[0])
