r"""Sparse linear teachers that share some of their features, and inputs on the unit sphere; a row an example."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, count, one_of, real_array
from mtlbook_lib._random import normal, seed_tuple, stream


@dataclass(frozen=True)
class SparseTeachers:
    """Coefficients of an auxiliary and of a main task, each 0, 1 or −1, shape (seed, D)."""

    aux: Array
    main: Array


def sparse_teachers(dim: int, k_aux: int, k_main: int, overlap: int, seeds: Iterable[int]) -> SparseTeachers:
    r"""Two teachers with given numbers of features, some of which they share; signs are independent.

    Source: Lindsey & Lippl (2023), secs. 3 and 5.

    Parameters
    ----------
    dim : int
        Number D of inputs, at least one for each feature.
    k_aux, k_main : int
        Features of each teacher, >= 1.
    overlap : int
        Features that both have, from 0 to the smaller of the two numbers.
    seeds : iterable of int
    """
    dim, chosen = count("dim", dim), seed_tuple(seeds)
    k_aux, k_main, shared = count("k_aux", k_aux), count("k_main", k_main), count("overlap", overlap, 0)
    if shared > min(k_aux, k_main) or k_aux + k_main - shared > dim:
        raise ValueError(
            f"overlap must be at most {min(k_aux, k_main)}, and all features must fit into {dim} inputs; got {shared}."
        )
    aux, main = np.zeros((len(chosen), dim)), np.zeros((len(chosen), dim))
    for row, seed in enumerate(chosen):
        rng = stream(seed, "sparse teachers")
        places, signs = rng.permutation(dim), rng.choice([-1.0, 1.0], (2, dim))
        aux[row, places[:k_aux]] = signs[0, :k_aux]
        first = k_aux - shared
        main[row, places[first : first + k_main]] = signs[1, :k_main]
    return SparseTeachers(aux, main)


def sphere_inputs(n_inputs: int, n_examples: int, seeds: Iterable[int], role: str = "main") -> Array:
    """Inputs that are uniform on the unit sphere; more examples leave the first ones as they were.

    Source: Lindsey & Lippl (2023), sec. 3.

    Parameters
    ----------
    n_inputs, n_examples : int
        D and n.
    seeds : iterable of int
    role : {"main", "aux", "test"}
        Which task they are for, or for a test: each has a random stream of its own.

    Returns
    -------
    ndarray, shape (seed, n, D)
    """
    name = "sphere inputs: " + one_of("role", role, ("main", "aux", "test"))
    shape = (count("n_examples", n_examples), count("n_inputs", n_inputs))
    rows = normal(shape, seed_tuple(seeds), name)
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def sphere_examples(beta: ArrayLike, n_examples: int, seeds: Iterable[int], role: str = "main") -> tuple[Array, Array]:
    r"""Clean examples of linear tasks, :math:`y = \beta \cdot x` with inputs that are uniform on the unit sphere.

    Source: Lindsey & Lippl (2023), sec. 3.

    Parameters
    ----------
    beta : array_like, shape (seed, D)
        Coefficients of each seed's task.
    n_examples : int
    seeds : iterable of int
    role : {"main", "aux", "test"}
        As for ``sphere_inputs``, which draws the inputs.

    Returns
    -------
    x : ndarray, shape (seed, n, D)
    y : ndarray, shape (seed, n)
        In units of a coefficient.

    Raises
    ------
    ValueError
        If there is not one teacher for each seed.
    """
    teachers, chosen = real_array("beta", beta, ndim=2), seed_tuple(seeds)
    if len(teachers) != len(chosen) or not teachers.size:
        raise ValueError(f"beta must have a row for each of {len(chosen)} seeds; got shape {teachers.shape}.")
    x = sphere_inputs(teachers.shape[1], n_examples, chosen, role)
    return x, np.asarray((x @ teachers[..., None])[..., 0])
