"""How many rows of a task its partner is worth."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast import prior
from mtlbook_lib.forecast._related.average import Average

SHARES = (0.0, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)  # of a row of the target that each row of the partner counts


def worth_of(averages: Sequence[Any]) -> float:
    r"""Rows of task a that its one partner is worth, from 0 to the number m of its rows.

    Were the partner's m rows of task a, each counting c rows, a label of a given all other rows would leave of a's
    function, on average, the variance

    .. math:: v(c) = \frac1n \sum_i \frac1{(\Sigma_c^{-1})_{ii}} - \tau, \qquad \Sigma_c = M_A + \tau I
        - M_{BA}^T \Big(M_B + \frac\tau c I\Big)^{-1} M_{BA}, \qquad M = K + \mathbf 1 \mathbf 1^T .

    A member that listens to the partner leaves :math:`v_j`, and takes it for m c rows where :math:`v(c) = v_j`; one
    that does not, for none. The sum over members has the weights with which they predict. Kernel and noise are those
    of most weight, and 1/v is interpolated between the SHARES. Source: ours.
    """
    heard = [
        [(one, weight.reshape(-1, len(prior.NOISES)).sum(axis=0)) for one, weight in average.counted
         if one.relation.partners is not None] for average in averages
    ]  # fmt: skip
    masses = np.array([np.sum([weight for _, weight in part], axis=0) + 0 * prior.NOISES for part in heard])
    if not masses.any():
        return 0.0
    place, noise = divmod(int(np.argmax(masses)), len(prior.NOISES))
    part, tau = heard[place], float(prior.NOISES[noise])
    tables = averages[place].rows, part[0][0].relation.partners.rows
    counted = 1 / np.array([_left(averages[place], *tables, tau, share) for share in SHARES])
    found = 0.0
    for one, weight in part:
        left = float(np.square(one.deviations[:, noise] * one.scales[noise]).mean()) - tau
        found += float(weight[noise] * np.interp(1 / left, counted, SHARES))
    return len(tables[1]) * found * float(masses.sum() / masses[place, noise])


def _left(average: Average, own: Array, other: Array, tau: float, share: float) -> float:
    """v(c)."""
    pairs = (own, own), (other, own), (other, other)
    within, between, beside = (average.kernel(*rows) + prior.INTERCEPT for rows in pairs)
    if share:
        factor = cholesky(beside + tau / share * np.eye(len(other)), lower=True, check_finite=False)
        seen = solve_triangular(factor, between, lower=True, check_finite=False)
        within = within - seen.T @ seen
    return float((1 / np.diag(np.linalg.inv(within + tau * np.eye(len(own))))).mean()) - tau
