r"""A rival of the joint model: a Gaussian process of two tasks at the one correlation that their labels prefer.

.. math:: \begin{pmatrix} y_a\\ y_b\end{pmatrix} \sim N\left(0, \begin{pmatrix} M_a & \rho K_{ab}\\
    \rho K_{ab}^T & M_b \end{pmatrix}\right), \qquad M_t = K_t + \mathbf 1 \mathbf 1^T + \tau_t I

in units of the scale that each task's own evidence prefers, which also sets its noise :math:`\tau_t`. Kernel: half
linear, half of an endlessly wide ReLU layer (Cho & Saul 2009).
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular

from mtlbook_lib._checks import Array

NOISES = np.logspace(-2, 2, 9)  # noise variance over the mean prior variance of the function
CORRELATIONS = np.linspace(-0.97, 0.97, 195)  # 0 among them


def process_predictions(a: tuple[Array, Array], b: tuple[Array, Array], new: Array) -> Array:
    """Labels of a at new rows, from inputs and labels of both tasks."""
    rows = np.concatenate([a[0], b[0]])
    centre = rows.mean(axis=0)
    size = float(np.square(rows - centre).sum(axis=1).mean())

    def kernel(left: Array, right: Array) -> Array:
        return _kernel(left - centre, right - centre) / size

    (factor_a, labels_a, unit_a), (factor_b, labels_b, _) = (_alone(kernel(x, x), y) for x, y in (a, b))
    between = kernel(a[0], b[0])
    coupling = solve_triangular(factor_b, solve_triangular(factor_a, between, lower=True).T, lower=True).T
    left, singular, right = np.linalg.svd(coupling, full_matrices=False)
    alpha = left.T @ solve_triangular(factor_a, labels_a, lower=True)
    beta = right @ solve_triangular(factor_b, labels_b, lower=True)
    shared = CORRELATIONS[:, None] * singular
    misfit = (shared**2 * (alpha**2 + beta**2) - 2 * shared * alpha * beta) / (1 - shared**2)
    rho = CORRELATIONS[np.argmax(-(np.log(1 - shared**2) + misfit).sum(axis=1))]
    covariance = np.block([[factor_a @ factor_a.T, rho * between], [rho * between.T, factor_b @ factor_b.T]])
    weights = np.linalg.solve(covariance, np.concatenate([labels_a, labels_b]))
    cross = np.hstack([kernel(new, a[0]) + 1, rho * kernel(new, b[0])])
    return np.asarray(a[1].mean() + unit_a * (cross @ weights))


def _kernel(x: Array, z: Array) -> Array:
    linear, norms = x @ z.T, np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(z, axis=1))
    # At the centre itself the angle has no meaning, and the norm makes the value 0.
    angle = np.arccos(np.clip(np.divide(linear, norms, out=np.zeros_like(linear), where=norms > 0), -1.0, 1.0))
    return np.asarray((linear + norms / np.pi * (np.sin(angle) + (np.pi - angle) * np.cos(angle))) / 2)


def _alone(gram: Array, y: Array) -> tuple[Array, Array, float]:
    """Factor of a task's covariance, its labels in units of their scale, and that unit."""
    labels = (y - y.mean()) / y.std()
    values, axes = np.linalg.eigh(gram + 1)
    spectra = np.maximum(values, 0.0) + NOISES[:, None]
    scales = (np.square(axes.T @ labels) / spectra).mean(axis=1)
    best = int(np.argmin(np.log(spectra).sum(axis=1) + len(labels) * np.log(scales)))
    factor = np.asarray(np.linalg.cholesky(gram + 1 + NOISES[best] * np.eye(len(labels))))
    scale = np.sqrt(float(scales[best]))
    return factor, labels / scale, float(y.std() * scale)
