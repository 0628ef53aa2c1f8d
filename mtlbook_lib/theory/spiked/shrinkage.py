r"""From the data back to the signal: the level of the noise, the modes that stand out of it, what to make of them.

A matrix has aspect :math:`A` = rows/columns; the noise has entries of variance 1/columns, where it is not estimated.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import (
    Array,
    FloatOrArray,
    broadcast,
    in_scale,
    like_input,
    nonnegative,
    positive,
    real_array,
    scalar,
    whole,
    within,
)
from mtlbook_lib.theory import tracy_widom
from mtlbook_lib.theory.marchenko_pastur import median_eigenvalue, support
from mtlbook_lib.theory.spiked.finite_size import edge_law

TOO_LOW = 8.0  # widths below the lower edge, passed by none of 18,500 matrices of noise of eight sizes


def clean_singular_value(s_hat: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Singular value of the signal behind an outlier of the data: the inverse of ``noisy_singular_value``.

    .. math:: s^2 = \frac{b + \sqrt{b^2 - 4A}}{2}, \qquad b = \hat s^2 - 1 - A

    Source: Lampinen & Ganguli (2019), eq. 11 solved for the signal. At the edge it returns the threshold.

    Parameters
    ----------
    s_hat : array_like, any shape
        Singular value of the data (dimensionless), at least the noise's upper edge :math:`1 + \sqrt A`,
        below which it carries no trace of a signal.
    aspect : array_like, broadcasts against `s_hat`
        Aspect :math:`A` = rows/columns, > 0.

    Examples
    --------
    >>> clean_singular_value([2.0, 2.5], 1.0)
    array([1., 2.])
    """
    s_hat, aspect = broadcast(s_hat=real_array("s_hat", s_hat), aspect=positive("aspect", aspect))
    lower, upper = map(np.asarray, support(aspect))
    if np.any(s_hat < upper):
        raise ValueError(f"s_hat must be at least the noise's edge 1 + sqrt(aspect) = {upper}; got {s_hat}.")
    # (b + sqrt(b^2 - 4A)) / 2 is a perfect square once b is written with the two edges.
    return like_input(_root_difference(s_hat, lower) / 2 + _root_difference(s_hat, upper) / 2)


