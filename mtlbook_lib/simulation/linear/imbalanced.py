"""Two-layer students of which one layer starts larger than the other, with the same composite map."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib import _checks


def imbalanced(layers: Sequence[Tensor], imbalance: ArrayLike) -> list[Tensor]:
    r"""The two layers of a balanced student, rescaled so that their Gram matrices differ by a multiple of the identity.

    .. math:: W_2^T W_2 - W_1 W_1^T = \lambda I, \qquad W_2 W_1 \text{ as before}

    Parameters
    ----------
    layers : sequence of two Tensors, shapes (seed, setting, n_l, n_{l-1})
        As ``students.aligned`` and ``students.orthogonal`` give them: all hidden directions of a setting have one size.
    imbalance : array_like, scalar or shape (setting,)
        :math:`\lambda`; positive makes the second layer the larger one.

    Returns
    -------
    list of Tensor

    Raises
    ------
    ValueError
        If there are not two layers, the hidden directions of a layer differ in size (also where the hidden layer is
        wider than the inputs or the outputs), the layers are not balanced, or `imbalance` does not fit the settings.
    TypeError
        If `imbalance` is not real.
    """
    if len(layers) != 2:
        raise ValueError(f"layers must be the two layers of a student; got {len(layers)}.")
    first, second = layers
    sizes = [_common_size(first @ first.mT), _common_size(second.mT @ second)]
    if torch.any((sizes[0] - sizes[1]).abs() > 1e-5 * sizes[0]):
        raise ValueError("layers must be balanced: both layers of the same size; got different ones.")
    wanted = _checks.bounded("imbalance", imbalance)
    if wanted.shape not in ((), (first.shape[1],)):
        raise ValueError(f"imbalance must be one number or {first.shape[1]}, one for each setting; got {wanted.shape}.")
    differences = wanted.reshape(-1).tolist() * (first.shape[1] if wanted.ndim == 0 else 1)
    eps = sizes[0][0].tolist()  # a setting has one size in all seeds
    ratios = [_second_over_start(difference, start) for difference, start in zip(differences, eps, strict=True)]
    factor = torch.tensor(ratios, dtype=first.dtype, device=first.device)[:, None, None]
    return [first / factor, second * factor]


def _common_size(gram: Tensor) -> Tensor:
    """The number that each Gram matrix is times the identity, shape (seed, setting)."""
    size = gram.diagonal(dim1=-2, dim2=-1).mean(-1)
    rest = gram - size[..., None, None] * torch.eye(gram.shape[-1], dtype=gram.dtype, device=gram.device)
    if torch.any(rest.abs().amax((-2, -1)) > 1e-5 * size):
        raise ValueError("layers must have hidden directions of one size, as orthogonal layers do; got different ones.")
    return size


def _second_over_start(difference: float, eps: float) -> float:
    """b / sqrt(eps) for b² - a² = difference and a b = eps."""
    larger = sqrt((abs(difference) + hypot(difference, 2 * eps)) / 2)
    return larger / sqrt(eps) if difference >= 0 else sqrt(eps) / larger
