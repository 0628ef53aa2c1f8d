r"""A two-layer linear network with one output, whose head reads features of all inputs: :math:`f(x) = v^\top W x`.

.. math:: L = \frac1n \sum_i \left(v^\top W x_i - y_i\right)^2

Each entry of the head v serves every input that its feature, a row of W, looks at. In a diagonal network an input has
an entry of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import Array, bounded, count, in_scale, instance, nonnegative, one_of, real_array, scalar
from mtlbook_lib._fields import Checked
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import DormandPrince, Slope, paired, to_numpy, to_tensor

_GROUP = 64  # networks whose numbers stay in the cache during a step


@dataclass(frozen=True)
class HeadNetworks(Checked, gaps=True):
    """Weights of networks with first axes (seed, setting).

    Attributes
    ----------
    features : ndarray, shape (seed, setting, k, d)
        First layer W.
    head : ndarray, shape (seed, setting, k)
        Readout v.
    """

    _axes = ("features: seed setting unit input", "head: seed setting unit")

    features: Array
    head: Array

    @property
    def beta(self) -> Array:
        """Coefficients of the inputs, (seed, setting, d)."""
        return np.asarray(np.einsum("stk,stkd->std", self.head, self.features))


def head_networks(features: ArrayLike, head: ArrayLike) -> HeadNetworks:
    """Networks with given weights; the first two axes of both broadcast.

    Parameters
    ----------
    features : array_like, shape (seed or 1, setting or 1, k, d)
    head : array_like, shape (seed or 1, setting or 1, k)
    """
    first = bounded("features", features, lambda name, value: real_array(name, value, ndim=4))
    second = bounded("head", head, lambda name, value: real_array(name, value, ndim=3))
    fits = first.size and second.size and second.shape[2] == first.shape[2]
    if not fits or any(1 not in (a, b) and a != b for a, b in zip(first.shape[:2], second.shape[:2], strict=True)):
        raise ValueError(
            "features must have shape (seed, setting, k, d) and head (seed, setting, k), none of them 0; "
            f"got {first.shape} and {second.shape}."
        )
    batch = np.broadcast_shapes(first.shape[:2], second.shape[:2])
    return HeadNetworks(
        np.array(np.broadcast_to(first, (*batch, *first.shape[2:]))),
        np.array(np.broadcast_to(second, (*batch, second.shape[2]))),
    )


@suited
def head_flow(
    networks: HeadNetworks,
    inputs: ArrayLike,
    labels: ArrayLike,
    time: float,
    layers: str = "both",
    rtol: float = 1e-7,
    max_steps: int = 100_000,
) -> tuple[HeadNetworks, Array]:
    r"""Gradient flow of both layers, or of the head alone, for a given time.

    .. math:: \dot v = W g, \qquad \dot W = v g^\top, \qquad g = \tfrac2n \sum_i \left(y_i - v^\top W x_i\right) x_i

    Parameters
    ----------
    networks : HeadNetworks
        Where to start.
    inputs : array_like, shape (seed or 1, setting or 1, n, d)
    labels : array_like, shape (seed or 1, setting or 1, n)
    time : float
        Time of training, >= 0, at unit rate.
    layers : {"both", "readout"}
        What is trained.
    rtol : float
        Largest error of a step relative to the norm of each layer.
    max_steps : int
        Steps after which a run ends.

    Returns
    -------
    networks : HeadNetworks
    loss : ndarray, shape (seed, setting)
        Mean squared error at the end.

    Raises
    ------
    ValueError
        If a run does not get to the time in so many steps.
    """
    start = instance("networks", networks, HeadNetworks)
    end, limit = scalar("time", time, nonnegative), count("max_steps", max_steps)
    accuracy = scalar("rtol", rtol, in_scale)
    trained = one_of("layers", layers, ("both", "readout")) == "both"
    x, y = (to_tensor(part).flatten(0, 1) for part in paired(inputs, labels, start.features.shape))
    state = [to_tensor(part).flatten(0, 1).contiguous() for part in (start.features, start.head)]
    method = DormandPrince(_field(x, y, trained), state, accuracy, limit, _GROUP)
    method.reach(end)
    if not bool(method.reached(end).all()):
        raise ValueError(
            f"time must be within reach of max_steps = {limit} steps of error rtol = {accuracy:g}; got time {end:g}."
        )
    first, second = method.at(end)
    loss = _residual(first, second, x, y).square().mean(dim=1)
    shape = start.features.shape[:2]
    parts = (to_numpy(part).reshape(*shape, *part.shape[1:]) for part in (first, second))
    return HeadNetworks(*parts), to_numpy(loss).reshape(shape)


def _residual(first: Tensor, second: Tensor, x: Tensor, y: Tensor) -> Tensor:
    beta = torch.bmm(second[:, None], first)
    return y - torch.bmm(x, beta.mT)[..., 0]


def _field(inputs: Tensor, labels: Tensor, trained: bool) -> Any:
    """Slopes of both layers for any of the runs; those of a frozen first layer are zero."""

    def field(runs: Tensor, state: list[Tensor]) -> Slope:
        x, y = inputs[runs], labels[runs]

        def slope(out: list[Tensor]) -> None:
            first, second = state
            pull = 2 / y.shape[1] * torch.bmm(_residual(first, second, x, y)[:, None], x)
            torch.bmm(first, pull.mT, out=out[1][..., None])
            if trained:
                torch.bmm(second[..., None], pull, out=out[0])
            else:
                out[0].zero_()

        return slope

    return field
