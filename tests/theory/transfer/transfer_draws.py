"""Monte Carlo of transfer: tasks drawn with NumPy alone, exact learning curves of students aligned with their data."""

import numpy as np
from generalization_draws import growth


def pair(q, rank_a=1, rank_b=1):
    """Gram matrix of the input modes of two tasks."""
    similarity = np.broadcast_to(np.asarray(q, dtype=float), (rank_a, rank_b))
    return np.block([[np.eye(rank_a), similarity], [similarity.T, np.eye(rank_b)]])


def equal_overlaps(q, n_tasks):
    """Gram matrix of rank-one tasks that all overlap alike."""
    return q * np.ones((n_tasks, n_tasks)) + (1 - q) * np.eye(n_tasks)


def draw_teachers(rng, tasks, gram, n_outputs, n_inputs):
    """One map per task, with independent output modes and input modes of the given Gram matrix."""
    ranks = [len(values) for values in tasks]
    values, vectors = np.linalg.eigh(gram)
    root = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
    right = np.split(np.linalg.qr(rng.standard_normal((n_inputs, sum(ranks))))[0] @ root, np.cumsum(ranks)[:-1], axis=1)
    left = [np.linalg.qr(rng.standard_normal((n_outputs, rank)))[0] for rank in ranks]
    return [u * s @ v.T for u, s, v in zip(left, tasks, right, strict=True)]


def draw_data(rng, tasks, gram, n_outputs, n_inputs):
    """Stacked teachers and stacked data."""
    clean = np.concatenate(draw_teachers(rng, tasks, gram, n_outputs, n_inputs))
    return clean, clean + rng.standard_normal(clean.shape) / np.sqrt(n_inputs)


def head_curve(t, clean, data, rows, eps):
    """Test error over time on the outputs `rows` of an aligned student of all of the data."""
    left, s, right = np.linalg.svd(data, full_matrices=False)
    x = growth(t[:, None], s, eps)
    share = np.sum(left[rows] ** 2, axis=0)
    alignment = np.sum(left[rows] * (clean[rows] @ right.T), axis=0)
    energy = np.sum(clean[rows] ** 2)
    return (np.sum(x**2 * share - 2 * x * alignment, axis=1) + energy) / energy


def paired_curves(rng, t, tasks, gram, n_outputs, n_inputs, n_seeds, eps=1e-3, head=0):
    """Test error (seed, time) of one task, learned alone and as a head, on the same data."""
    rows, alone, joint = slice(head * n_outputs, (head + 1) * n_outputs), [], []
    for _ in range(n_seeds):
        clean, data = draw_data(rng, tasks, gram, n_outputs, n_inputs)
        alone.append(head_curve(t, clean[rows], data[rows], slice(None), eps))
        joint.append(head_curve(t, clean, data, rows, eps))
    return np.array(alone), np.array(joint)


def benefit(alone, joint):
    """Difference of the minima of the two mean curves, and its standard error at these times."""
    difference = alone[:, np.argmin(alone.mean(axis=0))] - joint[:, np.argmin(joint.mean(axis=0))]
    return difference.mean(), difference.std(ddof=1) / np.sqrt(len(difference))
