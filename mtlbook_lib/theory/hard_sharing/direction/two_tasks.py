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

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.theory.hard_sharing.tasks import EPS, Task, few_rows, rank_of, singular_values

_TAIL = 45.0  # e^-45 < 1e-19: beyond, F equals its limit in float64
_HALVINGS = 26  # a bound is about half^2 of the energy above the value: 1e-11 with offsets up to 80
_MOST_INTERVALS = 40_000  # a nearly constant F is searched no further
_NO_COUPLING = 1e-14  # of the energy: labels that share nothing, up to roundoff
_SAME = 1e-13  # differences of the log ratios up to which directions are taken together


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


def unit_inputs(task: Task) -> Array:
    """The inputs in the scale in which their Frobenius norm is 1; zeros stay."""
    return np.asarray(task.x / max(np.linalg.norm(task.x), np.finfo(float).tiny))


def diagonalise(first: Task, second: Task) -> Pair:
    """The two tasks in their common basis, with exact zeros where the rank of an input matrix says so."""
    tasks = [few_rows(first), few_rows(second)]
    scaled = [unit_inputs(task) for task in tasks]
    u, values, vt = np.linalg.svd(np.concatenate(scaled), full_matrices=False)
    rank = rank_of(values, (len(u), vt.shape[1]))
    upper, lower = np.split(u[:, :rank], [len(scaled[0])])
    rotation = _rotation(upper, lower)
    parts = upper @ rotation, lower @ rotation
    sizes = np.stack([np.linalg.norm(part, axis=0) for part in parts])
    ranks = [rank_of(singular_values(x), x.shape) for x in scaled]
    sizes[0, ranks[0] :] = 0.0
    sizes[1, : rank - ranks[1]] = 0.0
    products = np.stack([task.y @ part for task, part in zip(tasks, parts, strict=True)])
    scores = np.divide(products, sizes, out=np.zeros_like(products), where=sizes > 0)
    return Pair((vt[:rank].T / values[:rank]) @ rotation, sizes, scores)


def independent(pair: Pair) -> bool:
    """No direction is seen by both tasks, so each is fitted as if alone and F is constant."""
    return not np.any(np.all(pair.sizes > 0, axis=0))


def maximise(pair: Pair) -> Maximum:
    """The global maximum of F, by branch and bound over l and the sign, refined by Newton steps; not if independent."""
    waves = make_waves(pair)
    half = _TAIL + float(np.max(np.abs(waves.offsets)))
    centres, signs = np.zeros(2), np.array([1.0, -1.0])
    best: tuple[float, ...] = (-np.inf,)
    for _ in range(_HALVINGS):
        value, slope, curvature = waves.bounds(centres, signs, half)
        top = int(np.argmax(value))
        best = max(best, (float(value[top]), float(centres[top]), float(signs[top])))
        upper = value + np.abs(slope) * half + curvature * half**2 / 2
        bound = max(best[0], float(np.max(upper)))
        keep = upper > best[0]
        if not 0 < np.sum(keep) <= _MOST_INTERVALS:
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
    heads = np.exp(np.minimum([-maximum.log_ratio, maximum.log_ratio], 0)) * [1.0, maximum.sign]
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
class Waves:
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
        """Where, towards l = ±inf, F is greatest, and the sign: F = F(end) + 2 |G| e^-|l| - 2 |H| e^-2|l| + ...

        A float64 search cannot see the rise from a limit that it equals in all digits.
        """
        decay = np.exp(-end * self.offsets)
        linear, quadratic = np.sum(self.g * decay), np.sum(self.h * decay**2)
        if abs(linear) <= _NO_COUPLING * np.sum(np.hypot(self.h, self.g) * decay):
            return end * np.inf, end
        return -end * float(np.log(abs(linear) / (2 * abs(quadratic)))), float(np.sign(linear))

    def polish(self, log_ratio: float, sign: float) -> float:
        """Newton steps on F' as long as they are short and go up."""
        for _ in range(4):
            x = log_ratio + self.offsets
            tanh, sech, g = np.tanh(x), 1 / np.cosh(x), sign * self.g
            slope = -np.sum((self.h * sech + g * tanh) * sech)
            second = np.sum(2 * self.h * sech**2 * tanh + g * sech * (tanh**2 - sech**2))
            if abs(slope) >= -second:
                break
            log_ratio -= slope / second
        return float(log_ratio)


def make_waves(pair: Pair) -> Waves:
    """Directions of the same ratio taken together; what no ratio moves is the constant."""
    both = np.all(pair.sizes > 0, axis=0)
    offsets = np.log(pair.sizes[1, both] / pair.sizes[0, both])
    first, second = pair.scores[:, both]
    order = np.argsort(offsets)
    starts = np.flatnonzero(np.diff(offsets[order], prepend=-np.inf) > _SAME)
    h, g = (first**2 - second**2) / 2, first * second
    constant = pair.energy - np.sum(first**2 + second**2) / 2
    h, g = np.add.reduceat(h[order], starts), np.add.reduceat(g[order], starts)
    return Waves(offsets[order][starts], h, g, constant)


def _rotation(upper: Array, lower: Array) -> Array:
    """Right singular vectors common to the two blocks of orthonormal columns, sizes in `upper` descending."""
    _, cosines, vt = np.linalg.svd(upper, full_matrices=True)
    rotation = np.asarray(vt.T)
    # Where the cosine is close to 1 the other block resolves the directions better.
    near = int(np.sum(cosines > 0.7))
    _, _, turn = np.linalg.svd(lower @ rotation[:, :near], full_matrices=True)
    rotation[:, :near] = rotation[:, :near] @ turn[::-1].T
    return rotation
