r"""Deep linear networks as lists of weight matrices: the composite map and the direction of steepest descent.

A network is a list of tensors, first layer first; layer :math:`l` has shape (..., n_l, n_{l-1}) and every leading axis
is a batch axis.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from mtlbook_lib.simulation.linear._steepest import Steepest


def composite(layers: Sequence[Tensor]) -> Tensor:
    r"""Composite map :math:`W = W_D \cdots W_2 W_1` of a deep linear network.

    Parameters
    ----------
    layers : sequence of Tensor, shapes (..., n_l, n_{l-1})
        Weight matrices, first layer first; the leading axes broadcast.

    Returns
    -------
    Tensor, shape (..., n_out, n_in)
    """
    product = layers[0]
    for layer in layers[1:]:
        product = layer @ product
    return product


def descent_direction(
    layers: Sequence[Tensor],
    training: Tensor,
    covariance: Tensor | None = None,
    variances: Tensor | None = None,
    out: Sequence[Tensor] | None = None,
) -> list[Tensor]:
    r"""Minus the gradient of half the sum of squared errors, for every layer.

    .. math::
        -\frac{\partial}{\partial W_l} \tfrac12 \sum_\mu |y^\mu - W x^\mu|^2
        = (W_D \cdots W_{l+1})^T (\Sigma_{31} - W \Sigma_{11}) (W_{l-1} \cdots W_1)^T

    with :math:`\Sigma_{31} = \sum_\mu y^\mu x^{\mu T}` and :math:`\Sigma_{11} = \sum_\mu x^\mu x^{\mu T}`.

    Source: Lampinen & Ganguli (2019), eq. 8, with :math:`\Sigma_{11}` where the print repeats :math:`\Sigma_{31}`.

    Parameters
    ----------
    layers : sequence of Tensor, shapes (n_nets, n_l, n_{l-1})
        Weight matrices, first layer first.
    training : Tensor, shape (n_nets, n_out, n_in)
        :math:`\Sigma_{31}`.
    covariance : Tensor, shape (n_in, n_in) or (n_nets, n_in, n_in), optional
        :math:`\Sigma_{11}`; identity by default.
    variances : Tensor, shape (n_nets, 1, n_in), optional
        Diagonal of :math:`\Sigma_{11}`, in place of `covariance`, where it has no other entries.
    out : sequence of Tensor, optional
        Where to write the directions, contiguous tensors of the layers' shapes; new ones by default.

    Returns
    -------
    list of Tensor
        One tensor per layer, of the layer's shape.
    """
    places = [torch.empty_like(layer) for layer in layers] if out is None else list(out)
    Steepest(layers, training, covariance, variances)(places)
    return places
