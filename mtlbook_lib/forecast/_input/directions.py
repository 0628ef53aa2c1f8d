"""Directions of the inputs along which a task has no spread, and the columns that they come from.

Full one-hot dummies add up to 1, a duplicated column says what another one says, a population column is constant in
each task: no least-squares fit along such a direction exists, and none is needed.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import qr, solve_triangular

from mtlbook_lib._checks import Array

NULL = 1e-8  # singular value, relative to the largest, at which the whitening of a task gives up
SHARE = 1e-6  # coefficient, in units of the columns' spreads, that counts as taking part


def seen_axes(axes: Array, factors: list[Array], null: float = NULL) -> Array:
    r"""The part of the axes, shape (d, k), along which every table has spread: null directions are taken out.

    A factor of a table is a matrix with :math:`F^T F` the scatter of its rows around their mean, such as these rows.
    """
    kept, sizes = axes, [_spectrum(factor @ axes)[0].max(initial=0.0) for factor in factors]
    while kept.shape[1]:
        for factor, size in zip(factors, sizes, strict=True):
            values, directions = _spectrum(factor @ kept)
            seen = values > 2 * null * size
            if not seen.all():
                kept = kept @ directions[:, seen]
                break
        else:
            return kept
    return kept


def relations(rows: Array, names: tuple[str, ...] | None) -> str:
    """What is constant, and which columns hang together, in words; empty where nothing is or nothing can be told."""
    called = [repr(name) for name in names] if names else [str(place) for place in range(rows.shape[1])]
    centred = rows - rows.mean(axis=0)
    spread = centred.std(axis=0)
    varies = np.flatnonzero(spread > 1e-12 * np.abs(rows).max(axis=0))
    constant = [called[place] for place in range(rows.shape[1]) if place not in set(varies.tolist())]
    found = [f"constant: {', '.join(constant)}"] if constant else []
    if len(rows) > len(varies) + 1 and len(varies):
        groups = _groups(centred[:, varies] / spread[varies])
        found += [f"hang together: {', '.join(called[varies[place]] for place in group)}" for group in groups]
    return "; ".join(found)


def _spectrum(factor: Array) -> tuple[Array, Array]:
    """Singular values along all directions of the columns, none of them left out, and the directions as columns."""
    _, values, directions = np.linalg.svd(factor, full_matrices=len(factor) < factor.shape[1])
    return np.concatenate([values, np.zeros(factor.shape[1] - len(values))]), directions.T


def _groups(columns: Array) -> list[list[int]]:
    """Columns that are linear in one another, as sorted groups."""
    triangle, order = qr(columns, mode="r", pivoting=True)
    triangle = triangle[: columns.shape[1]]
    diagonal = np.abs(np.diag(triangle))
    rank = int((diagonal > NULL * diagonal[0]).sum())
    shares = np.abs(solve_triangular(triangle[:rank, :rank], triangle[:rank, rank:])) > SHARE
    groups: list[set[int]] = []
    for place, takes in zip(order[rank:], shares.T, strict=True):
        new = {int(place), *(int(column) for column in order[:rank][takes])}
        apart = [group for group in groups if not group & new]
        groups = [*apart, new.union(*(group for group in groups if group & new))]
    return sorted(sorted(group) for group in groups)
