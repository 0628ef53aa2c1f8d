r"""Deep linear networks as lists of weight matrices: their composite map.

A network is a list of tensors, first layer first; layer :math:`l` has shape (..., output, input) and every leading axis
is a batch axis.
"""

from collections.abc import Sequence

from torch import Tensor


def composite(layers: Sequence[Tensor]) -> Tensor:
    r"""Composite map :math:`W = W_D \cdots W_2 W_1` of a deep linear network.

    Parameters
    ----------
    layers : sequence of Tensor, shapes (..., output, input)
        Weight matrices, first layer first; the leading axes broadcast.

    Returns
    -------
    Tensor, shape (..., n_out, n_in)
    """
    product = layers[0]
    for layer in layers[1:]:
        product = layer @ product
    return product
