"""Test error of one head, written out term by term in the singular value and integrated with SciPy."""

import numpy as np
from mode_growth import growth
from scipy.integrate import quad


def stacked_modes(tasks, gram, head):
    """Singular values of the stacked teacher, from its own decomposition, and shares of the left modes on the head."""
    ranks = [len(values) for values in tasks]
    right = np.linalg.cholesky(gram)
    left, strengths, _ = np.linalg.svd(np.concatenate(tasks)[:, None] * right)
    ends = np.cumsum([0, *ranks])
    return strengths, np.sum(left[ends[head] : ends[head + 1]] ** 2, axis=0)


def noise_density(s, a):
    return np.sqrt(max(4 * a - (s**2 - 1 - a) ** 2, 0)) / (np.pi * a * s)


def outlier_laws(sigma, a):
    """Singular value of the data and squared overlaps, left and right; the edge and none below threshold."""
    if sigma**4 <= a:
        return 1 + np.sqrt(a), 0.0, 0.0
    s_hat = np.sqrt((1 + sigma**2) * (a + sigma**2)) / sigma
    excess = sigma**4 - a
    return s_hat, excess / (sigma**2 * (sigma**2 + a)), excess / (sigma**2 * (sigma**2 + 1))


def noise_integral(func, a):
    return quad(func, abs(1 - np.sqrt(a)), 1 + np.sqrt(a), epsabs=1e-13, epsrel=1e-11, limit=400)[0]


def displacement(func, strengths, a):
    """Shift of the sum of `func` over the noise modes, from means over the angle of the law."""
    phi = (np.arange(20000) + 0.5) * np.pi / 20000
    values = func(np.sqrt(1 + a + 2 * np.sqrt(a) * np.cos(phi)))
    plain = values.mean()
    shift = (func(abs(1 - np.sqrt(a))) + func(1 + np.sqrt(a))) / 4 - plain / 2
    for sigma in strengths:
        r = sigma**2 / np.sqrt(a)
        rho = min(r, 1 / r)
        pulled = np.mean(values * (1 - rho**2) / (1 - 2 * rho * np.cos(phi) + rho**2))
        shift += (pulled if r <= 1 else -pulled) / 2 - plain / 2
    return shift


def written_error(t, tasks, gram, aspect, n_outputs, eps, head, order):
    """At one time, for a composite without modes of strength zero."""
    n_heads, n_inputs = len(tasks), n_outputs / aspect
    a = n_heads * aspect
    strengths, weights = stacked_modes(tasks, gram, head)

    def energy(s):
        return growth(t, s, eps) ** 2

    total = 0.0
    for sigma, p2 in zip(strengths, weights, strict=True):
        s_hat, left, right = outlier_laws(sigma, a)
        if order == 0 or sigma**4 > a:
            x = growth(t, s_hat, eps)
            total += x**2 * (p2 * left + (1 - left) / n_heads) - 2 * x * sigma * p2 * np.sqrt(left * right)
        if order == 1:
            star = (1 + sigma**2) * (a + sigma**2) / sigma**2
            total += noise_integral(lambda s: _overlap_terms(s, t, eps, sigma, p2, n_heads, a, star), a)  # noqa: B023
    if order == 0:
        n_noise = min(n_heads * n_outputs, n_inputs) - len(strengths)
        total += n_noise / n_heads * max(1, a) * noise_integral(lambda s: energy(s) * noise_density(s, a), a)
    else:
        total += n_outputs * noise_integral(lambda s: energy(s) * noise_density(s, a), a)
        total += displacement(energy, strengths, a) / n_heads
    norm = np.sum(np.square(tasks[head]))
    return (total + norm) / norm


def _overlap_terms(s, t, eps, sigma, p2, n_heads, a, star):
    x, density = growth(t, s, eps), noise_density(s, a)
    left = (1 + sigma**2) * a / (sigma**2 * (star - s**2))
    return (p2 - 1 / n_heads) * x**2 * (left - 1) * density - 2 * p2 * x * a * s * density / (star - s**2)
