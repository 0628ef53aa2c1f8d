"""The last digits of a minimal sum of norms: Newton's steps on its optimality conditions, on the support only.

An interior-point method ends with the support and with a gap of 1e-14, but with coefficients good to 1e-7 where the sum
is flat. On the support the sum is smooth, and its conditions are equations.
"""

import numpy as np
from scipy.linalg import block_diag, lstsq

from mtlbook_lib._checks import Array

_STEPS = 3


def polished(rows: list[Array], betas: Array, slopes: Array, multipliers: Array, misfit: Array) -> tuple[Array, Array]:
    """Coefficients and multipliers after the steps, from the present combinations of rows (slopes) and misfit.

    The coefficients' norms are of order 1; a coordinate is in the support where its norm exceeds its distance from the
    boundary of the slopes' domain.
    """
    used = np.linalg.norm(betas, axis=0) > 1 - np.linalg.norm(slopes, axis=0)
    rows = [row[:, used] for row in rows]
    design = block_diag(*rows)
    inner, tasks = betas[:, used], len(betas)
    rest = misfit + design @ inner.ravel()
    outer = design.T @ multipliers
    for _ in range(_STEPS):
        norms = np.linalg.norm(inner, axis=0)
        units = inner / norms
        curvature = (np.eye(tasks)[:, :, None] - units[:, None] * units[None]) / norms
        corner = np.block([[np.diag(curvature[i, j]) for j in range(tasks)] for i in range(tasks)])
        system = np.block([[corner, -design.T], [design, np.zeros((len(design), len(design)))]])
        right = np.concatenate((outer - units.ravel(), rest - design @ inner.ravel()))
        # The multipliers are not unique where the support is smaller than the number of equations.
        change = lstsq(system, right, lapack_driver="gelsy")[0]
        inner = inner + change[: inner.size].reshape(inner.shape)
        multipliers = multipliers + change[inner.size :]
        outer = design.T @ multipliers
    full = np.zeros(betas.shape)
    full[:, used] = inner
    return full, multipliers
