"""How much more likely two tasks' labels are when their functions may be correlated, and what that predicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular

from mtlbook_lib._checks import Array
from mtlbook_lib._threads import suited_to_pairs
from mtlbook_lib.forecast._input.columns import names_of, numbers_of, same_names
from mtlbook_lib.forecast._kernel import Kernel, kernel_of
from mtlbook_lib.forecast._tasks import Task, not_huge, pair

MOST_ROWS = 4000  # of both tasks: the covariance matrix has this side
NOISES = np.logspace(-2, 2, 9)  # noise variance over the mean prior variance of the function
CORRELATIONS = np.linspace(-0.97, 0.97, 195)  # 0 among them


@dataclass(frozen=True)
class CorrelationEvidence:
    r"""Log evidence of two tasks against the correlation of their functions.

    Attributes
    ----------
    correlations : ndarray, shape (195,)
        :math:`\rho` from -0.97 to 0.97.
    nats : ndarray, shape (195,)
        Log Bayes factor of :math:`\rho` against 0, a natural logarithm.
    """

    correlations: Array
    nats: Array

    @property
    def gain(self) -> float:
        """The largest entry of `nats`; never below 0, its value for uncorrelated functions."""
        return float(self.nats.max())

    @property
    def correlation(self) -> float:
        """Where it is reached."""
        return float(self.correlations[int(np.argmax(self.nats))])


@dataclass(frozen=True)
class _Alone:
    r"""One task's process: factor :math:`L` of its covariance over its scale, and labels :math:`L^{-1} y/\sqrt a`."""

    factor: Array
    whitened: Array
    scale: float

    def whiten(self, columns: Array) -> Array:
        """The inverse of the factor, times the columns."""
        return np.asarray(solve_triangular(self.factor, columns, lower=True))


@dataclass(frozen=True)
class _Pair:
    r"""Two tasks, their processes and :math:`C = L_a^{-1} K_{ab} L_b^{-T} = U \Sigma V^T`."""

    tasks: tuple[Task, Task]
    kernel: Kernel
    a: _Alone
    b: _Alone
    left: Array
    singular: Array
    right: Array

    @property
    def along(self) -> tuple[Array, Array]:
        """Both tasks' whitened labels along the singular vectors."""
        return self.left.T @ self.a.whitened, self.right.T @ self.b.whitened


@suited_to_pairs
def correlation_evidence(x_a: ArrayLike, y_a: ArrayLike, x_b: ArrayLike, y_b: ArrayLike) -> CorrelationEvidence:
    r"""Log evidence of a Gaussian process for two tasks, at every correlation of their functions.

    .. math:: \begin{pmatrix} y_a\\ y_b\end{pmatrix} \sim N\left(0, \begin{pmatrix} M_a & \rho K_{ab}\\
        \rho K_{ab}^T & M_b \end{pmatrix}\right), \qquad M_t = K_t + \mathbf 1 \mathbf 1^T + \tau_t I

    in units of the scale that each task's own evidence prefers, which also sets its noise :math:`\tau_t`. With
    :math:`\sigma_i` the singular values of :math:`L_a^{-1} K_{ab} L_b^{-T}`, :math:`M_t = L_t L_t^T`, and
    :math:`\alpha_i, \beta_i` the whitened labels along its singular vectors,

    .. math:: \log\frac{p(\rho)}{p(0)} = -\frac12 \sum_i \left[\log(1 - \rho^2\sigma_i^2)
        + \frac{\rho^2 \sigma_i^2 (\alpha_i^2 + \beta_i^2) - 2 \rho \sigma_i \alpha_i \beta_i}
        {1 - \rho^2 \sigma_i^2}\right]

    Parameters
    ----------
    x_a, x_b : array_like, shapes (n_a, d) and (n_b, d)
        Inputs in the same columns, in comparable units: standardise columns of different kinds, both tasks together.
    y_a, y_b : array_like, shapes (n_a,) and (n_b,)
        Numbers, or two classes named in any way.

    Returns
    -------
    CorrelationEvidence
        Unchanged by affine maps of the labels (up to the sign of the correlation), and by the order of rows.

    Raises
    ------
    ValueError
        If labels are constant or of more than two classes, or there are fewer than 3 rows of a task or more than 4000
        of both.

    Notes
    -----
    Kernel: half linear, half that of an endlessly wide ReLU layer (Cho & Saul 2009). Source: ours; multi-task Gaussian
    processes of this form are those of Bonilla, Chai & Williams (2007).
    """
    return _evidence_of(_fit_pair(x_a, y_a, x_b, y_b))


