"""Two tasks with Gaussian inputs that share one direction: their errors for given heads, at large sizes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, broadcast, nonnegative, positive
from mtlbook_lib.theory.hard_sharing.equivalent import errors, occupancies
from mtlbook_lib.theory.hard_sharing.pencil import Pencil, make_covariance, make_pencil
from mtlbook_lib.theory.hard_sharing.tasks import make_vector

_NONE = 1e-12  # of the two shares of a direction: what counts as a direction that a task does not see


@dataclass(frozen=True)
class GaussianPair:
    """The tasks in the basis that diagonalises both covariances; n and sigma hold a row a case."""

    covariances: tuple[Array, Array]
    coefficients: tuple[Array, Array]
    pencil: Pencil
    n: Array  # (b, 2)
    sigma: Array  # (b, 2)

    @property
    def truths(self) -> Array:
        """True coefficients in the basis, shape (2, d), for unscaled inputs."""
        return np.stack(self.coefficients) @ self.pencil.inverse.T

    def errors(self, heads: Array) -> tuple[Array, Array]:
        """Excess risk of both tasks (b, 2) and loss on all training examples (b,) for heads (b, 2) other than zero."""
        mu, scales = self.pencil.mu, self.pencil.scales
        shares, logit = occupancies(mu, self.n, heads**2 * scales)
        difference = heads[:, 1:] * self.truths[0] - heads[:, :1] * self.truths[1]
        bias = np.column_stack([
            scales[0] * ((shares[1] * difference / heads[:, 1:]) ** 2 @ mu),
            scales[1] * ((shares[0] * difference / heads[:, :1]) ** 2 @ (1 - mu)),
        ])  # fmt: skip
        return errors(shares, logit, self.n, bias, self.sigma**2)

    def direction(self, heads: Array) -> Array:
        """Mean shared direction (b, d) for heads (b, 2)."""
        shares, _ = occupancies(self.pencil.mu, self.n, heads**2 * self.pencil.scales)
        fits = shares[0] * self.truths[0] / heads[:, :1] + shares[1] * self.truths[1] / heads[:, 1:]
        return np.asarray(fits @ self.pencil.basis.T)


def make_gaussian_pair(
    covariances: tuple[ArrayLike, ArrayLike],
    n: tuple[ArrayLike, ArrayLike],
    thetas: tuple[ArrayLike, ArrayLike],
    sigmas: tuple[ArrayLike, ArrayLike],
    ratio: ArrayLike,
) -> tuple[GaussianPair, Array]:
    """The checked tasks, and the ratios in the common shape of the numbers, noise levels and ratios."""
    first = make_covariance("cov1", covariances[0])
    second = make_covariance("cov2", covariances[1], len(first))
    coefficients = make_vector("theta1", thetas[0], len(first)), make_vector("theta2", thetas[1], len(first))
    n1, n2, sigma1, sigma2, t = broadcast(
        n1=positive("n1", n[0]),
        n2=positive("n2", n[1]),
        sigma1=nonnegative("sigma1", sigmas[0]),
        sigma2=nonnegative("sigma2", sigmas[1]),
        ratio=np.asarray(ratio, dtype=np.float64),
    )
    pencil = make_pencil(first, second, "cov1 and cov2")
    numbers = np.column_stack([n1.ravel(), n2.ravel()])
    _require_enough(pencil.mu, numbers)
    noise = np.column_stack([sigma1.ravel(), sigma2.ravel()])
    return GaussianPair((first, second), coefficients, pencil, numbers, noise), t


def _require_enough(mu: Array, n: Array) -> None:
    if np.any(np.sum(n, axis=1) <= mu.size):
        raise ValueError(f"n1 + n2 must exceed d = {mu.size}; got {np.min(np.sum(n, axis=1)):g}.")
    alone = [int(np.sum(mu >= 1 - _NONE)), int(np.sum(mu <= _NONE))]
    for name, needed, numbers in zip(("n1", "n2"), alone, n.T, strict=True):
        if np.any(numbers <= needed):
            raise ValueError(
                f"{name} must exceed the number of directions that only this task sees, {needed}; got "
                f"{np.min(numbers):g}."
            )
