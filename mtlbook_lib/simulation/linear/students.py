r"""Initial weights of students: aligned with the training data, orthogonal at random, or Gaussian.

Layer :math:`l` of seed :math:`s` has its own random stream, so that all settings of a seed share their draws, and a
change of one layer's width leaves the draws of the others alone.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib._random import seed_tuple
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.engine import factors, haar_layers, normal_layers, shapes, to_layers, widths


@suited
def aligned(
    training: ArrayLike,
    n_hidden: int | Sequence[int],
    eps: ArrayLike,
    seeds: Iterable[int] | None = None,
    depth: int = 2,
    dtype: torch.dtype | None = None,
) -> list[Tensor]:
    r"""Training-aligned students: the composite map starts at :math:`\epsilon\,\hat U_r \hat V_r^T`.

    .. math::
        W_1 = \epsilon^{1/D} R_1 \hat V_r^T, \quad W_l = \epsilon^{1/D} R_l R_{l-1}^T, \quad
        W_D = \epsilon^{1/D} \hat U_r R_{D-1}^T

    with :math:`\hat U_r, \hat V_r` the top :math:`r` singular vectors of the training data, :math:`r` the smallest
    width, and :math:`R_l` random with orthonormal columns. The layers are balanced. Data of a lower rank leave some of
    the vectors open; those are drawn at random, uniformly.

    Source: Lampinen & Ganguli (2019), Sec. 3.1 and App. A.

    Parameters
    ----------
    training : array_like, shape (seed, setting, n_out, n_in)
        Input-output covariance :math:`\Sigma_{31}`.
    n_hidden : int or sequence of depth - 1 ints
        Hidden width(s), >= 1.
    eps : array_like, scalar or shape (setting,)
        Initial singular value of the composite map, > 0.
    seeds : iterable of int, optional
        Distinct seeds, >= 0, one per entry of the first axis; 0, 1, ... by default.
    depth, dtype
        As for ``orthogonal``.

    Returns
    -------
    list of Tensor, shapes (seed, setting, output, input)
    """
    data = _checks.real_array("training", training, ndim=4)
    hidden, numbers = widths(n_hidden, depth), seed_tuple(range(len(data)) if seeds is None else seeds)
    if len(numbers) != data.shape[0]:
        raise ValueError(f"seeds must have one entry per seed of training ({data.shape[0]}); got {len(numbers)}.")
    scales = factors("eps", eps, data.shape[1], 1 / depth)
    rank = min(data.shape[2], data.shape[3], *hidden)
    left, right = _modes(data, numbers)
    bases = [right[..., :rank]]
    bases += [rotation[:, None] for rotation in haar_layers("aligned student", numbers, [(n, rank) for n in hidden])]
    bases.append(left[..., :rank])
    return to_layers([scales * (after @ np.swapaxes(before, -1, -2)) for before, after in pairwise(bases)], dtype)


def _modes(data: Array, seeds: Sequence[int]) -> tuple[Array, Array]:
    """Left and right singular vectors of the data, the same on every machine also where the data are zero.

    What a decomposition pairs in its kernel is roundoff. Here it is a uniform draw of the seed: the singular vectors of
    a random matrix between the two kernels.
    """
    decomposition = spectra.svd(data)
    left, right = decomposition.left.copy(), decomposition.right.copy()
    roundoff = max(data.shape[-2:]) * np.finfo(np.float64).eps * decomposition.values[..., :1]
    ranks = (decomposition.values > roundoff).sum(-1)
    if (ranks == decomposition.values.shape[-1]).all():
        return left, right
    (draws,) = normal_layers("aligned student without data", seeds, [data.shape[-2:]])
    for seed, setting in np.argwhere(ranks < decomposition.values.shape[-1]):
        rank, u, v = ranks[seed, setting], left[seed, setting], right[seed, setting]
        between = draws[seed] - u[:, :rank] @ (u[:, :rank].T @ draws[seed])
        between -= (between @ v[:, :rank]) @ v[:, :rank].T
        rest = spectra.svd(between)
        u[:, rank:], v[:, rank:] = (x[:, : u.shape[1] - rank] for x in (rest.left, rest.right))
    return left, right


@suited
def orthogonal(
    n_outputs: int,
    n_inputs: int,
    n_hidden: int | Sequence[int],
    eps: ArrayLike,
    seeds: Iterable[int],
    depth: int = 2,
    n_settings: int = 1,
    dtype: torch.dtype | None = None,
) -> list[Tensor]:
    r"""Random students: every layer is :math:`\epsilon^{1/D}` times an independent Haar (semi-)orthogonal matrix.

    Source: Lampinen & Ganguli (2019), Sec. 3.1 (randomly initialised students). The layers are balanced unless a
    hidden layer is wider than one of its neighbours.

    Parameters
    ----------
    n_outputs, n_inputs : int
        Sizes of the composite map, >= 1.
    n_hidden : int or sequence of depth - 1 ints
        Hidden width(s), >= 1.
    eps : array_like, scalar or shape (setting,)
        Initial singular value of the composite map, > 0 (exactly so where widths only grow towards both ends).
    seeds : iterable of int
        Distinct seeds, >= 0.
    depth : int
        Number of weight matrices :math:`D`, >= 2.
    n_settings : int
        Settings that share the draws of a seed; taken from `eps` where that is an array.
    dtype : torch.dtype, optional
        Precision of the weights; that of the runtime by default.

    Returns
    -------
    list of Tensor, shapes (seed, setting, output, input)
    """
    sizes = shapes(n_outputs, n_inputs, n_hidden, depth)
    scales = factors("eps", eps, n_settings, 1 / depth)
    weights = haar_layers("orthogonal student", seed_tuple(seeds), sizes)
    return to_layers([scales * draw[:, None] for draw in weights], dtype)


def gaussian(
    n_outputs: int,
    n_inputs: int,
    n_hidden: int | Sequence[int],
    scale: ArrayLike,
    seeds: Iterable[int],
    depth: int = 2,
    n_settings: int = 1,
    dtype: torch.dtype | None = None,
) -> list[Tensor]:
    r"""Random students with independent normal weights of standard deviation `scale`; their layers are not balanced.

    Parameters
    ----------
    n_outputs, n_inputs, n_hidden, seeds, depth, dtype
        As for ``orthogonal``.
    scale : array_like, scalar or shape (setting,)
        Standard deviation of every weight, > 0.
    n_settings : int
        As for ``orthogonal``; taken from `scale` where that is an array.

    Returns
    -------
    list of Tensor, shapes (seed, setting, output, input)
    """
    sizes = shapes(n_outputs, n_inputs, n_hidden, depth)
    scales = factors("scale", scale, n_settings, 1.0)
    weights = normal_layers("gaussian student", seed_tuple(seeds), sizes)
    return to_layers([scales * draw[:, None] for draw in weights], dtype)
