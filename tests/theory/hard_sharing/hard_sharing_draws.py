"""Tasks for the tests, and slow second routes that share no code with the library."""

import numpy as np


def tasks(seed, sizes, n_inputs, noise=1.0, condition=1.0):
    """Random tasks; the inputs' columns are rotated and stretched by up to `condition`."""
    rng = np.random.default_rng(seed)
    xs, ys = [], []
    for size in sizes:
        rotation = np.linalg.qr(rng.normal(size=(n_inputs, n_inputs)))[0]
        x = rng.normal(size=(size, n_inputs)) * np.logspace(0, np.log10(condition), n_inputs) @ rotation
        xs.append(x)
        ys.append(x @ rng.normal(size=n_inputs) + noise * rng.normal(size=size))
    return xs, ys


def equal_covariances(seed, n_tasks, n_inputs, scales=None):
    """Tasks with different inputs of the same covariance up to scale."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n_inputs, n_inputs)) + np.eye(n_inputs)
    scales = np.ones(n_tasks) if scales is None else scales
    frames = [np.linalg.qr(rng.normal(size=(n_inputs + 3 + i, n_inputs)))[0] for i in range(n_tasks)]
    xs = [np.sqrt(scale) * frame @ root for scale, frame in zip(scales, frames, strict=True)]
    return xs, [x @ rng.normal(size=n_inputs) + rng.normal(size=len(x)) for x in xs]


def explained(xs, ys, b):
    """The energy that one direction explains, task by task."""
    return sum(float((x @ b @ y) ** 2 / (x @ b @ x @ b)) for x, y in zip(xs, ys, strict=True))


def alternated(xs, ys, starts, steps=300):
    """Largest energy that alternating least squares over heads and direction reaches."""
    covariances, products = [x.T @ x for x in xs], [x.T @ y for x, y in zip(xs, ys, strict=True)]
    best = 0.0
    for b in starts:
        for _ in range(steps):
            heads = [p @ b / (b @ s @ b) for p, s in zip(products, covariances, strict=True)]
            total = sum(a**2 * s for a, s in zip(heads, covariances, strict=True))
            b = np.linalg.solve(total, sum(a * p for a, p in zip(heads, products, strict=True)))
        best = max(best, explained(xs, ys, b))
    return best


def stationary_values(xs, ys):
    """Energy at every real stationary point of the rational function of t = A_2/A_1, and at its ends.

    For full column rank. The numerator and denominator are interpolated as polynomials, the roots are companion
    eigenvalues: good to some six digits in few dimensions.
    """
    (s1, s2), (b1, b2) = [x.T @ x for x in xs], [x.T @ y for x, y in zip(xs, ys, strict=True)]
    size = len(b1)
    nodes = np.cos(np.pi * (np.arange(2 * size + 1) + 0.5) / (2 * size + 1))

    def energy(c, s):
        vector = c * b1 + s * b2
        return float(vector @ np.linalg.solve(c**2 * s1 + s**2 * s2, vector))

    def polynomial(values, points):
        return np.polynomial.Polynomial.fit(points, values, 2 * size, domain=[-1, 1])

    found = [energy(1.0, 0.0), energy(0.0, 1.0)]
    for swap in (False, True):  # |t| <= 1, then 1/|t| <= 1
        pairs = [(u, 1.0) if swap else (1.0, u) for u in nodes]
        dets = [np.linalg.det(c**2 * s1 + s**2 * s2) for c, s in pairs]
        bottom = polynomial(dets, nodes)
        top = polynomial([energy(*pair) * det for pair, det in zip(pairs, dets, strict=True)], nodes)
        roots = (top.deriv() * bottom - top * bottom.deriv()).roots()
        real = roots.real[(np.abs(roots.imag) < 1e-4) & (np.abs(roots.real) <= 1.01)]
        found += [energy(u, 1.0) if swap else energy(1.0, u) for u in real]
    return np.array(found)


def covariance(seed, size, condition):
    """A random covariance of given condition number."""
    rotation = np.linalg.qr(np.random.default_rng(seed).normal(size=(size, size)))[0]
    return rotation @ np.diag(np.logspace(0, np.log10(condition), size)) @ rotation.T
