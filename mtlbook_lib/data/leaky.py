"""Teachers with a leaky rectifier after both of their layers, and the data of two related tasks that they set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, count, instance, real_array, scalar, sequence, within
from mtlbook_lib.data.inputs import gaussian_inputs, orthonormal_inputs
from mtlbook_lib.data.teachers import Teachers

# Input vectors that are one and the same draw may differ by this much after related_teachers has combined them.
_ROUNDING = 1e-10


@dataclass(frozen=True)
class LeakyPair:
    r"""Training and test data of a task A, which is the same in all settings, and of a task B beside it.

    Attributes
    ----------
    inputs : ndarray, shape (seed, n_inputs, n_inputs)
        Orthonormal training inputs in columns, shared by both tasks.
    first, second : ndarray, shapes (seed, 1, n_outputs, n_inputs) and (seed, setting, n_outputs, n_inputs)
        Noisy training outputs of A and of B.
    probe : ndarray, shape (seed, n_inputs, n_probe)
        Fresh Gaussian inputs.
    answers : ndarray, shape (seed, 1, n_outputs, n_probe)
        Outputs of A's teacher on the fresh inputs, without noise.
    seeds : tuple of int
        The seed of each entry of the first axis.
    """

    inputs: Array
    first: Array
    second: Array
    probe: Array
    answers: Array
    seeds: tuple[int, ...]

    @property
    def joint(self) -> Array:
        """Training outputs of A above those of B, shape (seed, setting, 2 n_outputs, n_inputs)."""
        shape = (*self.second.shape[:2], *self.first.shape[2:])
        return np.concatenate([np.broadcast_to(self.first, shape), self.second], axis=-2)


def leaky_outputs(teachers: Teachers, inputs: ArrayLike, slope: float = 0.2) -> Array:
    r"""Outputs without noise of teachers that are rectified after both layers.

    .. math:: y = \phi\big(\bar U \phi(\bar S \bar V^T x)\big), \qquad
        \phi(z) = z \;\; (z > 0), \quad a z \;\; (z \le 0)

    Source: Lampinen & Ganguli (2019), App. F, which does not give the slope.

    Parameters
    ----------
    teachers : Teachers
        The linear teachers between whose layers the rectifiers are put.
    inputs : array_like, shape (seed, n_inputs, P)
        Examples in columns.
    slope : float
        The slope :math:`a` for negative arguments, in [0, 1]; 1 gives the linear teachers.

    Returns
    -------
    ndarray, shape (seed, setting, n_outputs, P)
    """
    instance("teachers", teachers, Teachers)
    examples, leak = real_array("inputs", inputs), _slope(slope)
    expected = (len(teachers.seeds), teachers.n_inputs)
    if examples.ndim != 3 or examples.shape[:2] != expected:
        raise ValueError(f"inputs must have shape ({expected[0]}, {expected[1]}, P); got {examples.shape}.")
    strengths = teachers.singular_values[:, :, None]
    features = _rectified(strengths * (teachers.right.swapaxes(-1, -2) @ examples[:, None]), leak)
    return _rectified(teachers.left @ features, leak)


def leaky_pair(teachers: tuple[Teachers, Teachers], slope: float = 0.2, n_probe: int = 300) -> LeakyPair:
    r"""Data of two tasks set by leaky teachers: :math:`Y = \phi(\bar U \phi(\bar S \bar V^T X)) + Z`.

    The noise is that of the teachers, one column for each of as many orthonormal inputs as there are input dimensions.

    Source: Lampinen & Ganguli (2019), App. F; noise, inputs and test inputs as in their linear experiments.

    Parameters
    ----------
    teachers : tuple of two Teachers
        Of A and of B, as ``related_teachers`` returns them; A's must be the same in all settings.
    slope : float
        Slope of the rectifiers for negative arguments, in [0, 1].
    n_probe : int
        Number of fresh inputs, >= 1.
    """
    pair = [instance("teachers", teacher, Teachers) for teacher in sequence("teachers", teachers)]
    if len(pair) != 2:
        raise ValueError(f"teachers must be two, of A and of B; got {len(pair)}.")
    a, b = pair
    if a.seeds != b.seeds or a.noise.shape[-2:] != b.noise.shape[-2:]:
        raise ValueError("teachers must have the same seeds, inputs and outputs; use related_teachers.")
    parts = ((a.singular_values, 0), (a.left, 1), (a.right, 1))
    if max(np.ptp(part, axis=axis).max() for part, axis in parts) > _ROUNDING:
        raise ValueError("teachers[0] must be the same in all settings: its student alone is trained once.")
    examples = orthonormal_inputs(a.n_inputs, a.n_inputs, a.seeds)
    probe = gaussian_inputs(a.n_inputs, count("n_probe", n_probe), a.seeds, role="test")
    return LeakyPair(
        inputs=examples,
        first=(leaky_outputs(a, examples, slope) + a.noise)[:, :1],
        second=leaky_outputs(b, examples, slope) + b.noise,
        probe=probe,
        answers=leaky_outputs(a, probe, slope)[:, :1],
        seeds=a.seeds,
    )


def _rectified(values: Array, slope: float) -> Array:
    return np.where(values > 0, values, slope * values)


def _slope(slope: float) -> float:
    return scalar("slope", slope, lambda name, value: within(name, value, 0.0, 1.0))
