r"""Overlaps with the clean teacher: of its noisy version, after one step of descent, with a second task's help."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, bounded, broadcast, counts, like_input, nonnegative, within
from mtlbook_lib.theory.classification.generalization import optimal_loss
from mtlbook_lib.theory.softmax import expected_maximum

_ORTHONORMAL = 1e-8


def teacher_overlap(snr: ArrayLike) -> FloatOrArray:
    r"""Overlap of the noisy teacher's logits with the clean ones.

    .. math:: \rho = \frac{s}{\sqrt{1 + s^2}}

    Source: ours, for the noisy teachers of Lee & Ndirango (2019), App. A.1. The labels depend on `snr` through it
    alone.

    Parameters
    ----------
    snr : array_like, any shape
        Singular value :math:`s` of the clean teacher, with noise entries of variance 1/features: the ratio of the
        standard deviations of clean logits and noise (dimensionless), >= 0.

    Examples
    --------
    >>> teacher_overlap([0.0, 1.0, 10.0]).round(3)
    array([0.   , 0.707, 0.995])
    """
    snr = nonnegative("snr", snr)
    return like_input(snr / np.hypot(1.0, snr))


def one_step_overlap(n_samples: ArrayLike, n_features: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Overlap with the training labels' teacher after one step of gradient descent from zero.

    .. math:: \rho = \frac{a}{\sqrt{a^2 + d/(kN)}}, \qquad a = \frac{m_k}{k - 1}

    Source: ours; the map :math:`\frac1N\sum_\mu (y_\mu - 1/k)\,x_\mu^T`, with the mean of its square for the square, to
    leading order in 1/d. Times ``teacher_overlap`` it is the overlap with the clean teacher.

    Parameters
    ----------
    n_samples, n_features : int or array of ints
        Numbers :math:`N` of samples and :math:`d` of features, at least 1.
    k : int or array of ints
        Number of classes, at least 2. The three broadcast.

    Examples
    --------
    >>> one_step_overlap([10, 1000, 100_000], 100, 10).round(3)
    array([0.169, 0.863, 0.998])
    """
    samples, features, classes = broadcast(
        n_samples=counts("n_samples", n_samples).astype(np.float64),
        n_features=counts("n_features", n_features).astype(np.float64),
        k=counts("k", k, minimum=2).astype(np.float64),
    )
    signal = np.asarray(expected_maximum(classes.astype(np.int64))) / (classes - 1)
    return like_input(signal / np.sqrt(signal**2 + features / (classes * samples)))


def denoising_overlap(snr: ArrayLike, relatedness: ArrayLike, k: ArrayLike, n_features: ArrayLike) -> FloatOrArray:
    r"""Best overlap with the clean teacher when a second task reveals the input directions that it shares.

    .. math::
        \rho^2 = \frac{(s r^2)^2}{s^2r^2 + k/d} + \frac{s^2(1 - r^2)^2}{s^2(1 - r^2) + 1 - k/d}

    Source: ours; the noisy map is known exactly (infinite data), with one gain inside the second task's input modes
    and one outside. It contradicts Lee & Ndirango (2019), eq. 37, for a teacher with noisy weights: see the chapter
    on infinite data.

    Parameters
    ----------
    snr : array_like, any shape
        Singular value :math:`s` of the clean teacher, with noise entries of variance 1/features, >= 0.
    relatedness : array_like
        Multiple :math:`r` of the identity that the two tasks' input modes make, in [0, 1].
    k : int or array of ints
        Number of classes, at least 2: the rank of both teachers.
    n_features : int or array of ints
        Number :math:`d` of features, at least k at relatedness 1 and 2k below. The four broadcast.

    Returns
    -------
    float or ndarray, the common shape; at least ``teacher_overlap``, equal to it at relatedness sqrt(k/d)

    Examples
    --------
    Identical input modes, beside the noisy teacher's own overlap:

    >>> round(denoising_overlap(1.0, 1.0, 10, 100), 3), round(teacher_overlap(1.0), 3)
    (0.953, 0.707)
    """
    snr, relatedness, classes, features = _denoising_arguments(snr, relatedness, k, n_features)
    share = classes / features
    inside = relatedness * _cosine(snr * relatedness, share)
    across = np.sqrt((1 - relatedness) * (1 + relatedness))
    return like_input(np.minimum(1.0, np.hypot(inside, across * _cosine(snr * across, 1 - share))))


