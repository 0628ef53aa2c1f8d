"""Bounds of the benefit of a second task from the convexity of the loss in the composite map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, real_array


def benefit_bounds(
    w_single: ArrayLike,
    w_multi: ArrayLike,
    label_covariance: ArrayLike,
    softmax_covariance: Callable[[Array], ArrayLike],
) -> tuple[float, float]:
    r"""Lower and upper bound of the loss of one map minus the loss of another.

    .. math::
        \mathrm{tr}[D^T(\bar S - S(W_M))] \le E(W_S) - E(W_M) \le \mathrm{tr}[D^T(\bar S - S(W_S))], \qquad D = W_M -
        W_S

    Source: Lee & Ndirango (2019), eqs. 22–25; exact for any inputs and any depth. Eq. 5 is the upper bound for rank
    one: a positive upper bound does not show a benefit, only a positive lower one does.

    Parameters
    ----------
    w_single, w_multi : array_like, shape (k, d)
        Composite maps of the student of one task, :math:`W_S`, and of the student of two, :math:`W_M`.
    label_covariance : array_like, shape (k, d)
        :math:`\bar S = E[y\,x^T]` of the labels on which the loss is measured.
    softmax_covariance : callable
        Takes a map W (k, d) to :math:`S(W) = E[\mathrm{softmax}(Wx)\,x^T]` (k, d), over the same inputs.

    Returns
    -------
    lower, upper : float (nats)
    """
    weights = {"w_single": w_single, "w_multi": w_multi}
    single, multi = (bounded(name, w, ndim=2) for name, w in weights.items())
    labels = bounded("label_covariance", label_covariance, ndim=2)
    if not callable(softmax_covariance):
        raise TypeError(f"softmax_covariance must be callable; got {softmax_covariance!r}.")
    outputs = [real_array("softmax_covariance(W)", softmax_covariance(w), ndim=2) for w in (multi, single)]
    named = [("w_multi", multi), ("label_covariance", labels), *(("softmax_covariance(W)", each) for each in outputs)]
    for name, matrix in named:
        if matrix.shape != single.shape:
            raise ValueError(f"{name} must have the shape of w_single, {single.shape}; got {matrix.shape}.")
    lower, upper = (float(np.sum((multi - single) * (labels - softmax))) for softmax in outputs)
    return lower, upper
