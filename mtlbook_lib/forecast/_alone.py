r"""A Gaussian process for one task, with the noise and the scale that its evidence prefers.

.. math:: y \sim N\big(0, a (K + \mathbf 1 \mathbf 1^T + \tau I)\big), \qquad
    \hat a(\tau) = \frac1n\, y^T (K + \mathbf 1 \mathbf 1^T + \tau I)^{-1} y

The ones are an intercept whose prior variance is that of the function.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from mtlbook_lib._checks import Array

NOISES = np.logspace(-2, 2, 9)  # noise variance over the mean prior variance of the function
INTERCEPT = 1.0


@dataclass(frozen=True)
class Alone:
    r"""One task's process: factor :math:`L` of its covariance over its scale, and labels :math:`L^{-1} y/\sqrt a`."""

    factor: Array
    whitened: Array
    scale: float
    noise: float

    def whiten(self, columns: Array) -> Array:
        """The inverse of the factor, times the columns."""
        return np.asarray(solve_triangular(self.factor, columns, lower=True))

    def left_out(self) -> Array:
        r"""Errors of predicting each label from all the others: :math:`(M^{-1} y)_i / (M^{-1})_{ii}`."""
        inverse = self.whiten(np.eye(len(self.factor)))
        precision = np.square(inverse).sum(axis=0)
        return np.asarray(np.sqrt(self.scale) * (inverse.T @ self.whitened) / precision)


def fit_alone(gram: Array, labels: Array) -> Alone:
    """The process of highest evidence on the grid of noises; `gram` holds the kernel of the task's rows."""
    n = len(labels)
    values, axes = np.linalg.eigh(gram + INTERCEPT)
    values, squares = np.maximum(values, 0.0), np.square(axes.T @ labels)
    spectra = values + NOISES[:, None]
    scales = (squares / spectra).mean(axis=1)
    best = int(np.argmin(np.log(spectra).sum(axis=1) + n * np.log(scales)))
    noise, scale = float(NOISES[best]), float(scales[best])
    factor = np.asarray(np.linalg.cholesky(gram + INTERCEPT + noise * np.eye(n)), dtype=np.float64)
    whitened = solve_triangular(factor, labels / np.sqrt(scale), lower=True)
    return Alone(factor, np.asarray(whitened), scale, noise)
