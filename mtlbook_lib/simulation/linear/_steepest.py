r"""The direction of steepest descent of deep linear networks, again and again for layers that change in place."""

from collections.abc import Sequence
from itertools import pairwise

from torch import Tensor

from mtlbook_lib.simulation.engine import (
    Calls,
    Matrices,
    array_view,
    empty,
    product,
    run_calls,
    scaled,
    subtract,
    subtract_product,
)


class Steepest:
    r"""Minus the gradient of half the sum of squared errors, of the layers as they are when it is asked.

    .. math::
        -\frac{\partial}{\partial W_l} \tfrac12 \sum_\mu |y^\mu - W x^\mu|^2
        = (W_D \cdots W_{l+1})^T (\Sigma_{31} - W \Sigma_{11}) (W_{l-1} \cdots W_1)^T

    with :math:`\Sigma_{31} = \sum_\mu y^\mu x^{\mu T}` and :math:`\Sigma_{11} = \sum_\mu x^\mu x^{\mu T}`. All products
    have memory of their own, because on small networks a new tensor costs as much as a product.

    Source: Lampinen & Ganguli (2019), eq. 8, with :math:`\Sigma_{11}` where the print repeats :math:`\Sigma_{31}`.

    Parameters
    ----------
    layers : sequence of Tensor, shapes (n_nets, output, input)
        Weight matrices, first layer first.
    training : Tensor, shape (n_nets, n_out, n_in)
        :math:`\Sigma_{31}`.
    covariance : Tensor, shape (n_in, n_in) or (n_nets, n_in, n_in), optional
        :math:`\Sigma_{11}`; identity by default.
    variances : Tensor, shape (n_nets, 1, n_in), optional
        Diagonal of :math:`\Sigma_{11}`, in place of `covariance`, where it has no other entries.
    """

    def __init__(
        self,
        layers: Sequence[Tensor],
        training: Tensor,
        covariance: Tensor | None = None,
        variances: Tensor | None = None,
    ):
        self._known: dict[int, tuple[Sequence[Tensor], Calls]] = {}
        self._layers = [array_view(layer) for layer in layers]
        first, n_inputs = self._layers[0], layers[0].shape[2]
        # Products of the layers up to each but the last, and the misfit on its way from the last layer to the first.
        self._below = [first, *(empty(first, len(w), w.shape[1], n_inputs) for w in self._layers[1:-1])]
        self._back = [empty(first, len(w), w.shape[1], n_inputs) for w in self._layers]
        self._forward = [
            call
            for layer, (under, place) in zip(self._layers[1:], pairwise(self._below), strict=False)
            for call in product(layer, under, place)
        ]
        self._forward += self._misfit(array_view(training), covariance, variances)

    def __call__(self, out: Sequence[Tensor]) -> None:
        """Write the direction to tensors of the layers' shapes; whoever asks again for the same list waits less."""
        if id(out) not in self._known:
            self._known[id(out)] = out, self.into(out)
        run_calls(self._known[id(out)][1])

    def into(self, out: Sequence[Tensor]) -> Calls:
        """Calls that write the direction to contiguous tensors of the layers' shapes."""
        out, calls, misfit = [array_view(place) for place in out], list(self._forward), self._back[-1]
        for index in range(len(self._layers) - 1, 0, -1):
            place = out[0] if index == 1 else self._back[index - 1]
            calls += product(misfit, self._below[index - 1].mT, out[index])
            calls += product(self._layers[index].mT, misfit, place)
            misfit = place
        return calls

    def _misfit(self, target: Matrices, covariance: Tensor | None, variances: Tensor | None) -> Calls:
        r""":math:`\Sigma_{31} - W \Sigma_{11}`."""
        last, under, place = self._layers[-1], self._below[-1], self._back[-1]
        if variances is not None:
            return [*product(last, under, place), *scaled(place, array_view(variances)), *subtract(target, place)]
        if covariance is None:
            return subtract_product(target, last, under, place)
        maps = empty(place, *place.shape)
        rows = (-1, place.shape[-1]) if covariance.ndim == 2 else place.shape  # one product if all share the inputs
        turned = product(maps.reshape(rows), array_view(covariance), place.reshape(rows))
        return [*product(last, under, maps), *turned, *subtract(target, place)]
