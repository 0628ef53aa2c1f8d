r"""Gradient flow of training-aligned students in the singular vectors of their data, where every layer is diagonal.

Orthogonal changes of coordinates leave the equations of all layers as they are. In the singular vectors of the data,
and the hidden axes that the start connects with them, an aligned student is diagonal and stays so. The flow is then one
of `depth` numbers for each mode; the integrator takes the steps that it takes on the full matrices.
"""

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib.simulation.engine import DormandPrince, Field, Slope, State, device, to_numpy
from mtlbook_lib.simulation.linear.gradient_flow import sample_times

_MAX_STEPS = 10_000
_LARGEST = 100.0  # value, variance and depth: beyond them a flow would take more steps than that
_GROUP = 256  # runs whose numbers stay in the cache


def mode_strengths(
    values: ArrayLike, times: ArrayLike, eps: float, *, depth: int = 2, variances: ArrayLike = 1.0, rtol: float = 1e-7
) -> Array:
    r"""Strengths of the modes of aligned students, from the flow of their layers.

    .. math:: \frac{da_l}{dt} = (s - \sigma^2\, a_1 \cdots a_D) \prod_{k \ne l} a_k, \qquad a_l(0) = \epsilon^{1/D}

    Parameters
    ----------
    values : array_like, shape (..., mode)
        Singular values :math:`s` of the data's input-output covariance, >= 0, of the modes that the student has.
    times : array_like, shape (n_times,)
        Increasing times >= 0, in units of the time constant.
    eps : float
        Strength of every mode at the start, > 0.
    depth : int
        Number of layers :math:`D`, >= 2.
    variances : array_like, broadcast against `values`
        Variance :math:`\sigma^2` of the inputs along each mode, >= 0.
    rtol : float
        Error allowed per step relative to the norm of each layer, as in ``gradient_flow.integrate``.

    Returns
    -------
    ndarray, shape (..., n_times, mode)
        The strengths :math:`a_1 \cdots a_D`.
    """
    modes, samples = _checks.within("values", values, 0, _LARGEST), sample_times(times)
    order = _checks.count("depth", depth, minimum=2)
    tolerance = _checks.scalar("rtol", _checks.within("rtol", rtol, 1e-13, 1.0))
    start = _checks.scalar("eps", _checks.within("eps", eps, 1e-12, 1.0)) ** (1 / order)
    spread = _checks.within("variances", variances, 0, _LARGEST)
    if modes.size == 0 or modes.ndim == 0 or spread.ndim > modes.ndim or order > _LARGEST:
        raise ValueError(
            f"values must have an axis for the modes, variances no more axes, depth be at most {_LARGEST:g}."
        )
    both = _checks.broadcast(values=modes, variances=spread)
    if both[0].shape != modes.shape:
        raise ValueError(f"variances must broadcast to the shape of values, {modes.shape}; got {spread.shape}.")
    flat = (x.reshape(-1, modes.shape[-1]) for x in both)
    goal, variance = (torch.tensor(x, device=device()) for x in flat)
    layers = [torch.full_like(goal, start) for _ in range(order)]
    stepper = DormandPrince(_field(goal, variance), layers, tolerance, _MAX_STEPS, _GROUP)
    out = np.empty((samples.size, *goal.shape))
    for moment, strengths in zip(samples, out, strict=True):
        stepper.reach(moment)
        if not bool(stepper.reached(moment).all()):
            raise ValueError(f"times must be within {_MAX_STEPS} steps of a finite flow; got {moment:g}.")
        strengths[:] = to_numpy(torch.stack(stepper.at(moment)).prod(dim=0))
    return np.moveaxis(out.reshape(samples.size, *modes.shape), 0, -2)


def _field(target: Tensor, variance: Tensor) -> Field:
    def field(runs: Tensor, layers: State) -> Slope:
        goal, size = target[runs], variance[runs]

        def slope(places: State) -> None:
            missing = goal - size * torch.stack(layers).prod(dim=0)
            for index, place in enumerate(places):
                others = torch.stack([layer for k, layer in enumerate(layers) if k != index])
                torch.mul(missing, others.prod(dim=0), out=place)

        return slope

    return field
