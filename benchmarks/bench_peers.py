"""Packages that do some of the same, where they are installed; a line says so where they are not.

Told the noise's level, optht 0.2 scales its threshold with the root of the number of singular values, the shorter side
of the matrix, where the law has the longer one: too low a threshold for any matrix that is not square.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.timing import Row, largest_difference, timed
from mtlbook_lib.theory import marchenko_pastur, spiked

STRENGTHS = (3.0, 4.0, 5.0)  # all of them far above the noise
SHAPES = [(50, 100), (20, 100), (100, 1000), (100, 100)]
ASPECTS = (0.5, 1.0)


def peer(module: str, package: str) -> Any:
    """The module, or None and a line that says what is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        print(f"Skipped: {package} cannot be imported here ({error.msg}); it is in the extra `bench`.")
        return None


def spectra(n_rows: int, n_cols: int, count: int) -> np.ndarray:
    """Singular values of matrices of rank three in noise of variance 1 / n_cols."""
    rng = np.random.default_rng([n_rows, n_cols])
    left, right = (np.linalg.qr(rng.standard_normal((count, n, 3)))[0] for n in (n_rows, n_cols))
    noise = rng.standard_normal((count, n_rows, n_cols)) / np.sqrt(n_cols)
    return np.linalg.svd((left * STRENGTHS) @ right.swapaxes(-1, -2) + noise, compute_uv=False)


def rank_rows(optht: Any, shape: tuple[int, int], count: int) -> list[Row]:
    """How many modes are found, with the noise's level unknown or given; the error is the mean distance from three."""
    values, (n_rows, n_cols) = spectra(*shape, count), shape
    aspect = min(shape) / max(shape)
    found = []
    for label, scale, sigma in (("unknown", None, None), ("given", np.ones(count), 1 / np.sqrt(n_cols))):
        ours, seconds = timed(lambda s=scale: spiked.detected_modes(values, *shape, scale=s).sum(axis=-1), count)
        theirs, other = timed(lambda sigma=sigma: [optht.optht(aspect, v, sigma) for v in values], count)
        what = f"modes at rank 3, {n_rows} x {n_cols}, noise {label}: {_found(ours)}"
        errors = (float(np.mean(np.abs(np.asarray(x) - len(STRENGTHS)))) for x in (ours, theirs))
        found.append(Row(what, f"optht: {_found(theirs)}", "matrix", seconds, other, *errors))
    return found


def _found(ranks: Sequence[int]) -> str:
    return f"finds {min(ranks)}" if min(ranks) == max(ranks) else f"finds {min(ranks)} to {max(ranks)}"


def density_row(law: Any, aspect: float, points: int) -> Row:
    """Density over the support with both edges, as a density of eigenvalues; at aspect 1 it diverges at zero."""
    lower, upper = marchenko_pastur.support(aspect)
    s = np.linspace(lower, upper, points)
    their_law = law.MarchenkoPasturDistribution(ratio=aspect)
    ours, seconds = timed(lambda: marchenko_pastur.density(s, aspect), points)
    theirs, other = timed(lambda: their_law.pdf(s**2) * 2 * s, points)
    angle = np.arccos(np.clip((s**2 - 1 - aspect) / (2 * np.sqrt(aspect)), -1, 1))
    inner = slice(1, -1)
    exact = 2 * np.sqrt(aspect) * np.sin(angle[inner]) / (np.pi * aspect * s[inner])
    errors = largest_difference(ours[inner], exact), largest_difference(theirs[inner], exact)
    what = f"density at aspect {aspect:g}, {points} points: {np.isnan(ours).sum()} NaN"
    return Row(what, f"scikit-rmt: {np.isnan(theirs).sum()} NaN", "point", seconds, other, *errors)


def rows(small: bool = False) -> list[Row]:
    found: list[Row] = []
    optht = peer("optht", "optht")
    if optht is not None:
        for shape in SHAPES[:1] if small else SHAPES:
            found += rank_rows(optht, shape, 2 if small else 20)
    law = peer("skrmt.ensemble.spectral_law", "scikit-rmt")
    if law is not None:
        found += [density_row(law, aspect, 50 if small else 100_000) for aspect in ASPECTS]
    return found