def denoising_benefit(snr: ArrayLike, relatedness: ArrayLike, k: ArrayLike, n_features: ArrayLike) -> FloatOrArray:
    r"""Loss that a second task takes away by revealing the input directions that it shares.

    .. math:: E^*(\rho_{\text{teacher}}) - E^*(\rho_{\text{denoised}})

    Source: ours; ``optimal_loss`` at the two overlaps. It is the best of all estimators with two gains, not of all
    estimators.

    Parameters
    ----------
    snr : array_like, any shape
        Singular value :math:`s` of the clean teacher, with noise entries of variance 1/features, >= 0.
    relatedness : array_like
        Multiple :math:`r` of the identity that the two tasks' input modes make, in [0, 1].
    k : int or array of ints
        Number of classes, at least 2: the rank of both teachers.
    n_features : int or array of ints
        Number :math:`d` of features, at least k at relatedness 1 and 2k below. The four broadcast.

    Returns
    -------
    float or ndarray, the common shape (nats); the loss without the second task minus the loss with it

    Examples
    --------
    >>> denoising_benefit(1.0, [0.5, 0.8, 1.0], 10, 100).round(3)
    array([0.034, 0.289, 0.937])
    """
    overlap = denoising_overlap(snr, relatedness, k, n_features)
    alone, together, classes = np.broadcast_arrays(teacher_overlap(snr), overlap, k)
    return like_input(np.asarray(optimal_loss(alone, classes)) - np.asarray(optimal_loss(together, classes)))


def relatedness(v_a: ArrayLike, v_b: ArrayLike) -> Array:
    r"""Relatedness of two tasks: the inner products of their input modes.

    .. math:: R = V_A^T V_B

    Source: Lee & Ndirango (2019), eq. 4.

    Parameters
    ----------
    v_a, v_b : array_like, shapes (d, rank_a) and (d, rank_b)
        Input modes of the two teachers in orthonormal columns.

    Returns
    -------
    ndarray, shape (rank_a, rank_b)

    Raises
    ------
    ValueError
        If the columns are not orthonormal to 1e-8, or the numbers of rows differ.

    Examples
    --------
    >>> relatedness(np.eye(3)[:, :2], np.eye(3)[:, 1:])
    array([[0., 0.],
           [1., 0.]])
    """
    v_a, v_b = orthonormal("v_a", v_a), orthonormal("v_b", v_b)
    if len(v_a) != len(v_b):
        raise ValueError(f"v_a and v_b must have the same number of rows; got {len(v_a)} and {len(v_b)}.")
    return np.asarray(v_a.T @ v_b)


def orthonormal(name: str, value: ArrayLike) -> Array:
    """`value` as a matrix with orthonormal columns."""
    matrix = bounded(name, value, ndim=2)
    deviation = matrix.T @ matrix - np.eye(matrix.shape[1])
    if matrix.size == 0 or np.max(np.abs(deviation)) > _ORTHONORMAL:
        raise ValueError(f"{name} must have orthonormal columns; got a matrix of shape {matrix.shape} that has not.")
    return matrix


def _cosine(signal: Array, noise_variance: Array) -> Array:
    """Signal over the root of signal and noise energy; 0 where there is neither."""
    length = np.hypot(signal, np.sqrt(noise_variance))
    return np.asarray(np.divide(signal, length, out=np.zeros_like(length), where=length > 0))


def _denoising_arguments(
    snr: ArrayLike, relatedness: ArrayLike, k: ArrayLike, n_features: ArrayLike
) -> tuple[Array, ...]:
    arguments = broadcast(
        snr=nonnegative("snr", snr),
        relatedness=within("relatedness", relatedness, 0.0, 1.0),
        k=counts("k", k, minimum=2).astype(np.float64),
        n_features=counts("n_features", n_features).astype(np.float64),
    )
    _, related, classes, features = arguments
    if np.any(features < np.where(related < 1, 2, 1) * classes):
        raise ValueError(f"n_features must be at least 2k (k at relatedness 1); got {n_features!r} with k = {k!r}.")
    return arguments
