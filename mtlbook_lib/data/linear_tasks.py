r"""Linear regression tasks with covariances of given condition: a row an example, labels a linear map plus noise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, in_scale, nonnegative, one_of, scalar, within
from mtlbook_lib._random import haar, normal, seed_tuple, uniform_columns


@dataclass(frozen=True)
class LinearTasks:
    """Training data of several tasks, first axis seed, second axis task.

    Attributes
    ----------
    inputs : ndarray, shape (seed, task, m, d)
    labels : ndarray, shape (seed, task, m)
    models : ndarray, shape (seed, task, d)
        The maps that made the labels, of unit norm.
    """

    inputs: Array
    labels: Array
    models: Array


def regression_tasks(
    n_examples: int,
    n_inputs: int,
    scales: ArrayLike,
    condition: float,
    noise: float,
    seeds: Iterable[int],
    covariances: str = "equal",
) -> LinearTasks:
    r"""Tasks whose covariances are exactly equal up to scale, or have the same eigenvalues in other axes.

    .. math:: X_i = \sqrt{\beta_i}\, U_i D Q_i^\top, \qquad y_i = X_i \theta_i + \varepsilon_i

    with :math:`U_i` (m × d) uniformly random with orthonormal columns, :math:`D` from 1 to the condition number in
    equal ratios, and :math:`Q_i` the axes: one random rotation for all tasks, or one for each.

    Parameters
    ----------
    n_examples, n_inputs : int
        :math:`m \ge d` examples for each task.
    scales : array_like, shape (task,)
        :math:`\beta_i` > 0.
    condition : float
        Ratio >= 1 of the largest singular value of :math:`X_i` to the least. That of the covariance is its square.
    noise : float
        Standard deviation of :math:`\varepsilon_i`, >= 0. Labels without noise have norm of order 1 to `condition`.
    seeds : iterable of int
    covariances : {"equal", "rotated", "shared"}
        "shared": equal, and all tasks have the same :math:`U_i` too, hence the same inputs up to scale.

    Returns
    -------
    LinearTasks

    Raises
    ------
    ValueError
        If there are fewer examples than inputs, a number is out of range, or a name is unknown.
    TypeError
        If a number or a seed is not an integer.
    """
    m, d, chosen = count("n_examples", n_examples), count("n_inputs", n_inputs), seed_tuple(seeds)
    beta = np.atleast_1d(in_scale("scales", scales))
    if m < d or beta.ndim != 1 or beta.size == 0:
        raise ValueError(f"n_examples must be at least n_inputs, {d}, and scales a list; got {m} and {beta.shape}.")
    kind = one_of("covariances", covariances, ("equal", "rotated", "shared"))
    kappa = scalar("condition", condition, lambda name, value: within(name, value, 1.0, 1e6))
    k = beta.size
    bases = uniform_columns(normal((1 if kind == "shared" else k, m, d), chosen, "linear tasks: examples"))
    axes = np.stack([haar(d, d, chosen, f"linear tasks: axes {i if kind == 'rotated' else 0}") for i in range(k)], 1)
    spread = kappa ** np.linspace(0.0, 1.0, d)
    inputs = np.sqrt(beta)[:, None, None] * ((bases * spread) @ axes.swapaxes(-1, -2))
    models = normal((k, d), chosen, "linear tasks: models")
    models = models / np.linalg.norm(models, axis=-1, keepdims=True)
    sigma = scalar("noise", noise, lambda name, value: bounded(name, value, nonnegative))
    labels = (inputs @ models[..., None])[..., 0] + sigma * normal((k, m), chosen, "linear tasks: noise")
    return LinearTasks(inputs, labels, models)
