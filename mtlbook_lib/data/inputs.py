"""Training and test inputs, one column per example, scaled to a mean squared norm of 1."""

from collections.abc import Iterable

import numpy as np

from mtlbook_lib._checks import Array, count, one_of
from mtlbook_lib._random import haar, normal, seed_tuple


def orthonormal_inputs(n_inputs: int, n_examples: int, seeds: Iterable[int]) -> Array:
    r"""Inputs whose covariance is as white as their number allows.

    .. math:: X^T X = I \;\; (P \le N_1), \qquad X X^T = \frac{P}{N_1} I \;\; (P \ge N_1)

    Up to :math:`P = N_1` the columns are orthonormal and span a random subspace; beyond, the rows are orthogonal and of
    equal length. Up to :math:`P = N_1`, more examples leave the first ones as they were (up to rounding).

    Source: Lampinen & Ganguli (2019), App. G.

    Parameters
    ----------
    n_inputs, n_examples : int
        :math:`N_1` and :math:`P`.
    seeds : iterable of int
        Distinct and non-negative.

    Returns
    -------
    ndarray, shape (seed, n_inputs, n_examples)
    """
    n_inputs, n_examples = count("n_inputs", n_inputs), count("n_examples", n_examples)
    seeds = seed_tuple(seeds)
    if n_examples <= n_inputs:
        return haar(n_inputs, n_examples, seeds, "inputs")
    rows = haar(n_examples, n_inputs, seeds, "inputs").swapaxes(-1, -2)
    return np.asarray(rows * np.sqrt(n_examples / n_inputs))


def gaussian_inputs(n_inputs: int, n_examples: int, seeds: Iterable[int], role: str = "training") -> Array:
    r"""Independent Gaussian inputs, :math:`X_{ij} \sim N(0, 1/N_1)`.

    More examples leave the first ones as they were.

    Source: Lampinen & Ganguli (2019), Fig. 13 (Gaussian inputs of about unit norm).

    Parameters
    ----------
    n_inputs, n_examples, seeds
        As for ``orthonormal_inputs``.
    role : {"training", "test"}
        Which random stream to use: test inputs are independent of the training inputs of the same seed.

    Returns
    -------
    ndarray, shape (seed, n_inputs, n_examples)
    """
    n_inputs, n_examples = count("n_inputs", n_inputs), count("n_examples", n_examples)
    name = "gaussian inputs: " + one_of("role", role, ("training", "test"))
    examples = normal((n_examples, n_inputs), seed_tuple(seeds), name)
    return np.asarray(examples.swapaxes(-1, -2) / np.sqrt(n_inputs))
