"""The end of a sparse solver, against the optimality conditions written out in full."""

import numpy as np
from scipy.linalg import block_diag
from sparse_tasks import task

from mtlbook_lib.theory import interpolation
from mtlbook_lib.theory.interpolation import polish


def test_polishing_ends_at_the_optimality_conditions():
    """From coefficients and multipliers that are off by a thousandth: the multipliers then explain the unit vectors."""
    tasks = [task(n, 20, 8, seed) for seed, n in enumerate((7, 9))]
    rows = [np.linalg.qr(x.T)[0].T for x, _, _ in tasks]
    exact = interpolation.min_group_norm([x for x, _, _ in tasks], [y for _, y, _ in tasks])
    norms = np.linalg.norm(exact, axis=0)
    used = norms > 1e-9
    design, units = block_diag(*(row[:, used] for row in rows)), exact[:, used] / norms[used]
    multipliers = np.linalg.lstsq(design.T, units.ravel(), rcond=None)[0]
    rng = np.random.default_rng(1)
    off, turned = exact + 1e-3 * used * rng.normal(size=exact.shape), multipliers + 1e-3 * rng.normal(size=16)
    misfit = np.concatenate([row @ (true - beta) for row, true, beta in zip(rows, exact, off, strict=True)])
    slopes = np.where(used, 1.0, 0.1) * off / np.maximum(np.linalg.norm(off, axis=0), 1e-3)
    betas, found = polish.polished(rows, off, slopes, turned, misfit)
    np.testing.assert_allclose(betas, exact, atol=1e-10)
    np.testing.assert_allclose(design.T @ found, units.ravel(), atol=1e-10)
