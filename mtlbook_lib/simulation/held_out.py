"""Modes of an input-output map, found on some rows of a data set and measured again on the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.spectra import svd


@dataclass(frozen=True)
class HeldOutModes:
    r"""Singular modes of a regression map in the units in which unit output noise has entry variance 1/columns.

    Attributes
    ----------
    values : ndarray, shape (k,)
        Singular values :math:`\hat s` on the training rows.
    projections : ndarray, shape (k,)
        :math:`\hat u^T W \hat v` with the training modes and the map :math:`W` fitted on the held-out rows only.
    residual_scale : float
        Standard deviation of the training residuals, corrected for the fitted parameters.
    aspect : float
        Outputs/inputs of the map.
    """

    values: Array
    projections: Array
    residual_scale: float
    aspect: float


@suited
def held_out_modes(
    inputs: ArrayLike, targets: ArrayLike, new_inputs: ArrayLike, new_targets: ArrayLike
) -> HeldOutModes:
    r"""Least squares on white training rows, and the same modes measured on held-out rows.

    .. math:: \Sigma^{31} = \frac{Y^T X}{\sqrt{n d}}, \qquad
        W_{\text{new}} = \sqrt{n/d}\; Y_{\text{new}}^T X_{\text{new}} (X_{\text{new}}^T X_{\text{new}})^{-1}

    The held-out map shares no noise with the training modes, so a projection of it is an unbiased estimate of how much
    of a training mode is real.

    Parameters
    ----------
    inputs : array_like, shape (n, d)
        White, n > d + 1.
    targets : array_like, shape (n, k)
        Centred.
    new_inputs, new_targets : array_like, shapes (n', d) and (n', k)
        Held-out rows through the transforms fitted on the training rows, n' > d.
    """
    x, y = bounded("inputs", inputs, ndim=2), bounded("targets", targets, ndim=2)
    x_new, y_new = bounded("new_inputs", new_inputs, ndim=2), bounded("new_targets", new_targets, ndim=2)
    _check_rows(x, y, x_new, y_new)
    (n, d), scale = x.shape, np.sqrt(len(x) / x.shape[1])
    coefficients = y.T @ x / n
    residuals = y - x @ coefficients.T
    modes = svd(scale * coefficients)
    x_new, y_new = x_new - x_new.mean(axis=0), y_new - y_new.mean(axis=0)
    new_map = scale * np.linalg.lstsq(x_new, y_new, rcond=None)[0].T
    projections = np.einsum("ia,ij,ja->a", modes.left, new_map, modes.right)
    residual_scale = np.sqrt((residuals**2).sum() / ((n - d - 1) * y.shape[1]))
    return HeldOutModes(modes.values, projections, float(residual_scale), y.shape[1] / d)


def _check_rows(x: Array, y: Array, x_new: Array, y_new: Array) -> None:
    n, d = x.shape
    if n <= d + 1 or len(x_new) <= d:
        raise ValueError(f"inputs and new_inputs must have more rows than columns ({d}); got {n} and {len(x_new)}.")
    if len(y) != n or x_new.shape[1] != d or y_new.shape != (len(x_new), y.shape[1]):
        got = f"inputs {x.shape}, targets {y.shape}, new_inputs {x_new.shape}, new_targets {y_new.shape}"
        raise ValueError(f"targets and new_targets must match the inputs row by row; got {got}.")
    if np.abs(x.T @ x / n - np.eye(d)).max() > 1e-8:
        raise ValueError("inputs must be white (inputs.T @ inputs = n times the identity); whiten them first.")
