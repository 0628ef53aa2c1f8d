r"""Gaussian logits drawn one by one: what the softmax and the labels of linear maps do on average.

Everything is a mean over draws, by definition and without a formula. Each seed gives one independent estimate, so that
the scatter over seeds is the error. Random numbers come from the CPU, one stream for each seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, nonnegative, within
from mtlbook_lib._random import seed_tuple, stream
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import device, dtype, to_numpy, to_tensor

_CHUNK = 250_000  # numbers at a time: a cache holds them


@dataclass(frozen=True)
class IsotropicMeans:
    """Means over independent logits of equal norm, all of shape (seed, norm).

    Attributes
    ----------
    log_partition : ndarray
        Mean of the logarithm of the softmax's denominator (nats).
    participation : ndarray
        Mean sum of the squared class probabilities.
    slope : ndarray
        Mean of the logit, in units of the norm, that the softmax picks, less the mean logit: what the log partition
        function rises by with the norm.
    """

    log_partition: Array
    participation: Array
    slope: Array


@dataclass(frozen=True)
class MapMeans:
    r"""Means over standard Gaussian inputs x of linear maps W, with p = softmax(Wx) and y the largest logit's class.

    Attributes
    ----------
    jacobian : ndarray, shape (seed, map, k, k)
        Mean of :math:`\mathrm{diag}\,p - pp^T`.
    softmax : ndarray, shape (seed, map, k, d)
        Mean of :math:`p\,x^T`.
    labels : ndarray, shape (seed, map, k, d)
        Mean of :math:`e_y x^T`.
    """

    jacobian: Array
    softmax: Array
    labels: Array


@suited
def isotropic_means(norms: ArrayLike, k: int, seeds: Iterable[int], n_draws: int) -> IsotropicMeans:
    """Means over `n_draws` draws of k independent normal logits, at each norm (standard deviation of a logit).

    All norms of a seed share their draws.
    """
    scales = _row("norms", bounded("norms", norms, nonnegative))
    k, n_draws = count("k", k, minimum=2), count("n_draws", n_draws)
    runs = [_isotropic(scales, k, seed, n_draws) for seed in seed_tuple(seeds)]
    return IsotropicMeans(*np.moveaxis(np.array(runs), 1, 0))


@suited
def map_means(maps: ArrayLike, seeds: Iterable[int], n_draws: int) -> MapMeans:
    """Means over `n_draws` standard Gaussian inputs of maps, (map, k, d); all maps of a seed share their inputs."""
    given = bounded("maps", maps, ndim=3)
    n_draws = count("n_draws", n_draws)
    runs = [_mapped(to_tensor(given), seed, n_draws) for seed in seed_tuple(seeds)]
    return MapMeans(*(np.stack(part) for part in zip(*runs, strict=True)))


@suited
def mean_jacobians(maps: ArrayLike, seeds: Iterable[int], n_draws: int) -> Array:
    """The Jacobians of ``map_means`` alone, on the same draws: shape (seed, map, k, k)."""
    given, n_draws = to_tensor(bounded("maps", maps, ndim=3)), count("n_draws", n_draws)
    return np.stack([_jacobians(given, seed, n_draws) for seed in seed_tuple(seeds)])


@suited
def agreement(overlaps: ArrayLike, k: int, seeds: Iterable[int], n_draws: int) -> Array:
    """Share of draws in which two sets of k normal logits have the same largest one, shape (seed, overlap).

    `overlaps` are the correlations of each logit with its counterpart, in [-1, 1]; all of a seed share their draws.
    """
    rho = _row("overlaps", within("overlaps", overlaps, -1.0, 1.0))
    k, n_draws = count("k", k, minimum=2), count("n_draws", n_draws)
    return np.array([_agreed(rho, k, seed, n_draws) for seed in seed_tuple(seeds)])


@suited
def overlap(maps: ArrayLike, others: ArrayLike) -> Array:
    """Correlation of two maps' logits over white inputs, less the mean over classes, which no probability sees.

    `maps` and `others` have shapes (..., k, d) whose leading axes broadcast; the result has shape (...).

    Raises
    ------
    ValueError
        If a map gives all classes the same logit.
    """
    first, second = (_centred(bounded(name, value)) for name, value in (("maps", maps), ("others", others)))
    if min(first.ndim, second.ndim) < 2 or first.shape[-2:] != second.shape[-2:] or not _together(first, second):
        raise ValueError(
            "maps and others must have shapes (..., k, d) with equal k and d, and leading axes that broadcast; "
            f"got {first.shape} and {second.shape}."
        )
    lengths = np.linalg.norm(first, axis=(-2, -1)) * np.linalg.norm(second, axis=(-2, -1))
    if np.any(lengths == 0):
        raise ValueError("maps and others must tell the classes apart; got one that gives all the same logit.")
    return np.asarray(np.sum(first * second, axis=(-2, -1)) / lengths)


def _together(first: Array, second: Array) -> bool:
    try:
        np.broadcast_shapes(first.shape, second.shape)
    except ValueError:
        return False
    return True


def _row(name: str, values: Array) -> Array:
    """A number or a vector, as a vector."""
    if values.ndim > 1:
        raise ValueError(f"{name} must be a number or a vector; got shape {values.shape}.")
    return np.atleast_1d(values)


def _isotropic(norms: Array, k: int, seed: int, n_draws: int) -> Array:
    sums = torch.zeros(3, len(norms), device=device(), dtype=dtype())
    for xi in _chunks(seed, n_draws, k):
        top = xi.amax(dim=1)
        mean = xi.mean(dim=1)
        below = xi - top[:, None]
        for place, norm in enumerate(norms.tolist()):
            weights = torch.exp(norm * below)
            total = weights.sum(dim=1)
            sums[0, place] += (total.log() + norm * top).sum()
            sums[1, place] += ((weights * weights).sum(dim=1) / total**2).sum()
            sums[2, place] += ((weights * xi).sum(dim=1) / total - mean).sum()
    means: Array = to_numpy(sums / n_draws)
    return means


def _mapped(maps: torch.Tensor, seed: int, n_draws: int) -> tuple[Array, Array, Array]:
    n_maps, k, d = maps.shape
    sums = [maps.new_zeros(n_maps, k, n) for n in (k, d, d)]
    for x in _chunks(seed, n_draws, d, k):
        for place in range(n_maps):
            logits = maps[place] @ x.T
            p = torch.softmax(logits, dim=0)  # several times as fast as over the last axis
            sums[0][place] += _jacobian(p)
            sums[1][place] += p @ x
            sums[2][place] += (logits == logits.amax(dim=0)).to(x) @ x
    first, second, third = (to_numpy(part / n_draws) for part in sums)
    return first, second, third


def _jacobians(maps: torch.Tensor, seed: int, n_draws: int) -> Array:
    n_maps, k, d = maps.shape
    sums = maps.new_zeros(n_maps, k, k)
    for x in _chunks(seed, n_draws, d, k):
        for place in range(n_maps):
            sums[place] += _jacobian(torch.softmax(maps[place] @ x.T, dim=0))
    means: Array = to_numpy(sums / n_draws)
    return means


def _jacobian(p: torch.Tensor) -> torch.Tensor:
    """Summed over the probabilities (k, example) of all examples."""
    return torch.diag(p.sum(dim=1)) - p @ p.T


def _agreed(rho: Array, k: int, seed: int, n_draws: int) -> Array:
    hits = np.zeros(len(rho))
    for pair in _chunks(seed, n_draws, 2 * k):
        first, second = pair[:, :k], pair[:, k:]
        label = first.argmax(dim=1, keepdim=True)
        for place, value in enumerate(rho.tolist()):
            other = value * first + (1 - value**2) ** 0.5 * second
            hits[place] += int((other.gather(1, label)[:, 0] == other.amax(dim=1)).sum())
    return hits / n_draws


def _chunks(seed: int, n_draws: int, size: int, wide: int = 1) -> Iterator[torch.Tensor]:
    """Standard normal rows of `size` numbers, some at a time; each row makes `wide` other numbers."""
    source = stream(seed, "logits")
    rows = max(1, _CHUNK // max(size, wide))
    for first in range(0, n_draws, rows):
        yield to_tensor(source.standard_normal((min(rows, n_draws - first), size)))


def _centred(maps: Array) -> Array:
    return maps - maps.mean(axis=-2, keepdims=True) if maps.ndim >= 2 else maps
