r"""Two linear tasks with Gaussian inputs of any covariances, as what least squares needs: inputs × inputs, × labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, counts, nonnegative, one_of, scalar, whole, within
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import seed_tuple, stream


@dataclass(frozen=True)
class GaussianTask(Checked):
    """Sufficient statistics of a task for least squares, and the model (d,) and covariance (d, d) that made it.

    Attributes
    ----------
    gram : ndarray, shape (seed, d, d)
        Inputs times inputs, :math:`X^T X`.
    products : ndarray, shape (seed, d)
        Inputs times labels, :math:`X^T y`.
    energy : ndarray, shape (seed,)
        Of the labels, :math:`|y|^2`.
    theta, covariance : ndarray
    """

    gram: Array
    products: Array
    energy: Array
    theta: Array
    covariance: Array

    @property
    def moments(self) -> tuple[Array, Array]:
        """Inputs times inputs, and inputs times labels."""
        return self.gram, self.products

    def excess_risk(self, models: ArrayLike) -> Array:
        r"""Mean squared error of linear maps (..., seed, d) on new inputs, less that of the noise: (..., seed).

        .. math:: (\hat\theta - \theta)^\top \Sigma\, (\hat\theta - \theta)
        """
        maps = bounded("models", models)
        if maps.ndim < 2 or maps.shape[-2:] != self.products.shape:
            raise ValueError(f"models must have shape (..., seed, d) with the task's {self.products.shape}; got "
                             f"{maps.shape}.")  # fmt: skip
        errors = maps - self.theta
        return np.asarray(np.einsum("...i,ij,...j", errors, self.covariance, errors))


def gaussian_pair(
    n_examples: ArrayLike,
    spreads: ArrayLike,
    thetas: ArrayLike,
    sigmas: ArrayLike,
    seeds: Iterable[int],
    part: int = 0,
) -> tuple[GaussianTask, GaussianTask]:
    """A source and a target, each as from ``gaussian_task``; the source's part of each argument comes first.

    Parameters
    ----------
    n_examples : array_like of int, shape (2,)
    spreads : array_like, shape (2, d, d)
        Covariances of the inputs, positive definite.
    thetas : array_like, shape (2, d)
        True coefficients.
    sigmas : array_like, shape (2,)
        Standard deviations of the label noise, >= 0.
    seeds : iterable of int
    part : int
        Number of the pair, >= 0: pairs of other numbers are independent of it.
    """
    laws = {
        "n_examples": counts("n_examples", n_examples),
        "spreads": bounded("spreads", spreads, ndim=3),
        "thetas": bounded("thetas", thetas, ndim=2),
        "sigmas": bounded("sigmas", sigmas, nonnegative, ndim=1),
    }
    size = np.shape(laws["thetas"])[1]
    if np.shape(laws["spreads"])[1:] != (size, size):
        raise ValueError(f"spreads must be matrices {size} by {size}, as thetas; got {np.shape(laws['spreads'])}.")
    for name, values in laws.items():
        if len(np.atleast_1d(values)) != 2:
            raise ValueError(f"{name} must hold that of the source and that of the target; got {np.shape(values)}.")
    chosen = seed_tuple(seeds)
    roles = zip(*laws.values(), ("source", "target"), strict=True)
    source, target = (gaussian_task(n, spread, theta, sigma, chosen, role, part)
                      for n, spread, theta, sigma, role in roles)  # fmt: skip
    return source, target


def models_of_cosine(cosine: float, n_inputs: int) -> tuple[Array, Array]:
    """Models of norm 1 of a source and a target, each (n_inputs,), with a given cosine; the target's on the first axis.

    Parameters
    ----------
    cosine : float
        In [-1, 1].
    n_inputs : int
        At least 2.
    """
    c, d = scalar("cosine", cosine, lambda name, value: within(name, value, -1.0, 1.0)), count("n_inputs", n_inputs, 2)
    target, second = np.eye(2, d)
    return c * target + np.sqrt(1 - c**2) * second, target


def gaussian_task(
    n_examples: int,
    covariance: ArrayLike,
    theta: ArrayLike,
    sigma: float,
    seeds: Iterable[int],
    role: str,
    part: int = 0,
) -> GaussianTask:
    r"""Draw :math:`X^\top X` and :math:`X^\top y` of a regression task without drawing its examples.

    .. math:: x_j \sim N(0, \Sigma), \quad y = X \theta + \sigma \varepsilon, \quad X^\top X = F F^\top,

    .. math:: X^\top y = F F^\top \theta + \sigma F z, \quad
        |y|^2 = |F^\top \theta + \sigma z|^2 + \sigma^2 \chi^2_{n - d}

    For at least d examples :math:`F = \Sigma^{1/2} L` with Bartlett's lower triangle :math:`L`, which has roots of
    :math:`\chi^2_{n - j}` on the diagonal and standard normal entries below; for fewer, :math:`F = X^\top`. The
    :math:`z` are standard normal. The law is that of the examples, at a cost that does not grow with their number.

    Parameters
    ----------
    n_examples : int
    covariance : array_like, shape (d, d)
        :math:`\Sigma` of the inputs, positive definite.
    theta : array_like, shape (d,)
        True coefficients.
    sigma : float
        Standard deviation of the label noise, >= 0.
    seeds : iterable of int
    role : {"source", "target"}
        The two tasks of a pair have random streams of their own.
    part : int
        Number of the pair, >= 0: pairs of other numbers are independent of it.
    """
    n, chosen = whole("n_examples", n_examples), seed_tuple(seeds)
    spread, model = bounded("covariance", covariance, ndim=2), bounded("theta", theta, ndim=1)
    if spread.shape != (model.size, model.size):
        raise ValueError(f"covariance must have shape {(model.size,) * 2} to fit theta; got {spread.shape}.")
    noise = scalar("sigma", sigma, lambda name, value: bounded(name, value, nonnegative))
    name, d = "gaussian task: " + one_of("role", role, ("source", "target")), model.size
    pair = count("part", part, minimum=0)
    factor = _root(spread) @ _factors([stream(seed, name, pair) for seed in chosen], n, d)
    drawn, rest = zip(*(_noise(stream(seed, f"{name}, noise", pair), n, d) for seed in chosen), strict=True)
    labels = factor.swapaxes(-1, -2) @ model + noise * np.stack(drawn)
    energy = (labels**2).sum(axis=-1) + noise**2 * np.array(rest)
    products = (factor @ labels[..., None])[..., 0]
    return GaussianTask(factor @ factor.swapaxes(-1, -2), products, energy, model, spread)


def _root(spread: Array) -> Array:
    if not np.allclose(spread, spread.T, rtol=1e-10, atol=0):
        raise ValueError("covariance must be symmetric, as must each of spreads.")
    try:
        return np.asarray(np.linalg.cholesky(spread))
    except np.linalg.LinAlgError as error:
        raise ValueError("covariance must be positive definite, as must each of spreads.") from error


def _factors(streams: Sequence[np.random.Generator], n: int, d: int) -> Array:
    """One for each stream; what is not drawn is done for all at once."""
    if n < d:
        return np.stack([rng.standard_normal((d, n)) for rng in streams])
    freedoms, place = n - np.arange(d), np.arange(d)
    below, squares = zip(*((rng.standard_normal((d, d)), rng.chisquare(freedoms)) for rng in streams), strict=True)
    triangles = np.tril(np.stack(below), -1)
    triangles[:, place, place] = np.sqrt(np.stack(squares))
    return np.asarray(triangles)


def _noise(rng: np.random.Generator, n: int, d: int) -> tuple[Array, float]:
    """Noise in the space of the inputs' columns, and the squared length of the rest."""
    return rng.standard_normal(min(n, d)), float(rng.chisquare(n - d)) if n > d else 0.0
