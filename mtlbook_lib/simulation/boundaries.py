r"""Logistic regression of tasks that share one direction of the plane: the loss of each against the angle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, in_scale, instance, scalar
from mtlbook_lib._fields import Checked
from mtlbook_lib._threads import suited

_LONGEST = 2.0  # step of a head; a longer one could overshoot where the loss is flat
_SHORT = 1e-8  # step after which the next one, of about its square, would be rounding


@dataclass(frozen=True)
class AngleLosses(Checked):
    """Least loss of a task over its head, and that head, at each angle of the direction.

    Attributes
    ----------
    angles : ndarray, shape (angle,)
        Half a turn, in radians; the other half has the same losses with the opposite heads.
    losses, heads : ndarray, shape (seed, angle)
    """

    _axes = ("angles: angle", "losses: seed angle", "heads: seed angle")

    angles: Array
    losses: Array
    heads: Array

    def best_angles(self, *others: AngleLosses) -> Array:
        """Angle of the least sum of losses of this task and others, with the sign of this task's head, shape (seed,).

        The parabola through the best angle of the grid and its neighbours refines it.
        """
        for other in others:
            if instance("others", other, AngleLosses).losses.shape != self.losses.shape:
                raise ValueError(f"others must have losses of shape {self.losses.shape}; got {other.losses.shape}.")
        total = self.losses + sum((other.losses for other in others), np.zeros_like(self.losses))
        best, rows = np.argmin(total, axis=1), np.arange(len(total))
        before, here, after = (total[rows, (best + step) % self.angles.size] for step in (-1, 0, 1))
        bend = before - 2 * here + after
        shift = np.divide(before - after, 2 * bend, out=np.zeros_like(bend), where=bend > 0)
        angles = self.angles[best] + shift * (np.pi / self.angles.size)
        return np.asarray(angles + np.pi * (self.heads[rows, best] < 0))


@suited
def angle_losses(
    points: ArrayLike, labels: ArrayLike, n_angles: int = 72, n_steps: int = 10, ridge: float = 0.01
) -> AngleLosses:
    r"""Least logistic loss over the head, at each of `n_angles` directions of half a turn.

    .. math:: L(\varphi) = \min_a \sum_\mu \log\big(1 + e^{-y_\mu a\, b(\varphi) \cdot x_\mu}\big) + \tfrac12 \rho\, a^2

    by Newton steps, all seeds and angles side by side.

    Parameters
    ----------
    points : array_like, shape (seed, m, 2)
    labels : array_like, shape (seed, m)
        1 or -1.
    n_angles, n_steps : int
        Directions (at least 3), and Newton steps at most.
    ridge : float
        :math:`\rho > 0`, which keeps the head finite where a line separates the labels.
    """
    x, y = bounded("points", points), bounded("labels", labels)
    if x.ndim != 3 or x.shape[-1] != 2 or 0 in x.shape or y.shape != x.shape[:2]:
        raise ValueError(f"points must have shape (seed, m, 2) and labels (seed, m); got {x.shape} and {y.shape}.")
    if np.any(np.abs(y) != 1):
        raise ValueError("labels must be 1 or -1.")
    n_angles = count("n_angles", n_angles, 3)
    angles = np.pi * (np.arange(n_angles) / n_angles - 0.5)
    steps, rho = count("n_steps", n_steps), scalar("ridge", ridge, in_scale)
    directions = np.stack([np.cos(angles), np.sin(angles)])
    fits = [_fitted(rows * signs[:, None] @ directions, steps, rho) for rows, signs in zip(x, y, strict=True)]
    return AngleLosses(angles, np.stack([fit[0] for fit in fits]), np.stack([fit[1] for fit in fits]))


def _fitted(margins: Array, n_steps: int, ridge: float) -> tuple[Array, Array]:
    """Loss and head at each angle, for margins (m, angle) of a unit head."""
    head = np.zeros(margins.shape[1])
    for _ in range(n_steps):
        pulls = margins / (1 + np.exp(np.clip(head * margins, -500, 500)))
        bend = np.einsum("ma,ma->a", pulls, margins - pulls) + ridge
        step = np.clip((pulls.sum(axis=0) - ridge * head) / bend, -_LONGEST, _LONGEST)
        head = head + step
        if np.abs(step).max() < _SHORT:
            break
    return np.logaddexp(0, -head * margins).sum(axis=0) + 0.5 * ridge * head**2, head
