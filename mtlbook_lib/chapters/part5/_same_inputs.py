"""Linear tasks on the same inputs, in as many dimensions as there are tasks."""

import numpy as np

from mtlbook_lib._checks import Array


def in_label_space(x: Array, y: Array) -> tuple[Array, Array, Array]:
    """The same problems in the coordinates that the labels reach, and the way back to models.

    Of an orthonormal basis of what the inputs reach, only a space of k dimensions has labels, and models live in it:
    problems of k inputs instead of d have the same losses, and the same models times the matrix that comes last.

    Inputs `x` (..., m, d) have full column rank, m at least d + k; labels `y` (..., m, k) have a column a task, at most
    d of them. What comes back are inputs and labels, each (..., 2 k, k), and the lift, (..., d, k).
    """
    d, k = x.shape[-1], y.shape[-1]
    triangle = np.asarray(np.linalg.qr(np.concatenate([x, y], axis=-1), mode="r"))
    basis, reached = np.linalg.qr(triangle[..., :d, d:])
    inputs = np.broadcast_to(np.eye(2 * k, k), (*x.shape[:-2], 2 * k, k))
    labels = np.concatenate([reached, triangle[..., d:, d:]], axis=-2)
    return inputs, labels, np.linalg.solve(triangle[..., :d, :d], basis)
