"""Two-layer students of which one layer starts larger than the other, with the same composite map."""

from collections.abc import Sequence

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib.simulation.engine import networks

_ROUNDING = 1e-5  # of layers that were drawn in single precision


def imbalanced(layers: Sequence[Tensor], imbalance: ArrayLike) -> list[Tensor]:
    r"""The two layers of a balanced student, rescaled so that their Gram matrices differ by a multiple of the identity.

    .. math:: W_2^T W_2 - W_1 W_1^T = \lambda I, \qquad W_2 W_1 \text{ as before}

    Parameters
    ----------
    layers : sequence of two Tensors, shapes (seed, setting, output, input)
        As ``students.aligned`` and ``students.orthogonal`` give them: all hidden directions of a setting have one size.
    imbalance : array_like, scalar or shape (setting,)
        :math:`\lambda`; positive makes the second layer the larger one.

    Raises
    ------
    ValueError
        If there are not two layers, the hidden directions of a layer differ in size (also where the hidden layer is
        wider than the inputs or the outputs), the layers are not balanced, or `imbalance` does not fit the settings.
    """
    nets = networks(layers)
    if len(nets.layers) != 2:
        raise ValueError(f"layers must be the two layers of a student; got {len(nets.layers)}.")
    first, second = (nets.unfold(layer) for layer in nets.layers)
    eps, other = _common_size(first @ first.mT), _common_size(second.mT @ second)
    if torch.any((eps - other).abs() > _ROUNDING * eps):
        raise ValueError("layers must be balanced: both layers of the same size; got different ones.")
    wanted = _checks.bounded("imbalance", imbalance)
    if wanted.shape not in ((), nets.shape[1:]):
        raise ValueError(f"imbalance must be one number or {nets.shape[1]}, one for each setting; got {wanted.shape}.")
    size = torch.as_tensor(wanted, dtype=nets.dtype, device=nets.device).expand(eps.shape)
    # a and b with b² - a² = size and a b = eps; the larger is a sum, the smaller a quotient: no digit is lost.
    larger = ((size.abs() + torch.hypot(size, 2 * eps)) / 2).sqrt()
    factor = torch.where(size < 0, eps.sqrt() / larger, larger / eps.sqrt())[..., None, None]
    return [first / factor, second * factor]


def _common_size(gram: Tensor) -> Tensor:
    """The number that each Gram matrix is times the identity, shape (seed, setting)."""
    size = gram.diagonal(dim1=-2, dim2=-1).mean(-1)
    rest = gram - size[..., None, None] * torch.eye(gram.shape[-1], dtype=gram.dtype, device=gram.device)
    if torch.any(rest.abs().amax((-2, -1)) > _ROUNDING * size):
        raise ValueError("layers must have hidden directions of one size, as orthogonal layers do; got different ones.")
    return size
