"""Two tasks whose models have a given cosine, linear or rectified, with a model of one direction or of several."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, count, flag, nonnegative, scalar, within
from mtlbook_lib._random import haar, normal, seed_tuple


@dataclass(frozen=True)
class FeatureTasks:
    """Data of two tasks with Gaussian inputs, the same for all settings.

    Attributes
    ----------
    inputs : list of ndarray, shapes (seed, m_i, d)
    labels : list of ndarray, shapes (seed, setting, m_i)
    models : list of ndarray, shapes (seed, setting, d, r)
    new_inputs : ndarray, shape (seed, n_new, d)
    new_labels : list of ndarray, shapes (seed, setting, n_new)
        Without noise.
    """

    inputs: list[Array]
    labels: list[Array]
    models: list[Array]
    new_inputs: Array
    new_labels: list[Array]


def direction_pairs(
    n_examples: int, n_new: int, n_inputs: int, cosines: ArrayLike, seeds: Iterable[int], rectified: bool,
    classes: bool = False,
) -> FeatureTasks:  # fmt: skip
    r"""Two noise-free tasks :math:`y = \phi(x \cdot \theta_i)` with unit models of given cosines, or their classes.

    Parameters
    ----------
    n_examples, n_new, n_inputs : int
    cosines : array_like, shape (setting,)
        Of the two models, in [-1, 1].
    seeds : iterable of int
    rectified : bool
        Whether :math:`\phi` is the rectifier or the identity.
    classes : bool
        Whether labels are 1 where the output is positive and 0 elsewhere, instead of the outputs.
    """
    chosen, d = seed_tuple(seeds), count("n_inputs", n_inputs, 2)
    c = _settings("cosines", cosines, -1.0)[:, None]
    pair = haar(d, 2, chosen, "feature tasks: models")[:, None]
    first = np.broadcast_to(pair[..., 0], (len(chosen), len(c), d))
    second = c * pair[..., 0] + np.sqrt(1 - c**2) * pair[..., 1]
    models = [first[..., None], second[..., None]]
    numbers = (count("n_examples", n_examples),) * 2
    relu, labelled = flag("rectified", rectified), flag("classes", classes)
    return _drawn(models, numbers, count("n_new", n_new), 0.0, chosen, relu, labelled)


def rotated_pairs(
    n_target: int, n_source: int, n_new: int, n_inputs: int, rank: int, mixing: ArrayLike, noise: float,
    seeds: Iterable[int],
) -> FeatureTasks:  # fmt: skip
    r"""Two rectified tasks :math:`y_i = \mathrm{relu}(X_i\Theta_i) e + \varepsilon_i`, the target first.

    .. math:: \Theta_2 = \alpha\Theta_1 + (1 - \alpha)\Theta', \qquad \Theta_1^\top\Theta' = 0

    with orthonormal columns of :math:`\Theta_1` and :math:`\Theta'`, and :math:`e` of ones.

    Source: Wu, Zhang & Ré (2020), App. B.4, where :math:`\alpha` is said to be the cosine.

    Parameters
    ----------
    n_target, n_source, n_new, n_inputs, rank : int
        ``2 * rank <= n_inputs``.
    mixing : array_like, shape (setting,)
        :math:`\alpha` in [0, 1]. The cosine of all principal angles is :math:`\alpha/\sqrt{\alpha^2 + (1-\alpha)^2}`.
    noise : float
        Standard deviation of :math:`\varepsilon_i`, >= 0.
    seeds : iterable of int
    """
    chosen, d, r = seed_tuple(seeds), count("n_inputs", n_inputs), count("rank", rank)
    if 2 * r > d:
        raise ValueError(f"rank must be at most half of n_inputs, {d}; got {r}.")
    a = _settings("mixing", mixing, 0.0)[:, None, None]
    both = haar(d, 2 * r, chosen, "feature tasks: rotations")[:, None]
    first = np.broadcast_to(both[..., :r], (len(chosen), len(a), d, r))
    models = [first, a * both[..., :r] + (1 - a) * both[..., r:]]
    numbers = count("n_target", n_target), count("n_source", n_source)
    sigma = scalar("noise", noise, lambda name, value: nonnegative(name, within(name, value, 0.0, 1e6)))
    return _drawn(models, numbers, count("n_new", n_new), sigma, chosen, True, False)


def _settings(name: str, values: ArrayLike, lower: float) -> Array:
    array = np.atleast_1d(within(name, values, lower, 1.0))
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be a list of at least one number; got shape {array.shape}.")
    return array


def _drawn(
    models: list[Array], numbers: tuple[int, int], n_new: int, sigma: float, seeds: tuple[int, ...], relu: bool,
    classes: bool,
) -> FeatureTasks:  # fmt: skip
    d = models[0].shape[2]
    inputs = [normal((m, d), seeds, "feature tasks: inputs", i) for i, m in enumerate(numbers)]
    new = normal((n_new, d), seeds, "feature tasks: new inputs")
    noise = [sigma * normal((1, m), seeds, "feature tasks: noise", i) for i, m in enumerate(numbers)]
    labels = [_outputs(x, model, relu, classes) + e for x, model, e in zip(inputs, models, noise, strict=True)]
    return FeatureTasks(inputs, labels, models, new, [_outputs(new, model, relu, classes) for model in models])


def _outputs(x: Array, model: Array, relu: bool, classes: bool) -> Array:
    """Sums of the features, (seed, setting, m), or where they are positive."""
    features = x[:, None] @ model
    outputs = (np.maximum(features, 0) if relu else features).sum(axis=-1)
    return np.asarray((outputs > 0).astype(np.float64) if classes else outputs)