def optimal_shrinkage(s_hat: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Strength that a data mode should be given for the least squared error of the map; 0 in the bulk.

    .. math:: \eta(\hat s) = \frac{\sqrt{(\hat s^2 - 1 - A)^2 - 4A}}{\hat s} = s\,\mathcal O(s)
        \quad (\hat s > 1 + \sqrt A), \qquad 0 \quad \text{else}

    Source: Lampinen & Ganguli (2019), Sec. 3.7 and eq. 16, as a function of the data (Gavish & Donoho, 2017).

    Parameters
    ----------
    s_hat : array_like, any shape
        Singular value of the data (dimensionless), >= 0.
    aspect : array_like, broadcasts against `s_hat`
        Aspect :math:`A` = rows/columns, > 0.

    Examples
    --------
    A value of 2.5 comes from a signal of 2, and is best made 1.5:

    >>> optimal_shrinkage([1.0, 2.0, 2.5], 1.0)
    array([0. , 0. , 1.5])
    """
    s_hat, aspect = broadcast(s_hat=nonnegative("s_hat", s_hat), aspect=positive("aspect", aspect))
    lower, upper = map(np.asarray, support(aspect))
    outlier = np.maximum(s_hat, upper)
    return like_input(_root_difference(outlier, lower) / outlier * _root_difference(outlier, upper))


def noise_scale(singular_values: ArrayLike, n_rows: int, n_cols: int) -> FloatOrArray:
    r"""Noise level of a matrix from the median of its singular values, which a few strong modes hardly move.

    .. math:: \hat\sigma = \sqrt{n_{\rm cols}}\;\frac{\operatorname{median}(\hat s)}{\sqrt{\max(n_{\rm rows},
        n_{\rm cols})\,\mu}}

    with :math:`\mu` the median eigenvalue of noise of aspect min/max of the two sizes.

    Source: Gavish & Donoho (2014), for the case of unknown noise that Lampinen & Ganguli (2019), Sec. 3.7, leave open.

    Parameters
    ----------
    singular_values : array_like, shape (..., min(n_rows, n_cols))
        All singular values of each matrix, in any order.
    n_rows, n_cols : int
        Shape of the matrix, counting only rows and columns that hold noise: constant ones, and copies, are left out.

    Returns
    -------
    float or ndarray, the leading shape of `singular_values`
        Entry standard deviation times the root of `n_cols`: 1 for noise with entries of variance 1/columns.

    Raises
    ------
    ValueError
        If some singular values of a matrix are 0 up to rounding and others are not: the median says nothing then.

    Examples
    --------
    >>> noise = 3 * np.random.default_rng(0).standard_normal((50, 200)) / np.sqrt(200)
    >>> round(noise_scale(np.linalg.svd(noise, compute_uv=False), 50, 200), 1)
    3.0
    """
    n_rows, n_cols = whole("n_rows", n_rows), whole("n_cols", n_cols)
    values = _all_singular_values(singular_values, n_rows, n_cols)
    _check_noise(values, max(n_rows, n_cols))
    small, large = min(n_rows, n_cols), max(n_rows, n_cols)
    entry_deviation = np.median(values, axis=-1) / np.sqrt(large * median_eigenvalue(small / large))
    return like_input(entry_deviation * np.sqrt(n_cols))


def detected_modes(
    singular_values: ArrayLike, n_rows: int, n_cols: int, level: float = 0.01, scale: ArrayLike | None = None
) -> NDArray[np.bool_]:
    r"""Which singular values of a matrix are too large for noise alone.

    .. math:: \hat s^2 > \frac{\hat\sigma^2}{n_{\rm cols}}\left(\mu + \sigma w\right)

    with the centre :math:`\mu` and width :math:`\sigma` of ``largest_noise_singular_value`` and the quantile :math:`w`
    that a Tracy–Widom variable exceeds with probability `level`.

    Source: Johnstone (2001) for the law of the edge; Lampinen & Ganguli (2019), Sec. 3.7, keep the modes beyond it.
    The scatter of an estimated scale adds false marks: at level 0.01, 0.037 instead of 0.009 of 2000 matrices of 100 ×
    100, 0.015 instead of 0.014 of as many of 100 × 400.

    Parameters
    ----------
    singular_values : array_like, shape (..., min(n_rows, n_cols))
        All singular values of each matrix, in any order.
    n_rows, n_cols : int
        Shape of the matrix; `n_cols` at least 2. Without `scale` only rows and columns that hold noise count.
    level : float
        Probability that a matrix of pure noise has a mode marked, if the scale is known; 1e-9 to 1 − 1e-9.
    scale : array_like, the leading shape of `singular_values`, optional
        Entry standard deviation times the root of `n_cols`, > 0. Default: ``noise_scale`` of each matrix.

    Returns
    -------
    ndarray of bool, shape of `singular_values`
        Its sum over the last axis counts the modes.

    Raises
    ------
    ValueError
        Without `scale`, as ``noise_scale``; if the smallest singular value is far below the edge of noise of this size,
        as where a part of the columns is zero: the others' noise would then seem too large.

    Examples
    --------
    >>> data = np.random.default_rng(0).standard_normal((50, 200)) / np.sqrt(200)
    >>> data[0, 0] += 5
    >>> int(detected_modes(np.linalg.svd(data, compute_uv=False), 50, 200).sum())
    1
    """
    n_rows, n_cols = whole("n_rows", n_rows), whole("n_cols", n_cols, minimum=2)
    level = scalar("level", level, lambda name, value: within(name, value, 1e-9, 1 - 1e-9))
    values = _all_singular_values(singular_values, n_rows, n_cols)
    sigma = np.asarray(noise_scale(values, n_rows, n_cols)) if scale is None else in_scale("scale", scale)
    if scale is None:
        _check_lower_edge(values.min(axis=-1) * np.sqrt(n_cols), sigma, n_rows, n_cols)
    values, sigma = broadcast(singular_values=values, scale=sigma[..., None])
    centre, width = edge_law(n_cols, n_rows)
    quantile = tracy_widom.quantile(np.maximum(1 - level, 1e-9))  # the least probability, also where 1 - level rounds
    bound = np.sqrt((centre + width * quantile) / n_cols)
    marked: NDArray[np.bool_] = values > sigma * bound
    return marked


def _all_singular_values(singular_values: ArrayLike, n_rows: int, n_cols: int) -> Array:
    values = nonnegative("singular_values", singular_values)
    if values.ndim == 0 or values.shape[-1] != min(n_rows, n_cols):
        raise ValueError(
            f"singular_values must hold all min(n_rows, n_cols) = {min(n_rows, n_cols)} values of a matrix along the "
            f"last axis; got shape {values.shape}."
        )
    return values


def _check_noise(values: Array, large: int) -> None:
    """Noise of full size has no singular value that is 0 up to rounding; a matrix of zeros has no noise."""
    none = values <= np.finfo(np.float64).eps * large * values.max(axis=-1, keepdims=True)
    lacking = none.sum(axis=-1)
    if np.any((lacking > 0) & (lacking < values.shape[-1])):
        raise ValueError(
            f"singular_values must be those of noise in all directions, where no scale is given; {lacking.max()} of "
            f"{values.shape[-1]} are 0 up to rounding. Leave out rows and columns that are zero, constant or copies, "
            "and pass the size of the rest, or pass scale."
        )


def _check_lower_edge(smallest: Array, sigma: Array, n_rows: int, n_cols: int) -> None:
    """Signals leave the lower edge of the bulk where it is. Law of its logarithm: Ma (2012)."""
    small, large = sorted((n_rows, n_cols))
    if small == large:  # its edge is 0
        return
    edge = (np.sqrt(large - 0.5) - np.sqrt(small - 0.5)) ** 2
    width = (np.sqrt(large) - np.sqrt(small)) * (1 / np.sqrt(small) - 1 / np.sqrt(large)) ** (1 / 3) / edge
    if np.any(np.square(smallest) < np.square(sigma) * edge * np.exp(-TOO_LOW * width)):
        raise ValueError(
            f"singular_values must be those of noise of the size {n_rows} × {n_cols}, where no scale is given; the "
            "smallest is far below. Leave out rows and columns that are zero, constant or copies, and pass the size of "
            "the rest, or pass scale."
        )


def _root_difference(larger: Array, smaller: Array) -> Array:
    # sqrt(larger^2 - smaller^2) without cancellation or overflow.
    root: Array = np.sqrt(larger - smaller) * np.sqrt(larger + smaller)
    return root
