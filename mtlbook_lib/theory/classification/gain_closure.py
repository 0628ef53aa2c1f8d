r"""Training of any two-layer student of one or two tasks, without data: the softmax replaced by its isotropic gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import WIDE, Array, bounded, count, in_scale, nonnegative, scalar
from mtlbook_lib.theory.softmax import IsotropicCurves, expected_maximum, isotropic_curves

_DIVERGED = 1e100  # a norm beyond which descent will not come back


@dataclass(frozen=True)
class GainFlow:
    """Course of training runs: times (steps + 1,) and losses (..., steps + 1), and the weights at the end."""

    times: Array
    loss_a: Array  # on clean labels of task A, in nats
    trunk: Array  # (..., h, d)
    head_a: Array  # (..., k, h)
    head_b: Array | None  # (..., k, h)


@dataclass(frozen=True)
class _Task:
    """Label and input covariances of one task, and its weight in the sum of losses."""

    labels: Array
    covariance: Array | None
    weight: float


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
    :math:`N(0, I)`. Leading axes, such as one for seeds and one for settings, are runs side by side; they broadcast.

    .. math:: E_A = F(\sigma) - \frac{m_k}{k - 1}\,\mathrm{tr}(W_A^T P T_A)/s_A, \qquad
        \sigma^2 = \frac{|P W_A|^2}{k - 1}, \quad s_A^2 = \frac{|P T_A|^2}{k - 1}

    Source: ours, from Lee & Ndirango (2019), eqs. 8 and 13; exact for isotropic logits. With the covariances of a
    sample it holds until the student overfits, and its logits on the sample are no longer Gaussian. See the chapter
    on closed flows.

    Parameters
    ----------
    teacher_a : array_like, shape (..., k, d)
        Clean teacher :math:`T_A` of task A, with isotropic logits; its scale does not matter.
    labels_a, labels_b : array_like, shape (..., k, d)
        Label covariances :math:`S_j = E[y\,x^T]`: :math:`m_k/(k-1)` times a teacher of norm 1, or those of a sample.
        `labels_b` None trains task A alone.
    trunk : array_like, shape (..., h, d)
        Initial weights :math:`W` of the hidden layer.
    head_a, head_b : array_like, shape (..., k, h)
        Initial weights :math:`B_j` of the heads; `head_b` is not used, and may be None, where `labels_b` is None.
    rate : float
        Step :math:`\eta` of gradient descent, > 0, in units of the time constant.
    steps : int
        Number of steps, 0 to ten million.
    weight : float
        Weight :math:`\alpha` of the loss of task B, >= 0.
    covariance_a, covariance_b : array_like, shape (..., d, d), or None
        Input covariances :math:`\Gamma_j` in training, symmetric; None is the identity.

    Returns
    -------
    GainFlow
        With ``times`` (steps + 1,) and ``loss_a`` (..., steps + 1), and the weights ``trunk``, ``head_a``, ``head_b``
        at the end.

    Raises
    ------
    ValueError
        If the rate is so large that the weights diverge.

    Examples
    --------
    From almost nothing, log 3, down:

    >>> flow = gain_flow(np.eye(3), 0.42 * np.eye(3), None, 0.1 * np.eye(3), 0.1 * np.eye(3), None, 1.0, 20)
    >>> flow.loss_a[[0, 10, 20]].round(3)
    array([1.09 , 0.356, 0.178])
    """
    teacher, student = _matrix("teacher_a", teacher_a), _matrix("trunk", trunk)
    n_classes, n_features = shape = teacher.shape[-2:]
    if n_classes < 2:
        raise ValueError(f"teacher_a must have at least two rows, one a class; got shape {teacher.shape}.")
    heads = [_shaped("head_a", head_a, (n_classes, student.shape[-2]))]
    tasks = [_task("a", labels_a, covariance_a, shape, 1.0)]
    weight = float(bounded("weight", scalar("weight", weight, nonnegative)))
    if labels_b is not None:
        heads.append(_shaped("head_b", head_b, heads[0].shape[-2:]))
        tasks.append(_task("b", labels_b, covariance_b, shape, weight))
    _shaped("trunk", student, (student.shape[-2], n_features))
    student, *heads = _side_by_side(teacher, tasks, student, heads)
    rate, steps = scalar("rate", rate, in_scale), count("steps", steps, minimum=0, maximum=10**7)
    spread, alignment, student, heads = _descend(_reference(teacher), tasks, student, heads, rate, steps)
    loss = isotropic_curves(n_classes).excess(spread) + expected_maximum(n_classes) * (spread - alignment)
    second = heads[1] if labels_b is not None else None if head_b is None else bounded("head_b", head_b)
    return GainFlow(rate * np.arange(steps + 1.0), np.asarray(loss), student, heads[0], second)


def _side_by_side(teacher: Array, tasks: list[_Task], trunk: Array, heads: list[Array]) -> list[Array]:
    """Trunk and heads with the leading axes of all arguments."""
    covariances = [task.covariance for task in tasks if task.covariance is not None]
    everything = [teacher, trunk, *heads, *(task.labels for task in tasks), *covariances]
    leading = [matrix.shape[:-2] for matrix in everything]
    try:
        runs = np.broadcast_shapes(*leading)
    except ValueError:
        raise ValueError(f"trunk, heads, labels and teacher_a must have leading axes that broadcast; got {leading}.") \
            from None  # fmt: skip
    return [np.broadcast_to(matrix, (*runs, *matrix.shape[-2:])) for matrix in (trunk, *heads)]


