"""The equations of the learning curves as they are written, by adaptive quadrature: the second route of the tests."""

import numpy as np
from mode_growth import growth
from scipy.integrate import quad
from scipy.optimize import brentq


def ends(aspect):
    return abs(1 - np.sqrt(aspect)), 1 + np.sqrt(aspect)


def singular_value(phi, aspect):
    return np.hypot(1 - np.sqrt(aspect), 2 * aspect**0.25 * np.cos(phi / 2))


def angle(s, aspect):
    return np.arccos(np.clip((s**2 - 1 - aspect) / 2 / np.sqrt(aspect), -1, 1))


def integral(func, aspect, lower, upper):
    """Integral of func(s) against the Marchenko–Pastur density as printed, by adaptive quadrature in the angle."""

    def integrand(phi):
        # s² = 1 + A + 2 sqrt(A) cos(phi): the density's root is 2 sqrt(A) sin(phi), and s ds = sqrt(A) sin(phi) dphi.
        s = singular_value(phi, aspect)
        return func(s) * 2 / np.pi * (np.sin(phi) / s) ** 2

    return quad(integrand, angle(upper, aspect), angle(lower, aspect), epsabs=1e-14, epsrel=1e-13, limit=400)[0]


def cut_off(aspect, share):
    """Singular value with the given share of the noise modes above it, by root finding on the quadrature."""
    lower, upper = ends(aspect)
    if share >= 1:
        return lower
    if share <= 0:
        return upper
    return brentq(lambda c: integral(lambda s: 1.0, aspect, c, upper) - share, lower, upper, xtol=1e-14, rtol=1e-14)


def outlier_modes(teacher, aspect):
    """Data singular values and overlaps as printed; the edge and no overlap below threshold."""
    s = np.asarray(teacher)
    above = s**4 > aspect
    s_hat = np.where(above, np.sqrt((1 + s**2) * (aspect + s**2)) / s, ends(aspect)[1])
    return s_hat, np.where(above, (s**4 - aspect) / (s**2 * np.sqrt((s**2 + aspect) * (s**2 + 1))), 0.0)


def corrected_train(t, teacher, aspect, n_outputs, n_hidden, eps):
    n_bulk = n_outputs - len(teacher)
    lower, upper = ends(aspect)
    cut = cut_off(aspect, (min(n_hidden or n_outputs, n_outputs) - len(teacher)) / n_bulk)
    unlearned = integral(np.square, aspect, lower, cut)
    learned = integral(lambda s: (growth(t, s, eps) - s) ** 2, aspect, cut, upper)
    s_hat, _ = outlier_modes(teacher, aspect)
    outliers = np.sum((growth(t, s_hat, eps) - s_hat) ** 2)
    return (n_bulk * (unlearned + learned) + outliers) / (n_bulk + np.sum(s_hat**2))


def printed_test(t, teacher, aspect, n_outputs, n_hidden, eps):
    n_bulk, s = n_outputs - len(teacher), np.asarray(teacher)
    cut = cut_off(aspect, (min(n_hidden or n_outputs, n_outputs) - len(teacher)) / n_bulk)
    bulk = n_bulk * integral(lambda z: growth(t, z, eps) ** 2, aspect, cut, ends(aspect)[1])
    s_hat, overlap = outlier_modes(teacher, aspect)
    x = growth(t, s_hat, eps)
    return (bulk + np.sum((x - s) ** 2 + 2 * x * s * (1 - overlap))) / np.sum(s**2)


def shift(func, teacher, aspect, last=np.pi):
    """O(1) shift of a bulk sum of a function that vanishes at the angle `last`, with the resolvent's kernels."""

    def at(phi):
        return func(singular_value(phi, aspect))

    def density(phi):
        total = -1 / (2 * np.pi)
        for r in np.square(teacher) / np.sqrt(aspect):
            total += (r * np.cos(phi) - r**2) / (1 + r**2 - 2 * r * np.cos(phi)) / np.pi
        return total * at(phi)

    inner = [p for p in np.geomspace(1e-9, 1, 10) if p < last]
    integral = quad(density, 0, last, points=inner, epsabs=1e-13, epsrel=1e-13, limit=400)[0]
    return integral + (at(0.0) + (at(np.pi) if last == np.pi else 0.0)) / 4


def first_order_test(t, teacher, aspect, n_outputs, n_hidden, eps):
    s = np.asarray(teacher)
    outside = s[s**4 > aspect]
    n_learned = min(n_hidden or n_outputs, n_outputs) - outside.size
    upper = ends(aspect)[1]
    cut = cut_off(aspect, n_learned / (n_outputs - outside.size))
    energy_at_cut = growth(t, cut, eps) ** 2

    def above(z):
        return growth(t, z, eps) ** 2 - energy_at_cut

    bulk = (
        n_learned * energy_at_cut
        + n_outputs * integral(above, aspect, cut, upper)
        + shift(above, s, aspect, angle(cut, aspect))
    )
    for value in s:
        pole = (1 + value**2) * (aspect + value**2) / value**2
        bulk -= 2 * integral(lambda z, p=pole: aspect * z * growth(t, z, eps) / (p - z**2), aspect, cut, upper)
    s_hat, overlap = outlier_modes(outside, aspect)
    x = growth(t, s_hat, eps)
    return (bulk + np.sum(x**2 - 2 * x * outside * overlap) + np.sum(s**2)) / np.sum(s**2)
