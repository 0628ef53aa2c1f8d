r"""Points of the plane with two labels, on both sides of a line through the origin."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, in_scale, one_of, scalar
from mtlbook_lib._random import normal, seed_tuple, stream

ROLES = ("target", "along", "across")


def planar_points(
    n_examples: int, angle: float, spread: ArrayLike, slope: float, seeds: Iterable[int], role: str = "target"
) -> tuple[Array, Array]:
    r"""Gaussian points and labels that follow a logistic law across a line.

    .. math:: x = u\,n + v\,n_\perp, \qquad P(y = 1) = \frac{1}{1 + e^{-a u}}, \qquad n = (\cos\varphi, \sin\varphi)

    Parameters
    ----------
    n_examples : int
        More of them leave the first ones as they were.
    angle : float
        :math:`\varphi` of the normal of the line, in radians.
    spread : array_like, shape (2,)
        Standard deviations > 0 of u, across the line, and of v, along it.
    slope : float
        :math:`a > 0`; a small one gives noisy labels.
    seeds : iterable of int
    role : {"target", "along", "across"}
        Tasks of other roles have other points: each has a random stream of its own.

    Returns
    -------
    points : ndarray, shape (seed, n_examples, 2)
    labels : ndarray, shape (seed, n_examples)
        1 or -1.
    """
    n, chosen = count("n_examples", n_examples), seed_tuple(seeds)
    phi, steep = scalar("angle", angle, bounded), scalar("slope", slope, in_scale)
    widths = in_scale("spread", spread)
    if widths.shape != (2,):
        raise ValueError(f"spread must have shape (2,): across the line and along it; got {widths.shape}.")
    name = one_of("role", role, ROLES)
    places = normal((n, 2), chosen, f"planar points of {name}") * widths
    drawn = np.stack([stream(seed, f"planar labels of {name}").uniform(size=n) for seed in chosen])
    c, s = np.cos(phi), np.sin(phi)
    positive = drawn < 1 / (1 + np.exp(-np.clip(steep * places[..., 0], -500, 500)))
    return np.asarray(places @ np.array([[c, s], [-s, c]])), np.where(positive, 1.0, -1.0)
