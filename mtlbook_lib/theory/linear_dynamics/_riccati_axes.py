r"""Eigenvectors of the matrix F that drives both layers of a two-layer linear network.

In the singular vectors (v, u) of the data, F is a block :math:`\begin{pmatrix} -\lambda/2 & s \\ s & \lambda/2
\end{pmatrix}` for each singular value s, :math:`-\lambda/2` for the other inputs and :math:`\lambda/2` for the other
outputs.
"""

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array


@dataclass(frozen=True)
class Axes:
    """Eigenvectors (c v; d u), (d v; -c u), (v; 0) and (0; u) of F, and their eigenvalues as a column."""

    c: Array
    d: Array
    rates: Array
    n_inputs: int

    def rotate_in(self, inputs: Array, outputs: Array) -> Array:
        """Coordinates in the eigenvectors of what has the given coordinates in v and in u."""
        batch = np.broadcast_shapes(inputs.shape[:-2], outputs.shape[:-2], self.rates.shape[:-2])
        inputs = np.broadcast_to(inputs, batch + inputs.shape[-2:])
        outputs = np.broadcast_to(outputs, batch + outputs.shape[-2:])
        rank = self.c.shape[-2]
        a, b = inputs[..., :rank, :], outputs[..., :rank, :]
        pairs = [self.c * a + self.d * b, self.d * a - self.c * b]
        return np.concatenate([*pairs, inputs[..., rank:, :], outputs[..., rank:, :]], axis=-2)

    def rotate_out(self, state: Array) -> tuple[Array, Array]:
        """Inverse of ``rotate_in``: coordinates in v and in u."""
        rank = self.c.shape[-2]
        plus, minus, end = state[..., :rank, :], state[..., rank : 2 * rank, :], rank + self.n_inputs
        inputs = np.concatenate([self.c * plus + self.d * minus, state[..., 2 * rank : end, :]], axis=-2)
        outputs = np.concatenate([self.d * plus - self.c * minus, state[..., end:, :]], axis=-2)
        return inputs, outputs


def eigenvectors(values: Array, imbalance: Array, n_inputs: int, n_outputs: int) -> Axes:
    """Axes for singular values (..., rank) and imbalances (...)."""
    strength, half = np.broadcast_arrays(values, np.asarray(imbalance)[..., None] / 2)
    radius, small, large = components(strength, np.abs(half))
    c, d = np.where(half < 0, large, small), np.where(half < 0, small, large)
    rank, lone = strength.shape[-1], half[..., :1]
    rest = [np.repeat(sign * lone, size - rank, axis=-1) for sign, size in ((-1, n_inputs), (1, n_outputs))]
    rates = np.concatenate([radius, -radius, *rest], axis=-1)
    return Axes(c[..., None], d[..., None], rates[..., None], n_inputs)


def components(strength: Array, half: Array) -> tuple[Array, Array, Array]:
    """The rate of a block with imbalance 2 x `half` >= 0, and the two components of its growing eigenvector."""
    radius = np.hypot(strength, half)
    still = radius == 0.0
    large = np.sqrt((1.0 + half / np.where(still, 1.0, radius)) / 2.0)
    # From the product of both: the difference of their squares would lose what a strong imbalance leaves.
    small = np.where(still, large, strength / np.where(still, 1.0, 2.0 * radius * large))
    return radius, small, large
