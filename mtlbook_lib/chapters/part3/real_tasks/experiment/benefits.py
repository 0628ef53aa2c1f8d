"""Measured benefits: exact learning curves of linear students on pairs of tasks, stopped at their best common time."""

from collections.abc import Callable

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part3.real_tasks import settings as SETTINGS
from mtlbook_lib.chapters.part3.real_tasks.experiment.maps import TaskMaps
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.linear import gradient_flow, observables, students
from mtlbook_lib.theory.linear_dynamics import mode_strength

TIMES = np.geomspace(0.3, 20, 90)
EPS = SETTINGS.eps
_BLOCK = 40  # splits at a time, for the memory

Curves = tuple[Array, Array]  # A alone (split, A, 1, time), and with each B (split, A, B, time)


def joint_maps(first: TaskMaps, second: TaskMaps) -> Array:
    """Stacked data of all pairs of tasks, shape (split, A, B, 2k, d)."""
    a, b = np.broadcast_arrays(first.data[:, :, None], second.data[:, None])
    return np.concatenate([a, b], axis=-2)


def head_errors(stacked: Array, target: Array) -> Array:
    """Error curves of the first rows of aligned students on `stacked`, without the energy of the target."""
    rows = slice(0, target.shape[-2])
    modes = spectra.data_modes(stacked, np.broadcast_to(target, (*stacked.shape[:-2], *target.shape[-2:])), rows)
    values, share, captured = (part[..., None] for part in (modes.values, modes.share, modes.captured))
    errors = np.zeros((*values.shape[:-2], TIMES.size))
    for mode in range(values.shape[-2]):  # a few; with times along the last axis no sum over a short axis is needed
        x = np.asarray(mode_strength(TIMES, values[..., mode, :], EPS))
        term = x * share[..., mode, :]
        term -= 2 * captured[..., mode, :]
        term *= x
        errors += term
    return errors


def learning_curves(first: TaskMaps, second: TaskMaps) -> Curves:
    """Errors of A against its held-out map, in units of its label variance: the error that the theory speaks of."""

    def block(part: slice) -> Curves:
        a, b = _part(first, part), _part(second, part)
        unit, target = a.unit[:, :, None, None], a.new
        alone = head_errors(a.data, target)[:, :, None] / unit
        return alone, head_errors(joint_maps(a, b), target[:, :, None]) / unit

    return _in_blocks(block, len(first.data))


def image_curves(first: TaskMaps, second: TaskMaps) -> Curves:
    """Squared errors of A on the held-out images themselves, up to a constant, in units of its label variance."""

    def block(part: slice) -> Curves:
        a, b = _part(first, part), _part(second, part)
        unit = a.unit[:, :, None, None]
        return _image_errors(a.data, a)[:, :, None] / unit, _image_errors(joint_maps(a, b), a) / unit

    return _in_blocks(block, len(first.data))


def at_best(curves: Array) -> Array:
    """Every split at the place where a parabola puts the minimum of the mean curve over splits.

    A curve that is level there, as that of a task without any benefit, has it in the middle.
    """
    mean = curves.mean(axis=0)
    middle = np.clip(mean.argmin(-1), 1, mean.shape[-1] - 2)[..., None]
    f = [np.take_along_axis(mean, middle + k, -1) for k in (-1, 0, 1)]
    bend = 2 * (f[0] - 2 * f[1] + f[2])
    x = np.divide(f[0] - f[2], bend, out=np.zeros_like(bend), where=bend > 0)
    weights = x * (x - 1) / 2, 1 - x**2, x * (x + 1) / 2
    parts = (w * np.take_along_axis(curves, middle[None] + k, -1) for k, w in zip((-1, 0, 1), weights, strict=True))
    return np.asarray(sum(parts)[..., 0])


def gain(curves: Curves) -> Array:
    """Benefit of A from B, shape (split, A, B): alone and jointly, all splits stop at one time each."""
    return at_best(curves[0]) - at_best(curves[1])


def own_time_gain(curves: Curves) -> Array:
    """The same with every split stopped at its own minimum."""
    return np.asarray(curves[0].min(axis=-1) - curves[1].min(axis=-1))


def namesake_benefit(first: TaskMaps, second: TaskMaps) -> Array:
    """Gain of each task from its namesake in the other set, shape (split, task)."""
    both = np.concatenate([first.data, second.data], axis=-2)
    alone, joint = (head_errors(maps, first.new) / first.unit[..., None] for maps in (first.data, both))
    return at_best(alone) - at_best(joint)


def network_gap(first: TaskMaps, second: TaskMaps) -> float:
    """Largest difference of the curves to those of trained two-layer students, on two splits of three pairs."""
    maps = joint_maps(first, second)[:2, 0, 1:4]
    target, times = first.new[:2, :1], TIMES[10:70:12]
    head = observables.relative_test_error(target, rows=slice(0, target.shape[-2]))
    network = students.aligned(maps, 10, EPS, range(2))
    flow = gradient_flow.integrate(network, maps, times, observe={"A": head})
    energy = (target**2).sum((-2, -1))[..., None]
    return float(np.abs(flow.values["A"] - 1 - head_errors(maps, target)[..., 10:70:12] / energy).max())


def _image_errors(stacked: Array, part: TaskMaps) -> Array:
    """Squared error on held-out images of the first of the stacked rows."""
    modes = spectra.svd(stacked)
    x = np.asarray(mode_strength(TIMES, modes.values[..., None], EPS)) * modes.left[..., 0, :, None]
    between = (None,) * (stacked.ndim - 3)
    spread = modes.right.swapaxes(-1, -2) @ part.spread[:, None, *between[1:]] @ modes.right
    cross = part.cross[:, :, *between[1:]] @ modes.right
    return np.asarray(((spread @ x - 2 * cross.swapaxes(-1, -2)) * x).sum(-2))


def _part(maps: TaskMaps, rows: slice) -> TaskMaps:
    values = (maps.data, maps.unit, maps.residuals, maps.new, maps.spread, maps.cross)
    return TaskMaps(*(value[rows] for value in values))


def _in_blocks(block: Callable[[slice], Curves], n_splits: int) -> Curves:
    parts = [block(slice(start, start + _BLOCK)) for start in range(0, n_splits, _BLOCK)]
    alone, joint = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    return alone, joint
