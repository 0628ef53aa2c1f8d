r"""Mean softmax Jacobian and label Laplacian of logits with any covariance, by randomised quasi Monte Carlo."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri
from scipy.stats import qmc

from mtlbook_lib._checks import Array, bounded, count, generator
from mtlbook_lib.theory.softmax.low_rank import tie_constraints, tie_density

_ASYMMETRY = 1e-10  # of the largest entry; also how negative an eigenvalue may be
_RANK = 1e-14  # eigenvalues below this, relative to the largest, are rounding


def mean_jacobian(
    cov: ArrayLike, rng: np.random.Generator, log2_points: int = 12, replicates: int = 16
) -> tuple[Array, Array]:
    r"""Mean softmax Jacobian of Gaussian logits with any covariance.

    .. math:: G = E[\mathrm{diag}\,p - pp^T], \qquad p = \mathrm{softmax}(z), \quad z \sim N(0, C)

    Source: Lee & Ndirango (2019), eq. 13. The error grows with the norm of the logits; far apart, use
    ``label_laplacian``.

    Parameters
    ----------
    cov : array_like, shape (k, k)
        Covariance :math:`C` of the logits, symmetric and positive semidefinite; k at least 2.
    rng : numpy.random.Generator
        Scrambles the Sobol points.
    log2_points : int
        Base-two logarithm of the number of points in one replicate, 1 to 20.
    replicates : int
        Independent scramblings, 2 to 1000, from which the standard error comes.

    Returns
    -------
    matrix, standard_error : ndarray, shape (k, k)

    Examples
    --------
    >>> matrix, error = mean_jacobian(np.eye(3), np.random.default_rng(0))
    >>> matrix.round(2), bool(error.max() < 1e-3)
    (array([[ 0.17, -0.09, -0.09],
           [-0.09,  0.17, -0.09],
           [-0.09, -0.09,  0.17]]), True)
    """
    factor = _centred_factor(cov)
    samples = _normal_points(factor.shape[1], rng, log2_points, replicates)
    estimates = [_jacobian(points @ factor.T) for points in samples]
    return _summary(np.array(estimates))


def label_laplacian(
    cov: ArrayLike, rng: np.random.Generator, log2_points: int = 12, replicates: int = 16
) -> tuple[Array, Array]:
    r"""Weighted graph Laplacian of labels drawn by the largest of Gaussian logits.

    .. math::
        E[y\,x^T] = H(C)\,W\,\Gamma, \qquad
        H_{ij} = -f_{z_i - z_j}(0)\,\Pr(z_i = z_j \ge \text{all others} \mid z_i = z_j)\quad (i \ne j)

    for :math:`y = e_{\mathrm{argmax}\,z}`, :math:`z = Wx`, :math:`x \sim N(0, \Gamma)`, :math:`C = W\Gamma W^T`;
    :math:`f` is the density.

    Source: ours; Lee & Ndirango (2019), eq. 14, in the limit of hard labels. Isotropic logits of strength s give
    :math:`m_k/((k-1)s)` times the centring projector. One direction of each tie is integrated exactly.

    Parameters
    ----------
    cov : array_like, shape (k, k)
        Covariance :math:`C` of the logits, symmetric and positive semidefinite, no two of them equal; k at least 2.
    rng : numpy.random.Generator
        Scrambles the Sobol points.
    log2_points : int
        Base-two logarithm of the number of points in one replicate, 1 to 20.
    replicates : int
        Independent scramblings, 2 to 1000, from which the standard error comes.

    Returns
    -------
    matrix, standard_error : ndarray, shape (k, k)
        H scales as one over the logits' norm; rows and columns sum to 0. The error is 0 where an entry is exact.

    Examples
    --------
    >>> matrix, error = label_laplacian(np.eye(2), np.random.default_rng(0))
    >>> matrix.round(4)
    array([[ 0.2821, -0.2821],
           [-0.2821,  0.2821]])
    """
    factor = _centred_factor(cov)
    density = tie_density("cov", factor)
    samples = _normal_points(factor.shape[1], rng, log2_points, replicates)
    estimates = np.zeros((replicates, *density.shape))
    for i, j in combinations(range(len(factor)), 2):
        constraints = tie_constraints(factor, i, j)
        ties = [density[i, j] * _tie_probability(constraints, points) for points in samples]
        estimates[:, i, j] = estimates[:, j, i] = np.negative(ties)
    for estimate in estimates:
        np.fill_diagonal(estimate, -estimate.sum(axis=1))
    return _summary(estimates)


def normal_points(dimension: int, rng: np.random.Generator, log2_points: int) -> Array:
    """Standard normal points, shape (2^log2_points, dimension), from one scrambled Sobol sequence."""
    uniform = qmc.Sobol(dimension, scramble=True, seed=rng).random_base2(log2_points)
    # The points are multiples of 2^-30; what is left of the first stands for it, 0 itself being infinitely far out.
    return np.asarray(ndtri(np.maximum(uniform, 2.0**-31)))


def _normal_points(dimension: int, rng: np.random.Generator, log2_points: int, replicates: int) -> list[Array]:
    generator("rng", rng)
    log2_points = count("log2_points", log2_points, maximum=20)
    replicates = count("replicates", replicates, minimum=2, maximum=1000)
    return [normal_points(dimension, rng, log2_points) for _ in range(replicates)]


def _jacobian(logits: Array) -> Array:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = powers / powers.sum(axis=1, keepdims=True)
    off = np.asarray(-(p.T @ p) / len(p))
    np.fill_diagonal(off, 0.0)
    np.fill_diagonal(off, -off.sum(axis=1))
    return off


def _tie_probability(constraints: Array | None, points: Array) -> float:
    """Chance that all constraints c·ξ <= 0 hold: exact along one direction, a mean over `points` across it."""
    if constraints is None:
        return 0.0
    if not len(constraints):
        return 1.0
    lengths = np.linalg.norm(constraints, axis=1, keepdims=True)
    # Along the direction in which all constraints grow, the range that meets them is most often a half line.
    direction = np.sum(constraints / lengths, axis=0)
    if not np.any(direction):
        return 0.0  # they hold only all with equality
    direction /= np.linalg.norm(direction)
    slope = constraints @ direction
    rest = points @ (constraints - slope[:, None] * direction).T
    return float(np.mean(_interval_mass(rest, slope)))


def _interval_mass(rest: Array, slope: Array) -> Array:
    """Normal mass of the t with rest + slope t <= 0 for every constraint."""
    falling, rising = slope < 0, slope > 0
    lower = np.max(-rest[:, falling] / slope[falling], axis=1, initial=-np.inf)
    upper = np.min(-rest[:, rising] / slope[rising], axis=1, initial=np.inf)
    met = np.all(rest[:, slope == 0] <= 0, axis=1)
    return np.asarray(np.where(met, np.maximum(ndtr(upper) - ndtr(lower), 0.0), 0.0))


def _centred_factor(cov: Any) -> Array:
    """A factor of the covariance of the logits less their mean, which neither softmax nor labels see."""
    cov = bounded("cov", cov, ndim=2)
    if cov.shape[0] != cov.shape[1] or len(cov) < 2:
        raise ValueError(f"cov must be a square matrix of at least two rows; got shape {cov.shape}.")
    size = float(np.max(np.abs(cov)))
    if np.max(np.abs(cov - cov.T)) > _ASYMMETRY * size:
        raise ValueError("cov must be symmetric; got entries that differ from their mirror images.")
    smallest = float(np.linalg.eigvalsh((cov + cov.T) / 2)[0])
    if smallest < -_ASYMMETRY * size:
        raise ValueError(f"cov must be positive semidefinite; got an eigenvalue {smallest:g}.")
    centring = np.eye(len(cov)) - 1 / len(cov)
    values, vectors = np.linalg.eigh(centring @ (cov + cov.T) @ centring / 2)
    values = np.maximum(values, 0.0)
    # Directions in which the logits do not move would make collinear logits only nearly so.
    present = values >= _RANK * values[-1]
    # The largest come first, where Sobol points are best.
    return np.asarray((vectors[:, present] * np.sqrt(values[present]))[:, ::-1])


def _summary(estimates: Array) -> tuple[Array, Array]:
    return estimates.mean(axis=0), estimates.std(axis=0, ddof=1) / np.sqrt(len(estimates))
