r"""Gradient descent on the layers of deep linear networks, in the two loss conventions of the literature."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor

from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import (
    Steps,
    Trajectory,
    in_place,
    networks,
    regression,
    run_descent,
)
from mtlbook_lib.simulation.linear._steepest import Steepest
from mtlbook_lib.simulation.linear.networks import composite


@suited
def descend(
    layers: Sequence[Any],
    training: Any,
    lr: float,
    n_steps: int,
    *,
    loss: str = "half",
    covariance: Any = None,
    record_every: int = 1,
    observe: Mapping[str, Callable[[Tensor], Tensor]] | None = None,
) -> Trajectory:
    r"""Full-batch gradient descent on a batch of deep linear networks.

    .. math:: W_l \leftarrow W_l + \eta g\,(W_D \cdots W_{l+1})^T (\Sigma_{31} - W \Sigma_{11})
              (W_{l-1} \cdots W_1)^T, \qquad g = 1 \text{ (half)},\ 2 \text{ (full)}

    Parameters
    ----------
    layers, training
        As for ``integrate``.
    lr : float
        Learning rate :math:`\eta`, > 0.
    n_steps : int
        Number of steps, >= 1.
    loss : str
        "half" (half the sum of squared errors) or "full" (the sum itself).
    covariance : Tensor or array, shape (n_in, n_in) or (seed, setting, n_in, n_in), optional
        Input covariance :math:`\Sigma_{11}`; the leading axes may be 1. Identity by default.
    record_every : int
        Steps between samples, >= 1; start and end are always sampled.
    observe : dict of callables, optional
        Each maps the composite maps (seed, setting, n_out, n_in) to a Tensor of shape (seed, setting, ...).

    Returns
    -------
    Trajectory
        Its times are in units of `time_constant`, so that gradient flow is the limit of small steps.
    """
    nets = networks(layers)
    problem = regression(nets, training, covariance)

    def rule(group: slice, weights: list[Tensor], rate: float) -> Steps:
        # The equations are homogeneous: in this unit of the weights, and its power for the maps, the rate is 1.
        unit = rate ** (-0.5 / (len(weights) - 1))
        target, spread = problem(group)
        target = target / unit ** len(weights)
        return in_place(weights, lambda at, out: Steepest(at, target, spread).into(out), unit)

    def maps(weights: list[Tensor]) -> Tensor:
        return nets.unfold(composite(weights))

    return run_descent(nets, rule, maps, lr, n_steps, loss, record_every, observe)
