r"""Linear regression tasks with covariances of given condition: a row an example, labels a linear map plus noise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import LAYERS, Array, bounded, count, flag, in_scale, nonnegative, one_of, scalar, within
from mtlbook_lib._fields import Checked
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
    """
    m, d, chosen = count("n_examples", n_examples), count("n_inputs", n_inputs, 1, LAYERS), seed_tuple(seeds)
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


@dataclass(frozen=True)
class TransferPair(Checked):
    """A source and a target with one linear model each, first axis seed.

    Attributes
    ----------
    source_inputs, target_inputs : ndarray, shapes (seed, m_s, d) and (seed, m_t, d)
    source_labels, target_labels : ndarray, shapes (seed, m_s) and (seed, m_t)
    models : ndarray, shape (seed, 2, d)
        Of the source and of the target.
    source_covariance, target_covariance : ndarray, shape (seed, d, d)
        Of a random input.
    """

    source_inputs: Array
    source_labels: Array
    target_inputs: Array
    target_labels: Array
    models: Array
    source_covariance: Array
    target_covariance: Array

    def source(self, n_examples: int) -> tuple[Array, Array]:
        """Inputs and labels of the first examples of the source."""
        m = count("n_examples", n_examples)
        if m > self.source_inputs.shape[1]:
            raise ValueError(f"n_examples must be at most {self.source_inputs.shape[1]}; got {m}.")
        return self.source_inputs[:, :m], self.source_labels[:, :m]


def transfer_pairs(
    n_source: int,
    n_target: int,
    n_inputs: int,
    cosine: float,
    condition: float,
    noise: float,
    seeds: Iterable[int],
    covariances: str = "same",
    spikes: int = 10,
    rotated: bool = True,
) -> TransferPair:
    r"""Two tasks of similar models, whose inputs have the same or different covariances.

    .. math:: X_i = R_i D_i Q_i^\top, \qquad y_i = X_i \theta_i + \varepsilon_i, \qquad
        \cos(\theta_1, \theta_2) = c

    with :math:`R_i` standard Gaussian, :math:`Q_i` a random rotation, and :math:`D_i` equal to the condition number on
    `spikes` axes and to 1 on the others.

    Source: Wu, Zhang & Ré (2020), Sec. 2.3, example of Fig. 3. As printed, :math:`X = R Q D` leaves the rotation idle:
    R Q has the law of R, and X that of R D, the inputs of `rotated` False.

    Parameters
    ----------
    n_source, n_target, n_inputs : int
        :math:`m_1`, :math:`m_2` and :math:`d`. Pairs with other numbers of source examples have the same target.
    cosine : float
        Of the two models, which have unit norm; -1 to 1.
    condition : float
        Ratio >= 1 of the singular values of :math:`D`.
    noise : float
        Standard deviation of :math:`\varepsilon_i`, >= 0.
    seeds : iterable of int
    covariances : {"same", "different"}
        Whether the source has the target's rotation, or one of its own with spikes on other axes.
    spikes : int
        Strong axes of each task, at most half of the inputs.
    rotated : bool
        Otherwise all :math:`Q_i = I`: the target is strong on the first inputs, a different source on the next ones.
    """
    d, chosen, k = count("n_inputs", n_inputs, 1, LAYERS), seed_tuple(seeds), count("spikes", spikes)
    if 2 * k > d:
        raise ValueError(f"spikes must be at most half of n_inputs, {d}; got {k}.")
    kind = one_of("covariances", covariances, ("same", "different"))
    kappa = scalar("condition", condition, lambda name, value: within(name, value, 1.0, 1e6))
    c = scalar("cosine", cosine, lambda name, value: within(name, value, -1.0, 1.0))
    sigma = scalar("noise", noise, lambda name, value: bounded(name, value, nonnegative))
    pair = haar(d, 2, chosen, "transfer pair: models")
    source_model = c * pair[..., 0] + np.sqrt(1 - c**2) * pair[..., 1]
    models = np.stack([source_model, pair[..., 0]], axis=1)
    target, source = (f"transfer pair: axes of the {name}" for name in ("target", "source"))
    turned, plain = flag("rotated", rotated), np.broadcast_to(np.eye(d), (len(chosen), d, d))
    axes = haar(d, d, chosen, target) if turned else plain
    strong = np.where(np.arange(d) < k, kappa, 1.0)
    others = haar(d, d, chosen, source) if turned and kind == "different" else axes
    source_strong = strong if kind == "same" else np.roll(strong, k)
    sides = (("source", n_source, others * source_strong[:, None].T), ("target", n_target, axes * strong[:, None].T))
    data = [_side(name, count(f"n_{name}", m), mix, chosen) for name, m, mix in sides]
    labels = [(x @ models[:, i, :, None])[..., 0] + sigma * noise for i, (x, noise) in enumerate(data)]
    laws = (mix @ mix.swapaxes(-1, -2) for _, _, mix in sides)
    return TransferPair(data[0][0], labels[0], data[1][0], labels[1], models, *laws)


def _side(name: str, m: int, mix: Array, seeds: tuple[int, ...]) -> tuple[Array, Array]:
    """Inputs and standard normal noise of one task; more examples leave the first ones as they were."""
    drawn = normal((m, mix.shape[-1]), seeds, f"transfer pair: {name}")
    return np.asarray(drawn @ mix.swapaxes(-1, -2)), normal((m,), seeds, f"transfer pair: noise of {name}")
