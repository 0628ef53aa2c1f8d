r"""Sharing one direction between two tasks as a function of one angle, and its global maximum with a proof.

With the heads :math:`(a_1, a_2) \propto (1, \pm e^l)` fixed, the best direction is a least-squares solution. In a basis
that diagonalises both covariances, :math:`X_1 w_j = \sqrt{\mu_j}\,u_j` and :math:`X_2 w_j = \sqrt{1-\mu_j}\,v_j` with
orthonormal :math:`u_j` and :math:`v_j`, it explains the energy

.. math::
    F(l) = \sum_j (\alpha_j \cos\varphi_j + \beta_j \sin\varphi_j)^2, \qquad
    \tan\varphi_j = \pm e^{l + \lambda_j}, \quad \lambda_j = \log\sqrt{(1-\mu_j)/\mu_j},

where :math:`\alpha_j = u_j \cdot y_1` and :math:`\beta_j = v_j \cdot y_2`. Each term obeys
:math:`|F_j''| \le \tfrac12 (\alpha_j^2 + \beta_j^2) \operatorname{sech}(l + \lambda_j)`, which bounds F on every
interval.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.theory.hard_sharing.tasks import EPS, Task, few_rows, rank_of, singular_values

_GAP = 1e-11  # of the energy to be explained: how close the certified bound comes to the value
_TAIL = 45.0  # e^-45 < 1e-19: beyond, F equals its limit in float64
_MOST_INTERVALS = 40_000  # a nearly constant F is searched no further
_NO_COUPLING = 1e-14  # of the energy: labels that share nothing, up to roundoff
_SAME = 1e-9  # differences of the log ratios up to which directions are taken together


@dataclass(frozen=True)
class Pair:
    """Two tasks in the basis that diagonalises both covariances."""

    directions: Array  # (d, rank): w_j
    sizes: Array  # (2, rank): |X_1 w_j|, |X_2 w_j| for inputs scaled to unit Frobenius norm
    scores: Array  # (2, rank): the labels along u_j and v_j; 0 where the size is 0

    @property
    def energy(self) -> float:
        """Energy of the labels within reach of the inputs."""
        return float(np.sum(self.scores**2))


@dataclass(frozen=True)
class Maximum:
    """Where F is greatest, and a number that it exceeds nowhere."""

    log_ratio: float  # l, of the scaled tasks; infinite where one head is zero
    sign: float
    bound: float


def diagonalise(first: Task, second: Task) -> Pair:
    """The two tasks in their common basis, with exact zeros where the rank of an input matrix says so."""
    tasks = [few_rows(first), few_rows(second)]
    scaled = [task.x / (np.linalg.norm(task.x) or 1.0) for task in tasks]
    u, values, vt = np.linalg.svd(np.concatenate(scaled), full_matrices=False)
    rank = rank_of(values, (len(u), vt.shape[1]))
    upper, lower = np.split(u[:, :rank], [len(scaled[0])])
    rotation = _rotation(upper, lower)
    parts = np.stack([_padded(upper @ rotation, len(u)), _padded(lower @ rotation, len(u))])
    sizes = np.linalg.norm(parts, axis=1)
    ranks = [rank_of(singular_values(x), x.shape) for x in scaled]
    sizes[0, ranks[0] :] = 0.0
    sizes[1, : rank - ranks[1]] = 0.0
    labels = np.stack([_padded(task.y, len(u)) for task in tasks])
    products = np.einsum("gmj,gm->gj", parts, labels)
    scores = np.divide(products, sizes, out=np.zeros_like(products), where=sizes > 0)
    directions = (vt[:rank].T / values[:rank]) @ rotation
    return Pair(directions, sizes, scores)


def independent(pair: Pair) -> bool:
    """No direction is seen by both tasks, so each is fitted as if alone and F is constant."""
    return not np.any(np.all(pair.sizes > 0, axis=0))


def maximise(pair: Pair) -> Maximum:
    """The global maximum of F, by branch and bound over l and the sign, refined by Newton steps."""
    waves = _waves(pair)
    if waves.offsets.size == 0:
        return Maximum(0.0, 1.0, waves.constant)
    reach = _TAIL + float(np.max(np.abs(waves.offsets)))
    edges = np.linspace(-reach, reach, int(np.ceil(2 * reach)) + 1)
    centres = np.tile((edges[1:] + edges[:-1]) / 2, 2)
    signs = np.repeat([1.0, -1.0], len(edges) - 1)
    half, best, bound = (edges[1] - edges[0]) / 2, (-np.inf, 0.0, 1.0), np.inf
    while True:
        value, slope, curvature = waves.bounds(centres, signs, half)
        top = int(np.argmax(value))
        best = max(best, (float(value[top]), float(centres[top]), float(signs[top])))
        upper = value + np.abs(slope) * half + curvature * half**2 / 2
        bound = max(best[0], float(np.max(upper)))
        keep = upper > best[0] + _GAP * pair.energy
        if not np.any(keep) or np.sum(keep) > _MOST_INTERVALS:
            break
        half /= 2
        centres = np.concatenate([centres[keep] - half, centres[keep] + half])
        signs = np.tile(signs[keep], 2)
    for end in (-1.0, 1.0):
        if -end * np.sum(waves.h) >= best[0] - 4 * EPS * pair.energy:
            best = (best[0], *waves.tail(end))
    return Maximum(waves.polish(best[1], best[2]), best[2], bound + waves.constant)


def best_direction(pair: Pair, maximum: Maximum) -> Array:
    """The shared direction, of any length, for the heads of the maximum."""
    ratio = np.exp(-abs(maximum.log_ratio))
    heads = np.array([1.0, ratio]) if maximum.log_ratio <= 0 else np.array([ratio, 1.0])
    heads = heads * [1.0, maximum.sign]
    weighted = heads[:, None] * pair.sizes
    norms = np.sum(weighted**2, axis=0)
    fits = np.sum(weighted * pair.scores, axis=0)
    unseen = norms == 0
    if np.any(pair.scores[:, unseen] != 0):
        raise ValueError(
            "ys must not ask for a limit: the energy is approached, but not attained, as the head of a task goes to "
            "zero. Remove the task whose labels the other's inputs do not explain, or add ridge rows to xs."
        )
    coefficients = np.divide(fits, norms, out=np.zeros_like(fits), where=~unseen)
    return np.asarray(pair.directions @ coefficients)


@dataclass(frozen=True)
class _Waves:
    """F minus its constant part: the sum of -h tanh(l + offset) ± g sech(l + offset), and the constant."""

    offsets: Array
    h: Array
    g: Array
    constant: float

    def bounds(self, centres: Array, signs: Array, half: float) -> tuple[Array, Array, Array]:
        """F and its slope at the centres, and the largest |F''| within `half` of them."""
        x = centres[:, None] + self.offsets
        tanh, sech = np.tanh(x), 1 / np.cosh(x)
        g = signs[:, None] * self.g
        value = np.sum(g * sech - self.h * tanh, axis=1)
        slope = -np.sum((self.h * sech + g * tanh) * sech, axis=1)
        curvature = np.sum(np.hypot(self.h, self.g) / np.cosh(np.maximum(np.abs(x) - half, 0)), axis=1)
        return value, slope, curvature

    def tail(self, end: float) -> tuple[float, float]:
        """Where, towards l = ±inf, F is greatest, and the sign: F = F(end) + 2 |G| e^-|l| - 2 H e^-2|l| + ...

        A float64 search cannot see the rise from a limit that it equals in all digits.
        """
        decay = np.exp(-end * self.offsets)
        linear, quadratic = np.sum(self.g * decay), -end * np.sum(self.h * decay**2)
        if abs(linear) <= _NO_COUPLING * np.sum(np.hypot(self.h, self.g) * decay):
            return end * np.inf, 1.0
        return -end * float(np.log(abs(linear) / (2 * abs(quadratic)))), float(np.sign(linear))

    def polish(self, log_ratio: float, sign: float) -> float:
        """Newton steps on F' as long as they are short and go up."""
        for _ in range(20 * bool(np.isfinite(log_ratio))):
            x = log_ratio + self.offsets
            tanh, sech, g = np.tanh(x), 1 / np.cosh(x), sign * self.g
            slope = -np.sum((self.h * sech + g * tanh) * sech)
            second = np.sum(2 * self.h * sech**2 * tanh + g * sech * (tanh**2 - sech**2))
            if second >= 0 or abs(slope) >= abs(second):
                break
            log_ratio -= slope / second
        return float(log_ratio)


