"""A Gaussian process of two tasks at the one correlation of most evidence: a rival of the average over correlations."""

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from mtlbook_lib._checks import Array

NOISES = np.logspace(-2, 2, 9)  # noise variance over the mean prior variance of the function
CORRELATIONS = np.linspace(-0.97, 0.97, 195)


def process(a: tuple[Array, Array], b: tuple[Array, Array], new: Array) -> Array:
    r"""Labels of task a at new rows.

    Labels of mean 0 and variance 1 have, over the scale that each task's own evidence prefers, the covariance

    .. math:: \begin{pmatrix} M_a & \rho K_{ab}\\ \rho K_{ab}^T & M_b \end{pmatrix}, \qquad
        M_t = K_t + \mathbf 1 \mathbf 1^T + \tau_t I = L_t L_t^T .

    With the singular values :math:`\sigma_i` of :math:`L_a^{-1} K_{ab} L_b^{-T}`, and whitened labels
    :math:`\alpha_i, \beta_i` along its singular vectors, the log evidence at :math:`\rho` is over that at 0

    .. math:: -\frac12 \sum_i \left[\log(1 - \rho^2\sigma_i^2)
        + \frac{\rho^2 \sigma_i^2 (\alpha_i^2 + \beta_i^2) - 2 \rho \sigma_i \alpha_i \beta_i}
        {1 - \rho^2 \sigma_i^2}\right] .
    """
    rows, tables = np.concatenate([a[0], b[0]]), (a, b)
    (factor_a, white_a, scale), (factor_b, white_b, _) = (_alone(kernel(x, x, rows), y) for x, y in tables)
    half = solve_triangular(factor_a, kernel(a[0], b[0], rows), lower=True)
    left, singular, right = np.linalg.svd(solve_triangular(factor_b, half.T, lower=True).T, full_matrices=False)
    alpha, beta = left.T @ white_a, right @ white_b
    shared = CORRELATIONS[:, None] * singular
    misfit = (shared**2 * (alpha**2 + beta**2) - 2 * shared * alpha * beta) / (1 - shared**2)
    best = int(np.argmax(-(np.log(1 - shared**2) + misfit).sum(axis=1)))
    rho, shared = float(CORRELATIONS[best]), shared[best]
    own = white_a + left @ ((alpha - shared * beta) / (1 - shared**2) - alpha)
    other = white_b + right.T @ ((beta - shared * alpha) / (1 - shared**2) - beta)
    said = solve_triangular(factor_a, kernel(a[0], new, rows) + 1, lower=True).T @ own
    said += rho * (solve_triangular(factor_b, kernel(b[0], new, rows), lower=True).T @ other)
    return np.asarray(a[1].mean() + a[1].std() * np.sqrt(scale) * said)


def kernel(left: Array, right: Array, rows: Array) -> Array:
    """Half linear, half that of an endlessly wide ReLU layer (Cho & Saul 2009), of diagonal 1 in the mean over rows."""
    x, z = left - rows.mean(axis=0), right - rows.mean(axis=0)
    linear, size = x @ z.T, np.square(rows - rows.mean(axis=0)).sum(axis=1).mean()
    norms = np.sqrt(np.outer(np.square(x).sum(axis=1), np.square(z).sum(axis=1)))
    cosine = np.clip(np.divide(linear, norms, out=np.zeros_like(linear), where=norms > 0), -1.0, 1.0)
    angle = np.arccos(cosine)
    return np.asarray((linear + norms / np.pi * (np.sin(angle) + (np.pi - angle) * cosine)) / (2 * size))


def _alone(gram: Array, numbers: Array) -> tuple[Array, Array, float]:
    """Factor of a task's covariance over its scale, its labels whitened, and the scale, at the likeliest noise."""
    labels = (numbers - numbers.mean()) / numbers.std()
    values, axes = np.linalg.eigh(gram + 1)
    spectra = np.maximum(values, 0.0) + NOISES[:, None]
    scales = (np.square(axes.T @ labels) / spectra).mean(axis=1)
    best = int(np.argmin(np.log(spectra).sum(axis=1) + len(labels) * np.log(scales)))
    factor = np.asarray(cholesky(gram + 1 + NOISES[best] * np.eye(len(labels)), lower=True))
    return factor, solve_triangular(factor, labels / np.sqrt(scales[best]), lower=True), float(scales[best])
