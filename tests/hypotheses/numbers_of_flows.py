"""What the tests of hypotheses share: small flows, small draws. Each test drops one hypothesis of one theorem."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def flow(force: Callable[[Array], Array], start: Array, time: float, steps: int = 400) -> Array:
    """Where the flow along `force` is after a time: Runge and Kutta's method of order four."""
    x, h = np.array(start, dtype=float), time / steps
    for _ in range(steps):
        a = force(x)
        b = force(x + h / 2 * a)
        c = force(x + h / 2 * b)
        x = x + h / 6 * (a + 2 * b + 2 * c + force(x + h * c))
    return x


def frame(rng: np.random.Generator, rows: int, columns: int) -> Array:
    """Orthonormal columns in uniformly random position."""
    q, r = np.linalg.qr(rng.normal(size=(rows, columns)))
    return np.asarray(q * np.sign(np.diag(r)))


def teacher(rng: np.random.Generator, rows: int, columns: int, strengths: Sequence[float]) -> Array:
    """A map with the given singular values and random vectors."""
    k = len(strengths)
    return np.asarray(frame(rng, rows, k) * np.asarray(strengths) @ frame(rng, columns, k).T)


def layers_flow(
    first: Array, second: Array, target: Array, inputs: Array, time: float, steps: int = 400
) -> tuple[Array, Array]:
    """Both layers after gradient flow on the squared error with the covariances `target` and `inputs`."""
    hidden, n = first.shape
    cut = hidden * n

    def force(x: Array) -> Array:
        w1, w2 = x[:cut].reshape(hidden, n), x[cut:].reshape(len(target), hidden)
        rest = target - w2 @ w1 @ inputs
        return np.concatenate([(w2.T @ rest).ravel(), (rest @ w1.T).ravel()])

    end = flow(force, np.concatenate([first.ravel(), second.ravel()]), time, steps)
    return end[:cut].reshape(hidden, n), end[cut:].reshape(len(target), hidden)


def softmax(z: Array) -> Array:
    """Probabilities of the last axis."""
    p = np.exp(z - z.max(axis=-1, keepdims=True))
    return np.asarray(p / p.sum(axis=-1, keepdims=True))
