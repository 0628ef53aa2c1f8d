"""The average of all members as it predicts: one weight for each row of every task, however many members there are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast._related.kernels import Bent
from mtlbook_lib.forecast._related.members import Members
from mtlbook_lib.forecast._related.relations import Partners
from mtlbook_lib.forecast.prior import INTERCEPT

NEGLIGIBLE = 1e-12  # members of less weight are left out of spreads; their means count


@dataclass(frozen=True)
class Average:
    """Members of one kernel, with their weights among those of all kernels.

    Attributes
    ----------
    kernel : Bent
    rows : ndarray, shape (n, d)
        Of task a.
    level : float
    columns : list of (rows, weights)
        The mean at x is the level and the sum of weights times the kernel between x and the rows: of a, then of its
        partners.
    counted : list of (Members, weights)
    """

    kernel: Bent
    rows: Array
    level: float
    columns: list[tuple[Array, Array]]
    counted: list[tuple[Members, Array]]

    def mean(self, new: Array) -> Array:
        """Weighted means at new rows, in units of a's standardised labels."""
        return np.asarray(self.level + sum(self.kernel(new, rows) @ weights for rows, weights in self.columns))

    def squares(self, new: Array) -> Array:
        """Weighted sum of a new label's variance and squared mean."""
        own, total = self.kernel(self.rows, new) + INTERCEPT, np.zeros(len(new))
        prior = self.kernel.diagonal(new) + INTERCEPT
        seen: dict[int, tuple[Array, Array]] = {}
        for members, weights in self.counted:
            partners = members.relation.partners
            cross, known, predicted = own, np.zeros(len(new)), np.zeros(len(new))
            if partners is not None:
                if id(partners) not in seen:
                    kernels = [self.kernel(partners.rows, rows) for rows in (self.rows, new)]
                    seen[id(partners)] = partners.whiten(kernels[0]), partners.whiten(kernels[1])
                at_rows, at_new = map(members.relation.through, seen[id(partners)])
                cross, known = own - at_rows.T @ at_new, np.square(at_new).sum(axis=0)
                predicted = partners.whitened @ at_new - members.relation.offset
            along = np.square(members.axes.T @ cross)
            for place in np.flatnonzero(weights):
                s, tau = members.scales[place], members.noises[place]
                rest = prior - known - (1 / (members.values + tau)) @ along
                mean = np.sign(members.correlations[place]) * predicted / s + members.weights[:, place] @ cross
                total += weights[place] * ((np.maximum(rest, 0.0) + tau) / s**2 + np.square(mean))
        return total


def average_of(kernel: Bent, rows: Array, members: Sequence[Members], weights: Sequence[Array]) -> Average:
    """Folds the members into one weight for each row."""
    own, level = np.zeros(len(rows)), 0.0
    seen: dict[int, Array] = {}
    parts: dict[int, tuple[Partners, Array]] = {}  # multiplies the whitened kernel
    for one, weight in zip(members, weights, strict=True):
        own += one.weights @ weight
        relation, partners = one.relation, one.relation.partners
        if partners is None:
            continue
        if id(partners) not in seen:
            seen[id(partners)] = partners.whiten(kernel(partners.rows, rows))
            parts[id(partners)] = partners, np.zeros(len(partners.whitened))
        through = relation.through(seen[id(partners)])
        part = weight @ (np.sign(one.correlations) / one.scales) * partners.whitened - through @ (one.weights @ weight)
        parts[id(partners)] = partners, parts[id(partners)][1] + relation.size * part
        if relation.units is not None:
            level += INTERCEPT * float(partners.level @ part) - relation.offset * float(weight @ (1 / one.scales))
    columns = [(rows, own), *((one.rows, one.unwhiten(part)) for one, part in parts.values())]
    kept = [(one, np.where(weight > NEGLIGIBLE, weight, 0.0)) for one, weight in zip(members, weights, strict=True)]
    level += INTERCEPT * own.sum()
    return Average(kernel, rows, level, columns, [(one, weight) for one, weight in kept if weight.any()])
