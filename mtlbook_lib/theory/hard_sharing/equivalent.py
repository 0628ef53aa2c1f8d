r"""Deterministic equivalent of least squares pooled over two groups of Gaussian examples.

Group :math:`g` has :math:`n_g` examples with features of covariance :math:`C_g`, of which the pencil has the
eigenvalues :math:`\mu_j` and :math:`1 - \mu_j`. With :math:`N = n_1 + n_2 - p` residual degrees of freedom, the matrix
:math:`(\sum_g X_g^\top X_g)^{-1}` acts as :math:`Q = (N x C_1 + N (1 - x) C_2)^{-1}`, where :math:`x` is the root of

.. math:: \sum_j o_j + N x = n_1, \qquad o_j = \frac{x w_1 \mu_j}{x w_1 \mu_j + (1 - x) w_2 (1 - \mu_j)}.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from mtlbook_lib._checks import Array, bounded, broadcast, in_scale, nonnegative
from mtlbook_lib.theory.hard_sharing.pencil import Pencil, make_covariance, make_pencil
from mtlbook_lib.theory.hard_sharing.tasks import make_vector

_BRACKET, _MOST_STEPS, _STEP = 800.0, 200, 1e-9


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
        shares, logit = occupancies(mu, self.n, 2 * np.log(np.abs(heads)) + np.log(scales))
        difference = heads[:, 1:] * self.truths[0] - heads[:, :1] * self.truths[1]
        bias = np.column_stack([
            scales[0] * ((shares[1] * difference / heads[:, 1:]) ** 2 @ mu),
            scales[1] * ((shares[0] * difference / heads[:, :1]) ** 2 @ (1 - mu)),
        ])  # fmt: skip
        return errors(shares, logit, self.n, bias, self.sigma**2)

    def direction(self, heads: Array) -> Array:
        """Mean shared direction (b, d) for heads (b, 2)."""
        shares, _ = occupancies(self.pencil.mu, self.n, 2 * np.log(np.abs(heads)) + np.log(self.pencil.scales))
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
        n1=in_scale("n1", n[0]),
        n2=in_scale("n2", n[1]),
        sigma1=bounded("sigma1", sigmas[0], nonnegative),
        sigma2=bounded("sigma2", sigmas[1], nonnegative),
        ratio=np.asarray(ratio, dtype=np.float64),
    )
    pencil = make_pencil(first, second, "cov1 and cov2")
    numbers = np.column_stack([n1.ravel(), n2.ravel()])
    _require_enough(pencil, numbers)
    noise = np.column_stack([sigma1.ravel(), sigma2.ravel()])
    return GaussianPair((first, second), coefficients, pencil, numbers, noise), t


def _require_enough(pencil: Pencil, n: Array) -> None:
    size = pencil.mu.size
    if np.any(np.sum(n, axis=1) <= size):
        raise ValueError(f"n1 + n2 must exceed d = {size}; got {np.min(np.sum(n, axis=1)):g}.")
    for name, needed, numbers in zip(("n1", "n2"), pencil.alone, n.T, strict=True):
        if np.any(numbers <= needed):
            raise ValueError(
                f"{name} must exceed the number of directions that only this task sees, {needed}; got "
                f"{np.min(numbers):g}."
            )


def occupancies(mu: Array, n: Array, log_weights: Array) -> tuple[Array, Array]:
    """Shares :math:`o_j` and :math:`1 - o_j` of the groups in each direction, and the logit of :math:`x`.

    `mu` has shape (p,), `n` and the logarithms of the covariances' weights (b, 2); the results (2, b, p) and (b,).
    """
    residual = np.sum(n, axis=1) - mu.size
    with np.errstate(divide="ignore"):
        logits = np.log(mu) - np.log1p(-mu) + (log_weights[:, :1] - log_weights[:, 1:])
    # The smaller group's equation: in the larger one's it would drown in rounding.
    side = np.where(n[:, 0] > n[:, 1], -1.0, 1.0)
    middle = side * _root(side[:, None] * logits, residual, np.min(n, axis=1))
    filled = logits + middle[:, None]
    return np.stack([expit(filled), expit(-filled)]), middle


def _root(logits: Array, residual: Array, n: Array) -> Array:
    """The logit of a group's x, row by row: Newton steps, halvings of the bracket where they would leave it."""
    lower, upper, root = np.full(len(n), -_BRACKET), np.full(len(n), _BRACKET), np.zeros(len(n))
    for _ in range(_MOST_STEPS):
        shares, x = expit(logits + root[:, None]), expit(root)
        value = np.sum(shares, axis=1) + residual * x - n
        slope = np.sum(shares * (1 - shares), axis=1) + residual * x * (1 - x)
        lower, upper = np.where(value > 0, lower, root), np.where(value > 0, root, upper)
        step = root - value / np.maximum(slope, 1e-200)
        new = np.where((step >= lower) & (step <= upper), step, (lower + upper) / 2)
        moved, root = np.abs(new - root), new
        # Newton's error is squared with every step.
        if np.all(moved <= _STEP):
            break
    return root


def errors(shares: Array, logit: Array, n: Array, bias: Array, noise: Array) -> tuple[Array, Array]:
    r"""Excess risk of both groups and the loss on all training examples.

    .. math:: r_g^2 = \mathrm{bias}_g + \sigma_g^2 + \sum_h G_{gh} r_h^2, \quad
        G_{gh} = \frac{\tilde A_h^2}{n_h} \operatorname{tr} C_g Q C_h Q, \quad
        \mathrm{loss} = \sum_g \frac{\tilde A_g^2}{n_g} r_g^2, \quad \tilde A = (N x, N(1-x))

    `shares` has shape (2, b, p), `logit` (b,), `n`, `bias`, `noise` (a variance) (b, 2); the results (b, 2) and (b,).
    """
    own = np.sum(shares**2, axis=2) / n.T
    cross = np.sum(shares[0] * shares[1], axis=1)
    into_first, into_second = np.exp(-logit) * cross / n[:, 1], np.exp(logit) * cross / n[:, 0]
    plain = bias + noise
    determinant = (1 - own[0]) * (1 - own[1]) - cross**2 / (n[:, 0] * n[:, 1])
    first = ((1 - own[1]) * plain[:, 0] + into_first * plain[:, 1]) / determinant
    second = ((1 - own[0]) * plain[:, 1] + into_second * plain[:, 0]) / determinant
    excess = bias + np.column_stack([own[0] * first + into_first * second, into_second * first + own[1] * second])
    residual = np.sum(n, axis=1) - shares.shape[2]
    sizes = residual[:, None] * np.column_stack([expit(logit), expit(-logit)])
    return excess, np.sum(sizes**2 / n * np.column_stack([first, second]), axis=1)