@suited_to_pairs
def correlation_prediction(x_a: ArrayLike, y_a: ArrayLike, x_b: ArrayLike, y_b: ArrayLike, x: ArrayLike) -> Array:
    r"""Labels of task a at new rows, by the process of two tasks at the correlation of most evidence.

    In the notation of ``correlation_evidence``, with :math:`\rho` that correlation, :math:`k_t` the kernel between the
    rows of task t and the new ones, and :math:`a_a` the scale of a,

    .. math:: \bar y_a + \sigma_{y_a} \sqrt{a_a} \begin{pmatrix} k_a + 1\\ \rho k_b \end{pmatrix}^T
        \begin{pmatrix} M_a & \rho K_{ab}\\ \rho K_{ab}^T & M_b \end{pmatrix}^{-1}
        \begin{pmatrix} y_a/\sqrt{a_a}\\ y_b/\sqrt{a_b} \end{pmatrix}

    Parameters
    ----------
    x_a, x_b, y_a, y_b : array_like
        As for ``correlation_evidence``.
    x : array_like, shape (n, d)
        New rows, in the columns of `x_a`; by name where both have names.

    Returns
    -------
    ndarray, shape (n,)
        In the units of `y_a`; of two named classes, the first is 0 and the second 1.

    Raises
    ------
    ValueError
        As ``correlation_evidence``; if `x` has other columns than `x_a`.

    Notes
    -----
    It decides for one correlation, and errs more than ``JointRegressor``, which averages over it. Source: ours; the
    conditional mean is that of Bonilla, Chai & Williams (2007).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x_a, x_b, x = (rng.standard_normal((n, 3)) for n in (20, 100, 50))
    >>> y_a, y_b, y = (rows @ [1.0, -1.0, 0.5] + 0.3 * rng.standard_normal(len(rows)) for rows in (x_a, x_b, x))
    >>> bool(np.mean((correlation_prediction(x_a, y_a, x_b, y_b, x) - y) ** 2) < 0.2 * y.var())
    True
    """
    fit = _fit_pair(x_a, y_a, x_b, y_b)
    a, b = fit.tasks
    new = _new_rows(x_a, x, a.inputs.shape[1])
    rho = _evidence_of(fit).correlation
    (alpha, beta), shared = fit.along, rho * fit.singular
    own = fit.a.whitened + fit.left @ ((alpha - shared * beta) / (1 - shared**2) - alpha)
    other = fit.b.whitened + fit.right @ ((beta - shared * alpha) / (1 - shared**2) - beta)
    said = fit.a.whiten(fit.kernel(a.inputs, new) + 1).T @ own
    said += rho * (fit.b.whiten(fit.kernel(b.inputs, new)).T @ other)
    return np.asarray(a.numbers.mean() + a.scale * np.sqrt(fit.a.scale) * said)


def _new_rows(x_a: Any, x: Any, n_columns: int) -> Array:
    """Checked, in the columns of `x_a`."""
    new = not_huge("x", numbers_of("x", x, same_names("x_a", names_of(x_a), "x", names_of(x))))
    if new.shape[1] != n_columns:
        raise ValueError(f"x must have the {n_columns} columns of x_a; got {new.shape[1]}.")
    return new


def _fit_pair(x_a: ArrayLike, y_a: ArrayLike, x_b: ArrayLike, y_b: ArrayLike) -> _Pair:
    """Each task's own process, and what couples them."""
    tasks = pair(x_a, y_a, x_b, y_b)
    rows = np.concatenate([task.inputs for task in tasks])
    if len(rows) > MOST_ROWS:
        raise ValueError(f"x_a and x_b must have at most {MOST_ROWS} rows together; got {len(rows)}. Draw some.")
    kernel = kernel_of(rows)
    a, b = (_alone(kernel(task.inputs, task.inputs), task.labels) for task in tasks)
    between = kernel(tasks[0].inputs, tasks[1].inputs)
    left, singular, right = np.linalg.svd(b.whiten(a.whiten(between).T).T, full_matrices=False)
    return _Pair(tasks, kernel, a, b, left, singular, right.T)


def _alone(gram: Array, labels: Array) -> _Alone:
    """The process of highest evidence on the grid of noises; `gram` holds the kernel of the task's rows."""
    values, axes = np.linalg.eigh(gram + 1)
    spectra = np.maximum(values, 0.0) + NOISES[:, None]
    scales = (np.square(axes.T @ labels) / spectra).mean(axis=1)
    best = int(np.argmin(np.log(spectra).sum(axis=1) + len(labels) * np.log(scales)))
    factor = np.asarray(np.linalg.cholesky(gram + 1 + NOISES[best] * np.eye(len(labels))), dtype=np.float64)
    whitened = solve_triangular(factor, labels / np.sqrt(scales[best]), lower=True)
    return _Alone(factor, np.asarray(whitened), float(scales[best]))


def _evidence_of(tasks: _Pair) -> CorrelationEvidence:
    """The closed form in the singular values."""
    (alpha, beta), shared = tasks.along, CORRELATIONS[:, None] * tasks.singular
    rest = 1 - shared**2
    misfit = (shared**2 * (alpha**2 + beta**2) - 2 * shared * alpha * beta) / rest
    return CorrelationEvidence(CORRELATIONS.copy(), -0.5 * (np.log(rest) + misfit).sum(axis=1))
