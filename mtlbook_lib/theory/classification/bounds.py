"""Bounds of the benefit of a second task from the convexity of the loss in the composite map."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, bounded, short


def benefit_bounds(
    w_single: ArrayLike,
    w_multi: ArrayLike,
    label_covariance: ArrayLike,
    softmax_covariance: Callable[[Array], ArrayLike],
) -> tuple[FloatOrArray, FloatOrArray]:
    r"""Lower and upper bound of the loss of one map minus the loss of another.

    .. math::
        \mathrm{tr}[D^T(\bar S - S(W_M))] \le E(W_S) - E(W_M) \le \mathrm{tr}[D^T(\bar S - S(W_S))], \qquad D = W_M -
        W_S

    Source: Lee & Ndirango (2019), eqs. 22–25; exact for any inputs and any depth. Eq. 5 is the upper bound for rank
    one: a positive upper bound does not show a benefit, only a positive lower one does.

    Parameters
    ----------
    w_single, w_multi : array_like, shape (..., k, d)
        Composite maps of the student of one task, :math:`W_S`, and of the student of two, :math:`W_M`. Leading axes
        are pairs side by side.
    label_covariance : array_like, shape (..., k, d)
        :math:`\bar S = E[y\,x^T]` of the labels on which the loss is measured; its leading axes broadcast.
    softmax_covariance : callable
        Takes the maps W (..., k, d) to :math:`S(W) = E[\mathrm{softmax}(Wx)\,x^T]` (..., k, d), over the same inputs.

    Returns
    -------
    lower, upper : float or ndarray, shape (...) (nats)

    Examples
    --------
    With :math:`S(W) = W` the loss is :math:`|W|^2/2 - \operatorname{tr} \bar S^T W`, and the difference 1:

    >>> benefit_bounds([[1.0], [-1.0]], [[2.0], [-2.0]], [[2.0], [-2.0]], lambda w: w)
    (0.0, 2.0)
    """
    single, multi = _maps("w_single", w_single), _maps("w_multi", w_multi)
    labels = _maps("label_covariance", label_covariance)
    if not callable(softmax_covariance):
        raise TypeError(f"softmax_covariance must be callable; got {short(softmax_covariance)}.")
    outputs = [_maps("softmax_covariance(W)", softmax_covariance(w)) for w in (multi, single)]
    for name, matrix in [("w_multi", multi), *(("softmax_covariance(W)", each) for each in outputs)]:
        if matrix.shape != single.shape:
            raise ValueError(f"{name} must have the shape of w_single, {single.shape}; got {matrix.shape}.")
    if labels.ndim > single.ndim or not _fits(labels.shape, single.shape):
        raise ValueError(f"label_covariance must have the shape of w_single, {single.shape}; got {labels.shape}.")
    sums = [np.sum((multi - single) * (labels - softmax), axis=(-2, -1)) for softmax in outputs]
    lower, upper = (float(bound) if bound.ndim == 0 else bound for bound in sums)
    return lower, upper


def _maps(name: str, value: ArrayLike) -> Array:
    maps = bounded(name, value)
    if maps.ndim < 2:
        raise ValueError(f"{name} must have at least 2 axes, (..., k, d); got shape {maps.shape}.")
    return maps


def _fits(shape: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    """Whether the last two axes are the same and the leading ones are, or are 1."""
    leading = zip(shape[-3::-1], whole[-3::-1], strict=False)
    return shape[-2:] == whole[-2:] and all(n in (1, wanted) for n, wanted in leading)
