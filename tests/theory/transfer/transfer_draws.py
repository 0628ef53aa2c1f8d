"""Tasks of given strengths and similarities, drawn with NumPy alone."""

import numpy as np


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