def _waves(pair: Pair) -> _Waves:
    """Directions of the same ratio taken together; what no ratio moves is the constant."""
    both = np.all(pair.sizes > 0, axis=0)
    offsets = np.log(pair.sizes[1, both] / pair.sizes[0, both])
    first, second = pair.scores[:, both]
    order = np.argsort(offsets)
    starts = np.flatnonzero(np.diff(offsets[order], prepend=-np.inf) > _SAME)
    h, g = (first**2 - second**2) / 2, first * second
    if offsets.size == 0:
        return _Waves(offsets, h, g, pair.energy)
    constant = pair.energy - np.sum(first**2 + second**2) / 2
    h, g = np.add.reduceat(h[order], starts), np.add.reduceat(g[order], starts)
    return _Waves(offsets[order][starts], h, g, constant)


def _rotation(upper: Array, lower: Array) -> Array:
    """Right singular vectors common to the two blocks of orthonormal columns, sizes in `upper` descending."""
    _, cosines, vt = np.linalg.svd(upper, full_matrices=True)
    rotation = np.asarray(vt.T)
    # Where the cosine is close to 1 the other block resolves the directions better.
    near = int(np.sum(cosines**2 > 0.5))
    if near:
        _, _, turn = np.linalg.svd(lower @ rotation[:, :near], full_matrices=True)
        rotation[:, :near] = rotation[:, :near] @ turn[::-1].T
    return rotation


def _padded(array: Array, rows: int) -> Array:
    padding = [(0, rows - len(array))] + [(0, 0)] * (array.ndim - 1)
    return np.pad(array, padding)
