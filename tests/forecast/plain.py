"""The two-task process written out with full covariance matrices: the second route to what the library computes."""

import numpy as np
from scipy.stats import multivariate_normal

NOISES = 10.0 ** np.arange(-2, 2.5, 0.5)


def kernel(rows, left, right):
    centre = rows.mean(axis=0)
    size = np.mean(np.sum((rows - centre) ** 2, axis=1))
    found = np.empty((len(left), len(right)))
    for i, x in enumerate(left - centre):
        for j, z in enumerate(right - centre):
            angle = np.arccos(np.clip(x @ z / (np.linalg.norm(x) * np.linalg.norm(z)), -1, 1))
            relu = np.linalg.norm(x) * np.linalg.norm(z) * (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / np.pi
            found[i, j] = (x @ z + relu) / (2 * size)
    return found


def single(gram, y):
    """Noise and scale of highest evidence, the scale found by a search instead of the closed form."""
    best = (-np.inf, 0.0, 0.0)
    for noise in NOISES:
        cov = gram + 1 + noise * np.eye(len(y))
        # The closed form's neighbourhood: a grid fine enough to bracket the maximum.
        start = y @ np.linalg.solve(cov, y) / len(y)
        for scale in start * np.array([0.9, 1.0, 1.1]):
            value = multivariate_normal.logpdf(y, cov=scale * cov)
            best = max(best, (value, noise, scale))
    return best[1:]


def standard(y):
    return (y - y.mean()) / y.std()


def covariance(x_a, y_a, x_b, y_b, rho):
    """Covariance of all standardised labels, task a first, and the noise-free one of task a with all."""
    rows = np.concatenate([x_a, x_b])
    gram = kernel(rows, rows, rows)
    n = len(x_a)
    (noise_a, scale_a), (noise_b, scale_b) = single(gram[:n, :n], standard(y_a)), single(gram[n:, n:], standard(y_b))
    same = np.zeros_like(gram)
    same[:n, :n] = same[n:, n:] = 1
    amplitude = np.sqrt(np.concatenate([np.full(n, scale_a), np.full(len(x_b), scale_b)]))
    latent = (np.where(same > 0, gram + 1, rho * gram)) * np.outer(amplitude, amplitude)
    noise = np.diag(np.concatenate([np.full(n, noise_a * scale_a), np.full(len(x_b), noise_b * scale_b)]))
    return latent + noise, latent, scale_a


def log_evidence(x_a, y_a, x_b, y_b, rho):
    labels = np.concatenate([standard(y_a), standard(y_b)])
    return multivariate_normal.logpdf(labels, cov=covariance(x_a, y_a, x_b, y_b, rho)[0])
