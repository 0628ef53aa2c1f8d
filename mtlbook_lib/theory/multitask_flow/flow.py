"""Gradient flow of a diagonal network with several tasks, in rapidities that hold a start of any smallness."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import LSODA

from mtlbook_lib._checks import Array, positive, scalar, within
from mtlbook_lib.theory.multitask_flow.motion import Motion, Rapidities
from mtlbook_lib.theory.multitask_flow.problem import Problem, loss, problem

_RTOLS = (1e-12, 1e-2)
_MOST_STEPS = 20_000
_STRIDE = 5  # steps from one look at the loss to the next; divides both numbers of steps
_FURTHER_STEPS = 500  # once it has converged, towards the coefficients at which the flow ends
_ROUNDING = 1e-10  # part of a pull that leaves a line, in which tasks that have one differ by rounding
_FAR = 1e50  # beyond all rapidities: a trial step that runs away is rejected as long as its numbers are finite
_EXACT = 1e-22  # loss, relative to that of zero coefficients, at which rounding is all that is left


def group_flow(
    xs: Sequence[ArrayLike],
    ys: Sequence[ArrayLike],
    log_alpha: float,
    tol: float = 1e-10,
    max_time: float | None = None,
    rtol: float = 1e-10,
) -> tuple[Array, float, bool]:
    r"""Coefficients at which the gradient flow of a diagonal network on several tasks ends.

    With :math:`u = \alpha \cosh|q|` and :math:`v = \alpha \sinh|q|\, e`, :math:`e = q/|q|`, in both pathways (with
    opposite signs in the second), feature by feature,

    .. math:: \beta = \alpha^2 \sinh(2|q|)\, e, \qquad
              \dot q = (g \cdot e)\, e + |q| \coth|q|\, \bigl(g - (g \cdot e)\, e\bigr) ,

    where :math:`g_o = \tfrac{2}{n_o} X_o^T (y_o - X_o \beta_o)` is minus the gradient of the loss. Only
    :math:`\ln\alpha` enters, so that starts of :math:`e^{-1000}` are as good as others.

    Source: beyond Lindsey & Lippl (2023), who take the interpolator of least group norm for what training finds. The
    flow's equations are exact; they are integrated with a relative error of `rtol` a step, and of a hundredth of what
    tells the tasks apart. Tasks that differ by less than 1e-10, such as proportional labels on common inputs, are one.

    Parameters
    ----------
    xs : sequence of array_like, shapes (n_o, D)
        Inputs of each task; the numbers of samples may differ.
    ys : sequence of array_like, shapes (n_o,)
        Targets of each task.
    log_alpha : float
        Logarithm of the first layer's start :math:`\alpha`, in [-1e4, 10]; the readouts start at 0.
    tol : float, optional
        Loss at or below which the flow counts as converged, > 0. It then goes on for up to 500 steps, so that the
        coefficients are those of its end.
    max_time : float, optional
        Time at which it ends at the latest, > 0; it also ends after 20 000 steps. Time is that of
        :math:`\dot w = -\nabla_w L` with the loss :math:`L = \sum_o |y_o - X_o\beta_o|^2 / n_o`.
    rtol : float, optional
        Largest error of a step in the rapidities, relative and absolute, in [1e-12, 0.01]: a relative error of the
        coefficients. With 1e-5 the end is known to about that, in a quarter of the time.

    Returns
    -------
    betas : ndarray, shape (n_tasks, D)
    loss : float
        Sum over tasks of the mean squared errors of `betas`.
    converged : bool
        The loss has come to `tol`.

    Examples
    --------
    From a tiny start both tasks take the stronger feature alone:

    >>> xs, ys = [[[1.0, 2.0]], [[1.0, 2.0]]], [[2.0], [4.0]]
    >>> betas, loss, converged = group_flow(xs, ys, log_alpha=-20.0)
    >>> betas.round(3), converged
    (array([[0., 1.],
           [0., 2.]]), True)
    """
    tasks, logarithm = problem(xs, ys), scalar("log_alpha", log_alpha)
    within("log_alpha", logarithm, -1e4, 10.0)
    enough = scalar("tol", tol, positive)
    pull = tasks.pull(tasks.targets)
    # Far beyond what the last feature takes, and within what the integrator holds.
    end = (
        1e12 / max(float(np.max(np.abs(pull))), 1e-150) if max_time is None else scalar("max_time", max_time, positive)
    )
    exact = scalar("rtol", rtol, lambda name, value: within(name, value, *_RTOLS))
    lines, leaving = tasks.lines()
    if len(tasks.inputs) == 1 or leaving > _ROUNDING:
        # Steps must tell tasks from each other, which decides where rapidities pass near zero.
        betas, left = _followed(tasks, logarithm, enough, end, max(min(exact, leaving / 100), _RTOLS[0]))
    else:  # on lines they pass through it, and rounding would leave the lines there
        along, left = _followed(tasks.along(lines), logarithm, enough, end, exact)
        betas = lines * along
    return betas, left, left <= enough


def _followed(tasks: Problem, log_alpha: float, tol: float, end: float, rtol: float) -> tuple[Array, float]:
    def slope(_: float, flat: Array) -> Array:
        return motion(flat).slope.ravel()

    def jacobian(_: float, flat: Array) -> Array:
        return motion(flat).jacobian(curvatures).reshape(flat.size, flat.size)

    def motion(flat: Array) -> Motion:
        q = Rapidities.of(np.clip(flat, -_FAR, _FAR).reshape(tasks.shape), log_alpha)
        return Motion(q, tasks.loss_and_pull(q.betas)[1])

    curvatures = tasks.curvatures()

    def from_here(time: float, flat: Array) -> LSODA:
        return LSODA(slope, time, flat, end, rtol=rtol, atol=rtol, jac=jacobian)

    stepper = from_here(0.0, np.zeros(tasks.shape).ravel())
    exact, further = _EXACT * loss(tasks.targets), 0
    for taken in range(_MOST_STEPS + 1):
        if taken % _STRIDE == 0 or stepper.status != "running":  # a look takes as long as half a step
            betas = Rapidities.of(stepper.y.reshape(tasks.shape), log_alpha).betas
            left, _ = tasks.loss_and_pull(betas)
            further += _STRIDE * (left <= tol)
            if left <= exact or further > _FURTHER_STEPS or stepper.status != "running":
                break
        here = stepper.t, stepper.y.copy()
        stepper.step()
        if not np.isfinite(stepper.y).all():  # a trial step has overflowed: shorter ones
            stepper = from_here(*here)
    return betas, left
