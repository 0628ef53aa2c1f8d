r"""Training of any two-layer student of one or two tasks, without data: the softmax replaced by its isotropic gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, in_scale, nonnegative, real_array, scalar
from mtlbook_lib.theory.softmax import IsotropicCurves, expected_maximum, isotropic_curves

_DIVERGED = 1e100  # a norm beyond which descent will not come back


@dataclass(frozen=True)
class GainFlow:
    """Course of a training run: times and losses (steps + 1,), and the weights at its end."""

    times: Array
    loss_a: Array  # on clean labels of task A, in nats
    trunk: Array  # (h, d)
    head_a: Array  # (k, h)
    head_b: Array | None  # (k, h)


@dataclass(frozen=True)
class _Task:
    """Label and input covariances of one task, and its weight in the sum of losses."""

    labels: Array
    covariance: Array | None
    weight: float

    def force(self, composite: Array, curves: IsotropicCurves) -> Array:
        """Minus the gradient of the weighted loss in the composite map."""
        centred = _centred(composite)
        filtered = centred if self.covariance is None else centred @ self.covariance
        norm = np.sqrt(max(float(np.sum(centred * filtered)), 0.0) / (len(composite) - 1))
        return np.asarray(self.weight * (self.labels - curves.gain(norm) * filtered))


def gain_flow(
    teacher_a: ArrayLike,
    labels_a: ArrayLike,
    labels_b: ArrayLike | None,
    trunk: ArrayLike,
    head_a: ArrayLike,
    head_b: ArrayLike | None,
    rate: float,
    steps: int,
    weight: float = 1.0,
    covariance_a: ArrayLike | None = None,
    covariance_b: ArrayLike | None = None,
) -> GainFlow:
    r"""Gradient descent of a two-layer student of one or two tasks, with the softmax replaced by its isotropic gain.

    .. math::
        \Delta_j &= P S_j - g(\sigma_j)\,P W_j \Gamma_j, \qquad W_j = B_j W, \qquad
        \sigma_j^2 = \frac{\mathrm{tr}(P W_j\Gamma_j W_j^T)}{k - 1}, \\
        W &\leftarrow W + \eta\,(B_A^T\Delta_A + \alpha B_B^T\Delta_B), \qquad B_j \leftarrow B_j +
        \eta\,\alpha_j\,\Delta_j W^T

    with :math:`P = I - 11^T/k` and :math:`\alpha_A = 1`. The loss of task A is measured on clean labels of inputs
    :math:`N(0, I)`:

    .. math:: E_A = F(\sigma) - \frac{m_k}{k - 1}\,\mathrm{tr}(W_A^T P T_A)/s_A, \qquad
        \sigma^2 = \frac{|P W_A|^2}{k - 1}, \quad s_A^2 = \frac{|P T_A|^2}{k - 1}

    Parameters
    ----------
    teacher_a : array_like, shape (k, d)
        Clean teacher :math:`T_A` of task A, with isotropic logits; its scale does not matter.
    labels_a, labels_b : array_like, shape (k, d)
        Label covariances :math:`S_j = E[y\,x^T]`: :math:`m_k/(k-1)` times a teacher of norm 1, or those of a sample.
        `labels_b` None trains task A alone.
    trunk : array_like, shape (h, d)
        Initial weights :math:`W` of the hidden layer.
    head_a, head_b : array_like, shape (k, h)
        Initial weights :math:`B_j` of the heads; `head_b` is not used, and may be None, where `labels_b` is None.
    rate : float
        Step :math:`\eta` of gradient descent, > 0, in units of the time constant.
    steps : int
        Number of steps, at least 0.
    weight : float
        Weight :math:`\alpha` of the loss of task B, >= 0.
    covariance_a, covariance_b : array_like, shape (d, d), or None
        Input covariances :math:`\Gamma_j` in training, symmetric; None is the identity.

    Returns
    -------
    GainFlow
        With ``times`` and ``loss_a`` of shape (steps + 1,), and the weights ``trunk``, ``head_a``, ``head_b`` at the
        end.

    Raises
    ------
    ValueError
        If shapes do not fit, an argument is outside its range, or the rate is so large that the weights diverge.
    TypeError
        If `steps` is not an integer.

    Notes
    -----
    Source: ours, from Lee & Ndirango (2019), eqs. 8 and 13; exact for isotropic logits. With the covariances of a
    sample it holds until the student overfits, and its logits on the sample are no longer Gaussian. See the chapter
    on closed flows.
    """
    teacher, student = real_array("teacher_a", teacher_a, ndim=2), real_array("trunk", trunk, ndim=2)
    if len(teacher) < 2:
        raise ValueError(f"teacher_a must have at least two rows, one a class; got shape {teacher.shape}.")
    heads = [_shaped("head_a", head_a, (len(teacher), len(student)))]
    tasks = [_task("a", labels_a, covariance_a, teacher.shape, 1.0)]
    weight = float(bounded("weight", scalar("weight", weight, nonnegative)))
    if labels_b is not None:
        heads.append(_shaped("head_b", head_b, heads[0].shape))
        tasks.append(_task("b", labels_b, covariance_b, teacher.shape, weight))
    _shaped("trunk", student, (len(student), teacher.shape[1]))
    rate, steps = scalar("rate", rate, in_scale), count("steps", steps, minimum=0)
    spread, alignment, student, heads = _descend(_reference(teacher), tasks, student, heads, rate, steps)
    loss = isotropic_curves(len(teacher)).excess(spread) + expected_maximum(len(teacher)) * (spread - alignment)
    second = heads[1] if labels_b is not None else None if head_b is None else real_array("head_b", head_b)
    return GainFlow(rate * np.arange(steps + 1.0), np.asarray(loss), student, heads[0], second)


def _descend(
    reference: Array, tasks: list[_Task], trunk: Array, heads: list[Array], rate: float, steps: int
) -> tuple[Array, Array, Array, list[Array]]:
    """Norm of task A's logits and their component along the teacher's, before each step and at the end; the weights."""
    curves = isotropic_curves(len(reference))
    spread, alignment = np.empty(steps + 1), np.empty(steps + 1)
    for step in range(steps + 1):
        composite = _centred(heads[0] @ trunk)
        spread[step] = np.linalg.norm(composite) / np.sqrt(len(composite) - 1)
        alignment[step] = np.sum(composite * reference) / (len(composite) - 1)
        if not np.isfinite(spread[step]) or spread[step] > _DIVERGED:
            raise ValueError(f"rate must be small enough for the weights to stay finite; got {rate}.")
        if step < steps:
            trunk, heads = _stepped(tasks, trunk, heads, rate, curves)
    return spread, alignment, trunk, heads


def _stepped(
    tasks: list[_Task], trunk: Array, heads: list[Array], rate: float, curves: IsotropicCurves
) -> tuple[Array, list[Array]]:
    """All weights after one step from the same point."""
    forces = [task.force(head @ trunk, curves) for task, head in zip(tasks, heads, strict=True)]
    moved = trunk + rate * sum(head.T @ force for head, force in zip(heads, forces, strict=True))
    return moved, [head + rate * force @ trunk.T for head, force in zip(heads, forces, strict=True)]


def _reference(teacher: Array) -> Array:
    """The teacher with centred logits, scaled so that their strength is 1 in each of the k - 1 directions."""
    centred = _centred(teacher)
    norm = np.linalg.norm(centred) / np.sqrt(len(centred) - 1)
    if norm == 0:
        raise ValueError("teacher_a must give different logits to its classes; got equal rows.")
    return np.asarray(centred / norm)


def _task(name: str, labels: ArrayLike, covariance: ArrayLike | None, shape: tuple[int, ...], weight: float) -> _Task:
    matrix = None if covariance is None else _shaped(f"covariance_{name}", covariance, (shape[1], shape[1]))
    if matrix is not None and not np.allclose(matrix, matrix.T, rtol=0.0, atol=1e-10 * float(np.max(np.abs(matrix)))):
        raise ValueError(f"covariance_{name} must be symmetric; got entries that differ from their mirror images.")
    return _Task(_centred(_shaped(f"labels_{name}", labels, shape)), matrix, weight)


def _shaped(name: str, value: ArrayLike | None, shape: tuple[int, ...]) -> Array:
    if value is None:
        raise TypeError(f"{name} must be a matrix of shape {shape}; got None.")
    matrix = real_array(name, value, ndim=2)
    if matrix.shape != shape:
        raise ValueError(f"{name} must have shape {shape}; got {matrix.shape}.")
    return matrix


def _centred(matrix: Array) -> Array:
    """Columns less their means over the classes."""
    return np.asarray(matrix - matrix.mean(axis=0))
