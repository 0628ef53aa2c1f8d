"""Classification tasks set by linear teachers: the class is the largest output of a low-rank map of Gaussian inputs.

A teacher is one of ``data.teachers`` whose strengths all equal the signal-to-noise ratio. The entries of its noise have
variance 1 / d: they add noise of variance one to every output of an input of N(0, I).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, bounded, broadcast, count, counts, instance, one_of, positive, real_array, within
from mtlbook_lib._random import normal, seed_tuple
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.data.teachers import Teachers, low_rank_teachers

Labels = NDArray[np.int64]
ROLES = ("main", "auxiliary", "test")
NOISES = ("weight", "sample", "none")


class Examples(NamedTuple):
    """Inputs in columns, shape (seed, d, N), and the class of each, shape (seed, setting, N)."""

    inputs: Array
    labels: Labels

    @property
    def first_setting(self) -> Examples:
        """The same inputs with the labels of the first setting only."""
        return Examples(self.inputs, self.labels[:, :1])

    @property
    def halves(self) -> tuple[Examples, Examples]:
        """The first half of the examples, and as many after them."""
        n = self.inputs.shape[2] // 2
        parts = (slice(0, n), slice(n, 2 * n))
        first, second = (Examples(self.inputs[..., part], self.labels[..., part]) for part in parts)
        return first, second

    @property
    def input_covariance(self) -> Array:
        """Mean product of the inputs with themselves, (seed, 1, d, d): all settings share it."""
        return np.asarray(self.inputs @ self.inputs.mT / self.inputs.shape[2])[:, None]


def snr_teachers(
    n_classes: int, n_features: int, snr: ArrayLike, seeds: Iterable[int], rank: int | None = None
) -> Teachers:
    r"""Teachers of one task, with equal strengths: one setting for each signal-to-noise ratio.

    .. math:: \bar W = s\,\bar U \bar V^T, \qquad \hat W = \bar W + \Xi, \qquad \Xi_{ij} \sim N(0, 1/d)

    Source: Lee & Ndirango (2019), Sec. 2; the variance of the noise is that of Lampinen & Ganguli.

    Parameters
    ----------
    n_classes, n_features : int
        :math:`k` (at least 2) and :math:`d`.
    snr : array_like, shape () or (n_settings,)
        The strength :math:`s` of every mode, > 0: at 0 the noise-free labels are not defined.
    seeds : iterable of int
        Distinct and non-negative.
    rank : int, optional
        Number of modes, at most the smaller dimension; by default `n_classes`.

    Returns
    -------
    Teachers
        All settings of a seed share singular vectors and noise.
    """
    n_classes, n_features = count("n_classes", n_classes, 2), count("n_features", n_features)
    (strengths,) = _settings(snr=positive("snr", snr))
    return low_rank_teachers(n_classes, n_features, _modes(strengths, n_classes, n_features, rank), seeds)


def snr_pairs(
    n_classes: int,
    n_features: int,
    snr_main: ArrayLike,
    snr_auxiliary: ArrayLike,
    relatedness: ArrayLike,
    seeds: Iterable[int],
    rank: int | None = None,
) -> tuple[Teachers, Teachers]:
    r"""Teachers of a main and an auxiliary task of given relatedness.

    .. math:: \bar V_B = r\,\bar V_A + \sqrt{1 - r^2}\;\bar V_\perp, \qquad \bar V_\perp^T \bar V_A = 0

    Left vectors and noise of the tasks are independent. The main teacher is, up to rounding, that of ``snr_teachers``.

    Source: Lee & Ndirango (2019), eq. 4 and Sec. 4.

    Parameters
    ----------
    n_classes, n_features : int
        :math:`k` (at least 2) and :math:`d`, at least twice the rank.
    snr_main, snr_auxiliary : array_like, shape () or (n_settings,)
        Strengths of the modes of both tasks, > 0.
    relatedness : array_like, shape () or (n_settings,)
        :math:`r`, in [0, 1]: every right vector of the auxiliary task overlaps by it with its partner.
    seeds : iterable of int
        Distinct and non-negative.
    rank : int, optional
        Number of modes of both tasks; by default `n_classes`.

    Returns
    -------
    tuple of two Teachers
        With the same settings. For a grid, give it unrolled, as ``numpy.meshgrid`` and ``ravel`` do.
    """
    n_classes, n_features = count("n_classes", n_classes, 2), count("n_features", n_features)
    main, auxiliary, overlap = _settings(
        snr_main=positive("snr_main", snr_main),
        snr_auxiliary=positive("snr_auxiliary", snr_auxiliary),
        relatedness=within("relatedness", relatedness, 0.0, 1.0),
    )
    modes = [_modes(strengths, n_classes, n_features, rank) for strengths in (main, auxiliary)]
    gram = pair_gram(overlap, modes[0].shape[1], modes[1].shape[1])
    first, second = related_teachers(n_classes, n_features, modes, gram, seeds)
    return first, second


def normal_inputs(n_features: int, n_examples: int, seeds: Iterable[int], role: str = "main") -> Array:
    """Inputs of N(0, I) in columns, shape (seed, d, N); more examples leave the first ones as they were.

    Source: Lee & Ndirango (2019), Sec. 4.

    Parameters
    ----------
    n_features, n_examples : int
        :math:`d` and :math:`N`.
    seeds : iterable of int
        Distinct and non-negative.
    role : {"main", "auxiliary", "test"}
        Which random stream to use: the inputs of different roles are independent.

    Returns
    -------
    ndarray, shape (seed, n_features, n_examples)
    """
    shape = (count("n_examples", n_examples), count("n_features", n_features))
    name = "classification inputs: " + one_of("role", role, ROLES)
    return np.ascontiguousarray(normal(shape, seed_tuple(seeds), name).swapaxes(-1, -2))


def argmax_labels(maps: ArrayLike, inputs: ArrayLike, noise: ArrayLike | None = None) -> Labels:
    r"""The class of every input, :math:`y = \arg\max_i\,(W x + \xi)_i`; of equal outputs the first one counts.

    Source: Lee & Ndirango (2019), Sec. 2.

    Parameters
    ----------
    maps : array_like, shape (seed, setting, k, d)
        The labelling maps, such as ``clean`` or ``training`` of teachers.
    inputs : array_like, shape (seed, d, N)
        Examples in columns.
    noise : array_like, shape (seed, k, N), optional
        Noise :math:`\xi` of each example's outputs, the same in all settings.

    Returns
    -------
    ndarray of int64, shape (seed, setting, N)
    """
    teachers, examples = real_array("maps", maps, 4), real_array("inputs", inputs, 3)
    if (teachers.shape[0], teachers.shape[3]) != examples.shape[:2]:
        wanted = (teachers.shape[0], teachers.shape[3])
        raise ValueError(f"inputs must have shape ({wanted[0]}, {wanted[1]}, N) to go with maps; got {examples.shape}.")
    shape = (teachers.shape[0], teachers.shape[2], examples.shape[2])
    added = np.zeros(()) if noise is None else real_array("noise", noise, 3)
    if added.ndim and added.shape != shape:
        raise ValueError(f"noise must have shape (seed, k, N) = {shape}; got {added.shape}.")
    labels = np.empty((*teachers.shape[:2], examples.shape[2]), dtype=np.int64)
    for setting in range(teachers.shape[1]):  # one product for each setting keeps the logits small
        labels[:, setting] = np.argmax(teachers[:, setting] @ examples + added, axis=1)
    return labels


def labelled(teachers: Teachers, n_examples: int, role: str = "main", noise: str = "weight") -> Examples:
    r"""Gaussian inputs and the classes that the teachers give them.

    Source: Lee & Ndirango (2019), Sec. 2 ("weight"; "none" for their test labels). "sample" is not in the paper.

    Parameters
    ----------
    teachers : Teachers
        As ``snr_teachers`` or ``snr_pairs`` return them.
    n_examples : int
        :math:`N`.
    role : {"main", "auxiliary", "test"}
        Which random stream of inputs to use.
    noise : {"weight", "sample", "none"}
        "weight": one noise for the data set, :math:`y = \arg\max \hat W x`. "sample": one for each example,
        :math:`y = \arg\max(\bar W x + \xi)` with :math:`\xi \sim N(0, \sigma_z^2 I)`, of the same size in each
        output. "none": :math:`y = \arg\max \bar W x`.
    """
    kind, teachers = one_of("noise", noise, NOISES), instance("teachers", teachers, Teachers)
    inputs = normal_inputs(teachers.n_inputs, n_examples, teachers.seeds, role)
    if kind != "sample":
        return Examples(inputs, argmax_labels(teachers.training if kind == "weight" else teachers.clean, inputs))
    drawn = normal((inputs.shape[2], teachers.n_outputs), teachers.seeds, "classification noise: " + role)
    return Examples(inputs, argmax_labels(teachers.clean, inputs, teachers.noise_scale * drawn.swapaxes(-1, -2)))


def label_covariance(examples: Examples, n_classes: int) -> Array:
    r"""Mean product of the labels' unit vectors with the inputs, :math:`S = \frac1N \sum_\mu e_{y^\mu} x^{\mu T}`.

    Source: Lee & Ndirango (2019), before eq. 8.

    Parameters
    ----------
    examples : Examples
        As ``labelled`` returns them.
    n_classes : int
        :math:`k`, above every label.

    Returns
    -------
    ndarray, shape (seed, setting, k, d)
    """
    inputs, labels = instance("examples", examples, Examples)
    inputs, labels = bounded("examples", inputs), counts("examples", labels, minimum=0)
    k = count("n_classes", n_classes, 2)
    fits = labels.ndim == 3 and labels.shape[::2] == inputs.shape[::2]
    if labels.size == 0 or labels.max() >= k or not fits:
        raise ValueError(f"examples must have a label from 0 to n_classes - 1 = {k - 1} for each input, at least one.")
    products = np.empty((*labels.shape[:2], k, inputs.shape[1]))
    for setting in range(labels.shape[1]):  # one setting at a time keeps the unit vectors few
        one_hot = (labels[:, setting, None] == np.arange(k)[:, None]).astype(np.float64)
        products[:, setting] = one_hot @ inputs.mT / inputs.shape[2]
    return products


def _modes(strengths: Array, n_classes: int, n_features: int, rank: int | None) -> Array:
    """Equal strengths of all modes, shape (setting, rank)."""
    most = min(n_classes, count("n_features", n_features))
    n_modes = count("rank", n_classes if rank is None else rank, maximum=most)
    return np.asarray(np.repeat(strengths[:, None], n_modes, axis=1))


def _settings(**arrays: Array) -> tuple[Array, ...]:
    """The arguments, each a number or one per setting, as arrays of one length."""
    for name, array in arrays.items():
        if array.ndim > 1 or array.size == 0:
            raise ValueError(f"{name} must be a number or one per setting; got shape {array.shape}.")
    return tuple(np.atleast_1d(array) for array in broadcast(**arrays))
