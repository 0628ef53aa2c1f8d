"""Generalisation loss for teachers of rank two or three, whose labels are not isotropic."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp, ndtri, softmax
from scipy.stats import qmc

from mtlbook_lib._checks import Array, bounded, count, generator, nonnegative, scalar
from mtlbook_lib.theory.classification.overlaps import orthonormal

_EQUAL = 1e-7  # rows closer than this are the same class


def lowrank_generalization_loss(
    scale: float,
    snr: float,
    output_modes: ArrayLike,
    rng: np.random.Generator,
    log2_points: int = 13,
    replicates: int = 16,
) -> tuple[float, float]:
    r"""Cross-entropy, on clean labels, of a multiple of a noisy teacher of rank two or three.

    .. math::
        E\Bigl[\log\sum_i e^{c(s\,U\xi + \eta)_i} - c\,s\max_i\,(U\xi)_i\Bigr], \qquad \xi \sim N(0, I_q), \ \eta
        \sim N(0, I_k)

    for the map :math:`c\,(s\,UV^T + \Xi)` and the labels :math:`\mathrm{argmax}\,UV^Tx`. The second term has the mean
    :math:`c\,s\,\mathrm{tr}(U^T H U)` with the label Laplacian :math:`H`; at the same points it takes variance off
    the first.

    Source: ours; the loss of Lee & Ndirango (2019), App. C, for the teachers of their Fig. A2, in the limit of many
    features. ``optimal_loss``, which takes labels to be isotropic, is too low here, even with the overlap that it
    should have.

    Parameters
    ----------
    scale : float
        Multiple :math:`c` of the noisy teacher, >= 0.
    snr : float
        Singular value :math:`s` of the clean teacher, with noise entries of variance 1/features, >= 0.
    output_modes : array_like, shape (k, 2) or (k, 3)
        Output modes :math:`U` of the teacher in orthonormal columns, with no two rows equal.
    rng : numpy.random.Generator
        Scrambles the Sobol points.
    log2_points : int
        Base-two logarithm of the number of points in one replicate, 1 to 20.
    replicates : int
        Independent scramblings, 2 to 1000, from which the standard error comes.

    Returns
    -------
    value, standard_error : float (nats)

    Examples
    --------
    >>> modes = np.array([[1, 1], [-1, 1], [0, -2]]) / np.sqrt([2, 6])
    >>> [round(lowrank_generalization_loss(c, 2.0, modes, np.random.default_rng(0))[0], 2) for c in (0.0, 1.0)]
    [1.1, 0.5]
    """
    scale, snr = (float(bounded(n, scalar(n, value, nonnegative))) for n, value in (("scale", scale), ("snr", snr)))
    modes = _modes(output_modes)
    generator("rng", rng)
    log2_points = count("log2_points", log2_points, maximum=20)
    replicates = count("replicates", replicates, minimum=2, maximum=1000)
    estimates = [_loss(scale, snr, modes, rng, log2_points) for _ in range(replicates)]
    return float(np.mean(estimates)), float(np.std(estimates, ddof=1) / np.sqrt(replicates))


def _loss(scale: float, snr: float, modes: Array, rng: np.random.Generator, log2_points: int) -> float:
    """Mean loss over one scrambled sequence, less terms of mean 0 that follow the noise of the class that leads."""
    k, rank = modes.shape
    uniform = qmc.Sobol(rank + k, scramble=True, seed=rng).random_base2(log2_points)
    points = ndtri(np.maximum(uniform, np.finfo(np.float64).tiny))
    clean, noise = snr * points[:, :rank] @ modes.T, scale * points[:, rank:]
    losses = logsumexp(scale * clean + noise, axis=1) - scale * clean.max(axis=1)
    return float(np.mean(losses - np.sum(softmax(min(scale, 1.0) * clean, axis=1) * noise, axis=1)))


def _modes(value: ArrayLike) -> Array:
    """Orthonormal output modes that give different logits to all classes."""
    modes = orthonormal("output_modes", value)
    if modes.shape[1] not in (2, 3):
        raise ValueError(f"output_modes must have shape (k, 2) or (k, 3); got {modes.shape}.")
    distance = np.linalg.norm(modes[:, None] - modes, axis=2) + np.eye(len(modes))
    if np.min(distance) < _EQUAL:
        i, j = np.unravel_index(np.argmin(distance), distance.shape)
        raise ValueError(f"output_modes must have different rows; got equal ones for classes {i} and {j}.")
    return modes
