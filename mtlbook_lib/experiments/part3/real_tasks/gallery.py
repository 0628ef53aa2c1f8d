"""What a student sees of a digit: the pixels, the pixels turned, and the white inputs drawn as pixels."""

from __future__ import annotations

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data import digit_tasks, real
from mtlbook_lib.methods.task_estimate import white_inputs


def gallery(n: int = 360, n_axes: int = 40) -> dict[str, Array]:
    """The first image of each digit among the first `n`, each kind of shape (10, 64), scaled to its own range."""
    task = real.digits()
    images, first = task.inputs[:n], [int(np.argmax(task.labels[:n] == digit)) for digit in range(10)]
    frame = real.whitener(images)
    axes = frame.matrix[:, :n_axes] / np.linalg.norm(frame.matrix[:, :n_axes], axis=0)
    white = white_inputs(frame.apply(images)[:, :n_axes]) @ axes.T
    kinds = {"upright": images, "turned": digit_tasks.turn(images), "white": white}
    return {name: _scaled(rows[first]) for name, rows in kinds.items()}


def _scaled(rows: Array) -> Array:
    low, high = rows.min(axis=1, keepdims=True), rows.max(axis=1, keepdims=True)
    return np.asarray((rows - low) / (high - low))
