"""How related two tasks are once noise has entered the maps that set their labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import FloatOrArray, broadcast, counts, like_input, nonnegative, within
from mtlbook_lib.theory.classification.overlaps import teacher_overlap


def noisy_relatedness(
    snr_a: ArrayLike, snr_b: ArrayLike, relatedness: ArrayLike, k: ArrayLike, n_features: ArrayLike
) -> FloatOrArray:
    r"""Root mean square of the canonical correlations of two noisy teachers' row spaces.

    .. math:: \hat r^2 = x^2 + \frac kd\,(1 - \rho_A^2\rho_B^2), \qquad x = r\,\rho_A\rho_B, \qquad
        \rho = \frac{s}{\sqrt{1 + s^2}}

    Source: ours, to leading order in k/d, for the relatedness of Lee & Ndirango (2019), eq. 4. A row of a noisy
    teacher, scaled to one, is :math:`\rho` times a clean direction plus :math:`\sqrt{1 - \rho^2}` times a random one.
    Products of clean parts of both tasks are :math:`x` on the diagonal; all others are random, of variance 1/d each.

    Parameters
    ----------
    snr_a, snr_b : array_like
        Singular values :math:`s` of the clean teachers, of rank k, in noise of variance 1/d; >= 0.
    relatedness : array_like
        :math:`r` of the clean teachers, in [0, 1].
    k, n_features : int or array of ints
        Numbers of classes, at least 2, and of features :math:`d`, at least k. All arguments broadcast.

    Examples
    --------
    >>> noisy_relatedness([1.0, 1e4], [1.0, 1e4], 0.5, 10, 100).round(3)
    array([0.371, 0.5  ])
    """
    a, b, r, classes, features = broadcast(
        snr_a=nonnegative("snr_a", snr_a),
        snr_b=nonnegative("snr_b", snr_b),
        relatedness=within("relatedness", relatedness, 0.0, 1.0),
        k=counts("k", k, minimum=2).astype(np.float64),
        n_features=counts("n_features", n_features).astype(np.float64),
    )
    if (features < classes).any():
        raise ValueError(f"n_features must be at least k; got {n_features!r} for {k!r} classes.")
    visible = np.asarray(teacher_overlap(a)) * np.asarray(teacher_overlap(b))
    return like_input(np.sqrt((r * visible) ** 2 + classes / features * (1 - visible**2)))
