"""Training sets of any size drawn from teachers, and training sets whose labels are pure noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array, count, instance, one_of
from mtlbook_lib._random import normal
from mtlbook_lib.data.inputs import gaussian_inputs, orthonormal_inputs
from mtlbook_lib.data.teachers import Teachers


@dataclass(frozen=True)
class TrainingSet:
    r"""Examples and the second-order statistics that a linear student learns from.

    Attributes
    ----------
    inputs : ndarray, shape (seed, n_inputs, n_examples)
        One example per column; all settings of a seed share them.
    outputs : ndarray, shape (seed, setting, n_outputs, n_examples)
        Noisy outputs of the teachers.
    """

    inputs: Array
    outputs: Array

    @property
    def density(self) -> float:
        """Examples per input dimension, P / n_inputs."""
        return float(self.inputs.shape[-1] / self.inputs.shape[-2])

    @property
    def sigma11(self) -> Array:
        r"""Input statistics :math:`X X^T`, the same in all settings; computed at each access.

        Shape (seed, 1, n_inputs, n_inputs).
        """
        return np.asarray(self.inputs @ self.inputs.swapaxes(-1, -2))[:, None]

    @property
    def sigma31(self) -> Array:
        r"""Input-output statistics :math:`Y X^T`; computed at each access.

        Shape (seed, setting, n_outputs, n_inputs).
        """
        return np.asarray(self.outputs @ self.inputs.swapaxes(-1, -2)[:, None])


def training_set(teachers: Teachers, n_examples: int, inputs: str = "orthonormal") -> TrainingSet:
    r"""Noisy outputs of the teachers on `n_examples` inputs.

    .. math:: Y = \bar W X + Z, \qquad Z_{i\mu} \sim N(0, \sigma_z^2 / N_1)

    The noise of an example has the same size whatever the number of examples, and settings of a seed share inputs and
    noise. The noise has a stream of its own: it is not that of ``teachers.training``.

    Source: Lampinen & Ganguli (2019), eqs. 25-26.

    Parameters
    ----------
    teachers : Teachers
        Their seeds are used for the inputs and the noise as well.
    n_examples : int
        :math:`P`, below, at or above the number of inputs.
    inputs : {"orthonormal", "gaussian"}
        As white as possible, or independent Gaussian; both of mean squared norm 1.
    """
    instance("teachers", teachers, Teachers)
    n_examples = count("n_examples", n_examples)
    kind = one_of("inputs", inputs, ("orthonormal", "gaussian"))
    draw = orthonormal_inputs if kind == "orthonormal" else gaussian_inputs
    examples = draw(teachers.n_inputs, n_examples, teachers.seeds)
    # Example by example, so that more examples leave the noise of the first ones as it was.
    noise = normal((n_examples, teachers.n_outputs), teachers.seeds, "example noise").swapaxes(-1, -2)
    outputs = teachers.outputs(examples)
    outputs += noise[:, None] * (teachers.noise_scale / np.sqrt(teachers.n_inputs))
    return TrainingSet(examples, outputs)


def gaussian_labels(teachers: Teachers) -> Array:
    r"""Input-output statistics of a training set whose outputs are noise of the same size as the structured ones.

    .. math:: \Sigma^{31}_{ij} \sim N(0, \|\Sigma^{31}_{\rm teacher}\|_F^2 / (N_3 N_1))

    With a full set of orthonormal inputs, independent of the outputs, :math:`Y X^T` has the distribution of :math:`Y`.
    The size is that of ``teachers.training``, seed by seed. Settings of a seed share the draw and differ in its size.

    Source: Lampinen & Ganguli (2019), Sec. 3.6.

    Parameters
    ----------
    teachers : Teachers
        Give the size of the outputs, and the seeds.

    Returns
    -------
    ndarray, shape (seed, setting, n_outputs, n_inputs)
    """
    instance("teachers", teachers, Teachers)
    shape = (teachers.n_outputs, teachers.n_inputs)
    scale = np.linalg.norm(teachers.training, axis=(-2, -1), keepdims=True) / np.sqrt(shape[0] * shape[1])
    return np.asarray(scale * normal(shape, teachers.seeds, "labels")[:, None])
