r"""Labels of logits that live in two or three dimensions: exact class probabilities and label Laplacian.

The logits are :math:`z_i = a_i \cdot \xi` with rows :math:`a_i` of the factor and :math:`\xi \sim N(0, I)`. Class i
wins on a cone of directions, and meets class j on an arc of the great circle :math:`(a_i - a_j) \cdot \xi = 0`.
"""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import WIDE, Array, bounded

_EQUAL = 1e-7  # rows closer than this, relative to the largest distance, are the same class
_COLLINEAR = 1e-9
_ARC = 1e-12


def lowrank_label_laplacian(factor: ArrayLike) -> Array:
    r"""Label Laplacian of logits of rank two or three, in closed form.

    .. math::
        H_{ij} &= -\frac{\Pr(z_i = z_j \ge \text{all others} \mid z_i = z_j)}{\sqrt{2\pi}\,|a_i - a_j|}\quad (i \ne j),
        \\ \Pr &= \frac{\max(0, \pi - \text{spread of the constraints' angles})}{2\pi}

    Source: ours; Lee & Ndirango (2019), eq. 14, in the limit of hard labels, for low-rank teachers (their Fig. A2).
    In the plane the probability is 0 or 1/2; without a third class, or one behind, it is 1.

    Parameters
    ----------
    factor : array_like, shape (k, 2) or (k, 3)
        Rows :math:`a_i` of a factor of the logits' covariance, all different; k at least 2.

    Returns
    -------
    ndarray, shape (k, k)
        Rows and columns sum to 0; a class that never wins has a row of zeros. H scales as one over the factor.

    Examples
    --------
    Two classes two apart:

    >>> lowrank_label_laplacian([[1.0, 0.0], [-1.0, 0.0]]).round(4)
    array([[ 0.1995, -0.1995],
           [-0.1995,  0.1995]])
    """
    rows = _rows(factor)
    off = -tie_density("factor", rows) * _arcs(rows) / (2 * np.pi)
    np.fill_diagonal(off, -off.sum(axis=1))
    return off


def lowrank_class_probabilities(factor: ArrayLike) -> Array:
    r"""Probability that each class has the largest of logits of rank two or three, in closed form.

    .. math:: \Pr(i) = \frac{1}{4\pi}\Bigl(2\pi - \sum_{\text{neighbours}} \angle(n_j, n_{j+1})\Bigr), \qquad
        n_j = \frac{a_j - a_i}{|a_j - a_i|}

    with the neighbours j of class i in the order in which they surround it (Girard's theorem for the cone on which i
    wins).

    Source: ours; the class frequencies of low-rank teachers in Lee & Ndirango (2019), Fig. A2.

    Parameters
    ----------
    factor : array_like, shape (k, 2) or (k, 3)
        Rows :math:`a_i` of a factor of the logits' covariance, all different; k at least 2.

    Returns
    -------
    ndarray, shape (k,)
        Sums to 1; exactly 0 for a class whose row is not a vertex of the rows' convex hull.

    Examples
    --------
    Corners of a triangle, and a class on its edge that never wins:

    >>> lowrank_class_probabilities([[1, 0], [-1, 0], [0, 1], [0, 0]]).round(3)
    array([0.375, 0.375, 0.25 , 0.   ])
    """
    rows = _rows(factor)
    tie_density("factor", rows)
    arcs = _arcs(rows)
    areas = np.zeros(len(rows))
    for i in range(len(rows)):
        neighbours = np.flatnonzero(arcs[i] > _ARC)
        if neighbours.size:
            normals = rows[neighbours] - rows[i]
            areas[i] = 2 * np.pi - _perimeter(normals / np.linalg.norm(normals, axis=1, keepdims=True))
    return areas / (4 * np.pi)


def tie_density(name: str, rows: Array) -> Array:
    """Density at 0 of the difference of each two logits; 0 on the diagonal. Raises where two logits are equal."""
    distance = np.linalg.norm(rows[:, None] - rows, axis=2)
    np.fill_diagonal(distance, np.inf)
    largest = np.max(distance[np.isfinite(distance)])
    if np.min(distance) <= _EQUAL * largest:
        i, j = np.unravel_index(np.argmin(distance), distance.shape)
        raise ValueError(f"{name} must give different logits to all classes; got equal ones for classes {i} and {j}.")
    return np.asarray(1 / (np.sqrt(2 * np.pi) * distance))


def tie_constraints(rows: Array, i: int, j: int) -> Array | None:
    """Vectors c with c·ξ <= 0 where classes i and j tie above the others, in the hyperplane of the tie.

    None where a class that lies behind i or behind j, on the line through both, always wins.
    """
    others = np.delete(rows, [i, j], axis=0) - rows[i]
    line = rows[j] - rows[i]
    place = others @ line / (line @ line)
    constraints = others - place[:, None] * line
    on_line = np.linalg.norm(constraints, axis=1) <= _COLLINEAR * np.linalg.norm(others, axis=1)
    if np.any(on_line & (np.clip(place, 0, 1) != place)):
        return None
    return np.asarray(constraints[~on_line])


def _arcs(rows: Array) -> Array:
    """Length of the arc on which each two classes tie above all others."""
    arcs = np.zeros((len(rows), len(rows)))
    for i, j in combinations(range(len(rows)), 2):
        constraints = tie_constraints(rows, i, j)
        if constraints is not None:
            arcs[i, j] = arcs[j, i] = _arc(constraints, rows[j] - rows[i])
    return arcs


def _arc(constraints: Array, line: Array) -> float:
    """Length of the arc of a circle in the plane across `line` on which all constraints hold."""
    if not len(constraints):
        return 2 * np.pi
    first, second = _plane(line)
    angles = np.sort(np.arctan2(constraints @ second, constraints @ first))
    gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
    return max(0.0, float(np.max(gaps)) - np.pi)


def _plane(line: Array) -> tuple[Array, Array]:
    """Two vectors of one length that are orthogonal to each other and to `line`."""
    axis = np.eye(3)[np.argmin(np.abs(line))]
    first = np.cross(line, axis)
    return first, np.cross(line / np.linalg.norm(line), first)


def _perimeter(normals: Array) -> float:
    """Length of the closed polygon on the sphere through unit vectors that surround their mean."""
    first, second = _plane(normals.mean(axis=0))
    order = np.argsort(np.arctan2(normals @ second, normals @ first))
    here = normals[order]
    there = np.roll(here, 1, axis=0)
    sine = np.linalg.norm(np.cross(here, there), axis=1)
    return float(np.sum(np.arctan2(sine, np.sum(here * there, axis=1))))


def _rows(factor: ArrayLike) -> Array:
    """The rows as vectors in three dimensions."""
    rows = bounded("factor", factor, ndim=2, most=WIDE)
    if rows.shape[1] not in (2, 3) or len(rows) < 2:
        raise ValueError(f"factor must have shape (k, 2) or (k, 3) with k at least 2; got shape {rows.shape}.")
    return np.hstack([rows, np.zeros((len(rows), 3 - rows.shape[1]))])
