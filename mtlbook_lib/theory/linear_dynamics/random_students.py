"""Random two-layer students: the delay with which they learn what an aligned student learns, in closed form."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import FloatOrArray, in_scale, like_input, whole


def effective_initial_scale(eps: ArrayLike, n_inputs: int, n_hidden: int, n_outputs: int) -> FloatOrArray:
    r"""Initial strength of the aligned two-layer student that a random one of scale `eps` is equivalent to.

    .. math:: \varepsilon_{\mathrm{eff}} = \frac{\varepsilon}{4}
              \left[\min\!\left(1, \frac{N_2}{N_1}\right) + \min\!\left(1, \frac{N_2}{N_3}\right)\right]

    with :math:`N_1, N_2, N_3` inputs, hidden units and outputs: the share of a mode's growing direction, half input
    and half output vector, that a random hidden layer carries.

    Source: beyond Lampinen & Ganguli (2019); see the chapter "Students that start at random". Leading order for small
    `eps` and wide layers.

    Parameters
    ----------
    eps : array_like
        Singular value of the composite map at the start, > 0; each layer is ``sqrt(eps)`` times a random matrix with
        orthonormal rows or columns, whichever fit.
    n_inputs, n_hidden, n_outputs : int
        Layer sizes, >= 1. A hidden layer wider than a side carries that side completely.

    Examples
    --------
    >>> round(effective_initial_scale(0.01, 100, 50, 50), 6)
    0.00375
    """
    return like_input(in_scale("eps", eps) * _carried_share(n_inputs, n_hidden, n_outputs))


def random_student_delay(
    s_hat: ArrayLike, n_inputs: int, n_hidden: int, n_outputs: int, order: int = 0
) -> FloatOrArray:
    r"""Time by which a random two-layer student learns a mode later than an aligned one of the same initial scale.

    .. math:: \Delta t = \frac{1}{2\hat s} \ln \frac{4}{\min(1, N_2/N_1) + \min(1, N_2/N_3)}

    Order 1 adds, with :math:`p_1` and :math:`p_3` for the two minima, what the mean of a logarithm over starts is more
    than the logarithm of the mean:

    .. math:: \frac{1}{2\hat s N_2}\, \frac{p_1^2 (1 - p_1) + p_3^2 (1 - p_3) + 2 p_1 p_3}{(p_1 + p_3)^2}

    Source: beyond Lampinen & Ganguli (2019); see the chapter "Students that start at random". It does not depend on the
    initial scale (leading order for small scales, and in one over the hidden width).

    Parameters
    ----------
    s_hat : array_like
        Singular value of the training map, > 0 (dimensionless).
    n_inputs, n_hidden, n_outputs : int
        Layer sizes, >= 1. A hidden layer wider than a side carries that side completely.
    order : int
        0 for the delay of an average start, 1 for the mean delay to the next order in one over `n_hidden`.

    Examples
    --------
    >>> round(random_student_delay(2.0, 100, 50, 50), 3)
    0.245
    """
    share = _carried_share(n_inputs, n_hidden, n_outputs)
    if whole("order", order, minimum=0) > 1:
        raise ValueError(f"order must be 0 or 1; got {order}.")
    later = -np.log(share)
    if order:
        p1, p3 = min(1.0, n_hidden / n_inputs), min(1.0, n_hidden / n_outputs)
        later += (p1**2 * (1 - p1) + p3**2 * (1 - p3) + 2 * p1 * p3) / (p1 + p3) ** 2 / n_hidden
    return like_input(later / (2.0 * in_scale("s_hat", s_hat)))


def _carried_share(n_inputs: int, n_hidden: int, n_outputs: int) -> float:
    inputs, hidden, outputs = whole("n_inputs", n_inputs), whole("n_hidden", n_hidden), whole("n_outputs", n_outputs)
    return (min(1.0, hidden / inputs) + min(1.0, hidden / outputs)) / 4.0
