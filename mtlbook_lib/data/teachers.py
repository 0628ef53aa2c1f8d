"""Low-rank linear teachers with noisy outputs: the ensemble that the theory of deep linear networks is about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, flag, nonnegative, real_array, scalar
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import haar, normal, seed_tuple

_ORTHOGONAL = 1e-10  # rounding of a product of orthogonal matrices


@dataclass(frozen=True)
class Teachers(Checked):
    r"""Teachers :math:`\bar W = \bar U \bar S \bar V^T` and their output noise, for every seed and setting.

    The arrays are read-only. Settings that share a draw are views of one copy of it.

    Attributes
    ----------
    left : ndarray, shape (seed, setting, n_outputs, rank)
        Orthonormal output vectors, the columns of :math:`\bar U`.
    singular_values : ndarray, shape (setting, rank)
        Strengths, in the order given.
    right : ndarray, shape (seed, setting, n_inputs, rank)
        Orthonormal input vectors, the columns of :math:`\bar V`.
    noise : ndarray, shape (seed, setting, n_outputs, n_inputs)
        Noise of the training statistics; entries have standard deviation ``noise_scale / sqrt(n_inputs)``.
    noise_scale : float
        The :math:`\sigma_z` of the noise.
    seeds : tuple of int
        The seed of each entry of the first axis.
    """

    _axes = (
        "left: seed setting output rank",
        "singular_values: setting rank",
        "right: seed setting input rank",
        "noise: seed setting output input",
    )

    left: Array
    singular_values: Array
    right: Array
    noise: Array
    noise_scale: float
    seeds: tuple[int, ...]

    @property
    def n_outputs(self) -> int:
        """Number of outputs."""
        return int(self.left.shape[-2])

    @property
    def n_inputs(self) -> int:
        """Number of inputs."""
        return int(self.right.shape[-2])

    @property
    def clean(self) -> Array:
        """The maps without noise, shape (seed, setting, n_outputs, n_inputs); computed at each access."""
        return np.asarray(self._scaled_left @ self.right.swapaxes(-1, -2))

    @property
    def training(self) -> Array:
        r"""The input-output statistics :math:`\Sigma^{31} = \bar W + Z` of a full set of orthonormal inputs.

        Shape (seed, setting, n_outputs, n_inputs); computed at each access.
        """
        statistics = self.clean
        statistics += self.noise
        return statistics

    def outputs(self, inputs: ArrayLike) -> Array:
        """Outputs without noise, shape (seed, setting, n_outputs, P), for inputs of shape (seed, n_inputs, P)."""
        examples = real_array("inputs", inputs)
        expected = (len(self.seeds), self.n_inputs)
        if examples.ndim != 3 or examples.shape[:2] != expected:
            raise ValueError(f"inputs must have shape ({expected[0]}, {expected[1]}, P); got {examples.shape}.")
        return np.asarray(self._scaled_left @ (self.right.swapaxes(-1, -2) @ examples[:, None]))

    def turned(self, outputs: ArrayLike, inputs: ArrayLike, with_noise: bool = True) -> Teachers:
        r"""Teachers of the same strengths in turned coordinates, :math:`R \bar W O^T`.

        Parameters
        ----------
        outputs, inputs : array_like, shapes (n_outputs, n_outputs) and (n_inputs, n_inputs), or with an axis of seeds
            Orthogonal matrices :math:`R` and :math:`O`.
        with_noise : bool
            Whether the noise turns along, to :math:`R Z O^T`, so that the data are the same in other coordinates;
            otherwise it stays as it is.
        """
        left, right = (
            _rotations(name, turn, size, len(self.seeds))
            for name, turn, size in (("outputs", outputs, self.n_outputs), ("inputs", inputs, self.n_inputs))
        )
        moved = left @ self.noise @ right.swapaxes(-1, -2) if flag("with_noise", with_noise) else self.noise
        return replace(self, left=left @ self.left, right=right @ self.right, noise=moved)

    @property
    def _scaled_left(self) -> Array:
        return np.asarray(self.left * self.singular_values[:, None, :])


def low_rank_teachers(
    n_outputs: int, n_inputs: int, singular_values: ArrayLike, seeds: Iterable[int], noise_scale: float = 1.0
) -> Teachers:
    r"""Random teachers with given singular values and Haar-distributed singular vectors.

    .. math:: \Sigma^{31} = \bar U \bar S \bar V^T + Z, \qquad Z_{ij} \sim N(0, \sigma_z^2 / N_1)

    All settings of one seed share their singular vectors and their noise, so a comparison between settings is paired.
    Left vectors, right vectors and noise have separate random streams: changing the size of one leaves the others.

    Source: Lampinen & Ganguli (2019), eqs. 1-3.

    Parameters
    ----------
    n_outputs, n_inputs : int
        Dimensions :math:`N_3` and :math:`N_1`.
    singular_values : array_like, shape (rank,) or (n_settings, rank)
        Strengths :math:`\bar s \ge 0` in any order; ``rank`` is at most the smaller dimension. Zeros are allowed, so
        that settings of lower rank can be padded and ``[0.0]`` is pure noise.
    seeds : iterable of int
        Distinct and non-negative.
    noise_scale : float
        :math:`\sigma_z \ge 0`.
    """
    n_outputs, n_inputs = count("n_outputs", n_outputs), count("n_inputs", n_inputs)
    strengths = setting_rows("singular_values", singular_values)
    rank = strengths.shape[1]
    if rank > min(n_outputs, n_inputs):
        raise ValueError(f"singular_values must hold at most {min(n_outputs, n_inputs)} per setting; got {rank}.")
    seeds = seed_tuple(seeds)
    return assemble(
        haar(n_outputs, rank, seeds, "left")[:, None],
        strengths,
        haar(n_inputs, rank, seeds, "right")[:, None],
        normal((n_outputs, n_inputs), seeds, "noise")[:, None],
        scalar("noise_scale", noise_scale, nonnegative),
        seeds,
    )


def _rotations(name: str, turn: ArrayLike, size: int, n_seeds: int) -> Array:
    """Orthogonal matrices with an axis of seeds, which may be 1, and one of settings."""
    matrices = bounded(name, turn)
    if matrices.shape not in ((size, size), (n_seeds, size, size)):
        shapes = f"({size}, {size}) or ({n_seeds}, {size}, {size})"
        raise ValueError(f"{name} must have shape {shapes}; got {matrices.shape}.")
    product = matrices @ matrices.swapaxes(-1, -2)
    if np.abs(product - np.eye(size)).max() > _ORTHOGONAL:
        raise ValueError(f"{name} must be orthogonal: a turn changes no length.")
    return matrices.reshape(-1, 1, size, size)


def setting_rows(name: str, value: ArrayLike) -> Array:
    """`value` as non-negative numbers of shape (setting, rank); one axis means one setting."""
    rows = nonnegative(name, value)
    if rows.ndim not in (1, 2) or rows.size == 0:
        raise ValueError(f"{name} must have shape (rank,) or (n_settings, rank), not empty; got {rows.shape}.")
    return np.atleast_2d(rows)


def assemble(
    left: Array, strengths: Array, right: Array, standard_noise: Array, noise_scale: float, seeds: tuple[int, ...]
) -> Teachers:
    """Teachers from draws whose setting axis may be 1; the views that fill the axis copy nothing."""
    n_settings = strengths.shape[0]
    noise = standard_noise * (noise_scale / np.sqrt(right.shape[-2]))
    left, right, noise = (
        np.broadcast_to(draw, (len(seeds), n_settings, *draw.shape[2:])) for draw in (left, right, noise)
    )
    # A broadcast is a read-only view, also where it changes no shape.
    return Teachers(left, np.broadcast_to(strengths, strengths.shape), right, noise, noise_scale, seeds)
