r"""How much of its width a diagonal network loses to steps of finite length on few examples."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import trapezoid

from mtlbook_lib._checks import Array, in_scale, scalar
from mtlbook_lib.theory.training_paths.squares import checked, flow_path


def width_loss(
    x: ArrayLike, y: ArrayLike, kappa: ArrayLike, start: ArrayLike, times: ArrayLike, batch: float | None = None
) -> Array:
    r"""Decrease of the logarithm of the width, for each unit of a small learning rate.

    .. math:: -\frac{1}{\eta}\log\frac{\kappa_T}{\kappa_0} \to \int_0^T \Big[ g^2 +
        \frac1b \Big( \frac1n \sum_i g_i^2 - g^2 \Big) \Big] dt, \qquad g_i = 2(y_i - x_i\cdot\beta)\,x_i, \quad
        g = \frac1n \sum_i g_i

    along gradient flow, for batches of b examples drawn with replacement: the quadratic variation of the steps.

    Source: Pesme et al. (2021) for batches of one; derived in the chapter from the exact
    :math:`\kappa_T = \kappa_0 \prod_t |1 - \eta^2 g_t^2|`. Goes beyond Lindsey & Lippl (2023).

    Parameters
    ----------
    x : array_like, shape (n, D)
        Inputs, one sample in a row; any n.
    y : array_like, shape (n,)
        Targets, noisy or not.
    kappa, start : array_like, shape (D,) or a number
        Widths, > 0, and coefficients before training.
    times : array_like, shape (T,)
        Increasing, >= 0; the integral goes from the first to the last by the trapezoidal rule.
    batch : float or None
        b > 0; None takes all examples at every step.

    Returns
    -------
    ndarray, shape (D,)

    Raises
    ------
    RuntimeError
        If the integration does not get to the last time.

    Examples
    --------
    Here the integral is :math:`\operatorname{asinh}(1) + 1 - \sqrt 2`:

    >>> width_loss([[1.0]], [1.0], 1.0, 0.0, np.linspace(0, 9, 2000)).round(3)
    array([0.467])
    """
    inputs, targets, width, first = checked(x, y, kappa, start)
    share = 0.0 if batch is None else 1 / scalar("batch", batch, in_scale)
    path = flow_path(inputs, targets, width, first, times)
    residual = 2 * (targets - path @ inputs.T)  # (T, n)
    mean = residual @ inputs / len(targets)
    squares = residual**2 @ inputs**2 / len(targets)
    return np.asarray(trapezoid(mean**2 + share * (squares - mean**2), np.asarray(times, dtype=float), axis=0))
