"""Monte Carlo of aligned students: exact learning curves on data sets drawn with NumPy alone."""

import numpy as np


def growth(t, s, eps):
    """Logistic growth of a mode with target `s` from `eps`, in units of the time constant."""
    s = np.maximum(s, 1e-200)  # a mode without target decays as one with a tiny one
    return s / (-np.expm1(-2 * s * t) + s / eps * np.exp(-2 * s * t))


def _orthonormal(rng, n_rows, n_cols):
    return np.linalg.qr(rng.standard_normal((n_rows, n_cols)))[0]


def _teacher(rng, values, n_outputs, n_inputs):
    return _orthonormal(rng, n_outputs, len(values)) * values @ _orthonormal(rng, n_inputs, len(values)).T


def error_curves(rng, t, teacher, n_outputs, n_inputs, n_seeds, eps, n_hidden=None):
    """Train and test error of aligned students on orthonormal inputs, each (seed, time)."""
    rank = min(n_outputs, n_inputs) if n_hidden is None else n_hidden
    energy = np.sum(np.square(teacher))
    train, test = [], []
    for _ in range(n_seeds):
        clean = _teacher(rng, teacher, n_outputs, n_inputs)
        data = clean + rng.standard_normal(clean.shape) / np.sqrt(n_inputs)
        left, s, right = np.linalg.svd(data, full_matrices=False)
        x = growth(t[:, None], s, eps)
        x[:, rank:] = 0
        overlap = np.sum(left * (clean @ right.T), axis=0)
        train.append(np.sum((x - s) ** 2, axis=1) / np.sum(s**2))
        test.append((np.sum(x**2 - 2 * x * overlap, axis=1) + energy) / energy)
    return np.array(train), np.array(test)


def example_curves(rng, t, teacher, n_outputs, n_inputs, n_examples, n_seeds, eps):
    """Test error (seed, time) of aligned students of full rank that see `n_examples` white inputs."""
    density = n_examples / n_inputs
    energy = np.sum(np.square(teacher))
    rank, learned = min(n_outputs, n_inputs), min(n_outputs, n_inputs, n_examples)
    curves = []
    for _ in range(n_seeds):
        clean = _teacher(rng, teacher, n_outputs, n_inputs)
        if density < 1:
            inputs = _orthonormal(rng, n_inputs, n_examples)
        else:
            inputs = np.sqrt(density) * _orthonormal(rng, n_examples, n_inputs).T
        outputs = clean @ inputs + rng.standard_normal((n_outputs, n_examples)) / np.sqrt(n_inputs)
        left, s, right = np.linalg.svd(outputs @ inputs.T)
        # dx/dt = 2 x (s - v x) with the input variance v = max(density, 1); modes without data do not move.
        variance = max(density, 1.0)
        x = np.full((t.size, rank), eps)
        x[:, :learned] = growth(variance * t[:, None], s[:learned] / variance, eps)
        overlap = np.sum(left[:, :rank] * (clean @ right[:rank].T), axis=0)
        curves.append((np.sum(x**2 - 2 * x * overlap, axis=1) + energy) / energy)
    return np.array(curves)


def mean_and_error(samples):
    """Mean over the first axis and its standard error."""
    return samples.mean(axis=0), samples.std(axis=0, ddof=1) / np.sqrt(len(samples))


def largest_deviation(samples, theory):
    """Largest |log10| of the mean over `theory`."""
    return np.max(np.abs(np.log10(samples.mean(axis=0) / theory)))
