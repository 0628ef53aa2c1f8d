"""Gradient descent of two-layer diagonal networks at a fixed rate, as one would write it without this library."""

from collections.abc import Sequence
from time import process_time

import numpy as np

from mtlbook_lib.simulation.diagonal import Weights

Data = tuple[np.ndarray, np.ndarray]  # inputs (n, D) that all networks share, targets (network, n)
LOOK = 100  # steps between two looks at the loss


def largest_curvature(inputs: Sequence[np.ndarray], weights: Weights) -> np.ndarray:
    """Upper end of the curvature of the mean squared errors at weights that fit, (network,); exact for one task."""
    energy = np.stack([weights.u_plus**2 + weights.u_minus**2], axis=2) + weights.v_plus**2 + weights.v_minus**2
    return np.array([
        max(2 * np.linalg.norm(x * np.sqrt(e), 2) ** 2 / len(x) for x, e in zip(inputs, network, strict=True))
        for network in energy[0]
    ])  # fmt: skip


class Descent:
    """Networks of one seed that share their inputs, each with its own rate, as (pathway, network, ...) arrays."""

    def __init__(self, weights: Weights, tasks: Sequence[Data], rate: np.ndarray):
        self.first = np.stack([weights.u_plus[0], weights.u_minus[0]])
        self.second = np.stack([weights.v_plus[0], -weights.v_minus[0]])
        self.tasks, self.rate = list(tasks), rate
        # With more examples than inputs the products of the inputs take fewer operations.
        self.products = [(2 * y @ x / len(x), 2 * x.T @ x / len(x)) for x, y in tasks]

    @property
    def beta(self) -> np.ndarray:
        """Coefficients (network, task, D)."""
        return (self.first[:, :, None] * self.second).sum(axis=0)

    def loss(self) -> np.ndarray:
        """Sum over tasks of mean squared errors, (network,)."""
        beta = self.beta
        return sum(np.mean((beta[:, o] @ x.T - y) ** 2, axis=1) for o, (x, y) in enumerate(self.tasks))

    def step(self) -> None:
        beta = self.beta
        pulls = np.stack([self._pull(o, beta[:, o]) for o in range(len(self.tasks))], axis=1)
        pulls *= self.rate[:, None, None]
        turned = self.first + (pulls * self.second).sum(axis=2)
        self.second += pulls * self.first[:, :, None]
        self.first = turned

    def _pull(self, task: int, beta: np.ndarray) -> np.ndarray:
        (x, y), (answer, square) = self.tasks[task], self.products[task]
        if len(x) < x.shape[1]:
            return (y - beta @ x.T) @ x * (2 / len(x))
        return answer - beta @ square

    def keep(self, chosen: np.ndarray) -> None:
        """Go on with some of the networks."""
        self.first, self.second, self.rate = self.first[:, chosen], self.second[:, chosen], self.rate[chosen]
        self.tasks = [(x, y[chosen]) for x, y in self.tasks]
        self.products = [(answer[chosen], square) for answer, square in self.products]


def by_descent(weights: Weights, data: Data, rate: np.ndarray, tolerance: float) -> np.ndarray:
    """Coefficients (network, D) when the mean squared error is at the tolerance; FloatingPointError where it grows."""
    descent = Descent(weights, [data], rate)
    going, ends = np.arange(len(rate)), np.empty(weights.u_plus[0].shape)
    with np.errstate(over="raise", invalid="raise"):
        while going.size:
            for _ in range(LOOK):
                descent.step()
            done = descent.loss() <= tolerance
            ends[going[done]] = descent.beta[done, 0]
            descent.keep(~done)
            going = going[~done]
    return ends


def seconds_of_a_step(weights: Weights, tasks: Sequence[Data], rate: np.ndarray) -> float:
    """CPU seconds of one step of all networks together."""
    descent = Descent(weights, tasks, rate)
    start = process_time()
    for _ in range(LOOK):
        descent.step()
    descent.loss()
    return (process_time() - start) / LOOK
