"""Noise by its resolvent: averages over the Marchenko–Pastur law without a formula of the library."""

import numpy as np


def bulk_grid(aspect, n=20_000):
    """Singular values of the bulk at the midpoints of n angles, and the mass of each."""
    low, high = (1 - np.sqrt(aspect)) ** 2, (1 + np.sqrt(aspect)) ** 2
    angle = (np.arange(n) + 0.5) * np.pi / n
    square = (low + high) / 2 - (high - low) / 2 * np.cos(angle)
    mass = np.sin(angle) * np.sqrt((high - square) * (square - low)) / square
    return np.sqrt(square), mass / mass.sum()


def resolvents(z, aspect):
    """Diagonal entries of the resolvent of noise [[0, Z], [Z^T, 0]] on the sides of rows and columns."""
    square = np.asarray(z, dtype=complex) ** 2
    low, high = (1 - np.sqrt(aspect)) ** 2, (1 + np.sqrt(aspect)) ** 2
    root = np.sqrt(square - low) * np.sqrt(square - high)
    rows = (square - (1 - aspect) - root) / (2 * aspect * square)
    return z * rows, z * (aspect * rows + (1 - aspect) / square)


def first_order(func, teacher, aspect):
    """O(1) shift of a sum of func over the bulk: spacing of real noise, and the determinant that a teacher adds."""
    low, high = 1 - np.sqrt(aspect), 1 + np.sqrt(aspect)
    s, _ = bulk_grid(aspect)
    angle = np.arange(s.size + 1) * np.pi / s.size
    ends = np.sqrt((low**2 + high**2) / 2 - (high**2 - low**2) / 2 * np.cos(angle))
    rows, columns = resolvents(ends + 1e-12j, aspect)
    total = (func(low) + func(high)) / 4 - func(s).mean() / 2
    for strength in teacher:
        count = -np.unwrap(np.angle(1 - strength**2 * rows * columns)) / np.pi
        total += func(s) @ np.diff(count)
    return total


def hidden_overlap(s, strength, aspect):
    """Density of the signed overlap of the bulk with one teacher mode: the pole's share of the resolvent."""
    rows, columns = resolvents(s + 1e-12j, aspect)
    product = rows * columns
    return -2 / np.pi * (strength * product / (1 - strength**2 * product)).imag