def _descend(
    reference: Array, tasks: list[_Task], trunk: Array, heads: list[Array], rate: float, steps: int
) -> tuple[Array, Array, Array, list[Array]]:
    """Norm of task A's logits and their component along the teacher's, before each step and at the end; the weights."""
    k, recorded = reference.shape[-2], (*trunk.shape[:-2], steps + 1)
    trunk, heads, back = _turned(trunk, heads)
    layers, forces = (trunk, np.concatenate(heads, axis=-2)), _Forces.of(tasks, isotropic_curves(k))
    spread, alignment = np.empty(recorded), np.empty(recorded)
    for step in range(steps + 1):
        trunk, both = layers
        logits = (both @ trunk).reshape(*trunk.shape[:-2], len(tasks), k, trunk.shape[-1])
        logits -= logits.mean(axis=-2, keepdims=True)
        spread[..., step] = np.linalg.norm(logits[..., 0, :, :], axis=(-2, -1)) / np.sqrt(k - 1)
        alignment[..., step] = np.sum(logits[..., 0, :, :] * reference, axis=(-2, -1)) / (k - 1)
        if not np.all(spread[..., step] <= _DIVERGED):  # nor NaN
            raise ValueError(f"rate must be small enough for the weights to stay finite; got {rate}.")
        if step < steps:
            pull = rate * forces(logits).reshape(*both.shape[:-1], trunk.shape[-1])
            layers = trunk + both.mT @ pull, both + pull @ trunk.mT
    trunk, both = layers
    return spread, alignment, back @ trunk, np.split(both @ back.mT, len(tasks), axis=-2)


def _turned(trunk: Array, heads: list[Array]) -> tuple[Array, list[Array], Array]:
    """Layers in the space of hidden neurons that they span, which training never leaves, and the way back."""
    both = np.concatenate([trunk, *(head.mT for head in heads)], axis=-1)
    if both.shape[-1] >= both.shape[-2]:
        return trunk, heads, np.eye(trunk.shape[-2])
    basis = np.linalg.qr(both)[0]
    return basis.mT @ trunk, [head @ basis for head in heads], np.asarray(basis)


@dataclass(frozen=True)
class _Forces:
    """Minus the gradient of the weighted losses in the composite maps of all tasks, (..., task, k, d)."""

    labels: Array
    covariances: list[Array | None]
    weights: Array  # (task, 1, 1)
    curves: IsotropicCurves

    @classmethod
    def of(cls, tasks: list[_Task], curves: IsotropicCurves) -> _Forces:
        labels = np.stack(np.broadcast_arrays(*(task.labels for task in tasks)), axis=-3)
        weights = np.array([task.weight for task in tasks])[:, None, None]
        return cls(labels, [task.covariance for task in tasks], weights, curves)

    def __call__(self, logits: Array) -> Array:
        filtered = logits.copy()
        for task, covariance in enumerate(self.covariances):
            if covariance is not None:
                filtered[..., task, :, :] = logits[..., task, :, :] @ covariance
        square = np.sum(logits * filtered, axis=(-2, -1)) / (logits.shape[-2] - 1)
        gain = np.asarray(self.curves.gain(np.sqrt(np.maximum(square, 0.0))))[..., None, None]
        return np.asarray(self.weights * (self.labels - gain * filtered))


def _reference(teacher: Array) -> Array:
    """The teacher with centred logits, scaled so that their strength is 1 in each of the k - 1 directions."""
    centred = _centred(teacher)
    norm = np.linalg.norm(centred, axis=(-2, -1), keepdims=True) / np.sqrt(centred.shape[-2] - 1)
    if np.any(norm == 0):
        raise ValueError("teacher_a must give different logits to its classes; got equal rows.")
    return np.asarray(centred / norm)


def _task(name: str, labels: ArrayLike, covariance: ArrayLike | None, shape: tuple[int, ...], weight: float) -> _Task:
    matrix = None if covariance is None else _shaped(f"covariance_{name}", covariance, (shape[1], shape[1]))
    if matrix is not None and not np.allclose(matrix, matrix.mT, rtol=0.0, atol=1e-10 * float(np.max(np.abs(matrix)))):
        raise ValueError(f"covariance_{name} must be symmetric; got entries that differ from their mirror images.")
    return _Task(_centred(_shaped(f"labels_{name}", labels, shape)), matrix, weight)


def _matrix(name: str, value: ArrayLike | None) -> Array:
    matrix = bounded(name, value, most=WIDE) if value is not None else np.zeros(())
    if matrix.ndim < 2:
        raise (TypeError if value is None else ValueError)(f"{name} must be a matrix, or many; got {value!r:.60}.")
    return matrix


def _shaped(name: str, value: ArrayLike | None, shape: tuple[int, ...]) -> Array:
    matrix = _matrix(name, value)
    if matrix.shape[-2:] != shape:
        raise ValueError(f"{name} must have shape {shape}, after any leading axes; got {matrix.shape}.")
    return matrix


def _centred(matrix: Array) -> Array:
    """Columns less their means over the classes."""
    return np.asarray(matrix - matrix.mean(axis=-2, keepdims=True))
