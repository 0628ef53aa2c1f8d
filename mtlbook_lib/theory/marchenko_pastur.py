r"""Singular values of pure noise: the Marchenko–Pastur law.

The noise matrix has independent entries of variance 1/columns and aspect :math:`A` = rows/columns. Everything is
counted per row: the law integrates to :math:`\min(1, 1/A)`, and for :math:`A > 1` the remaining :math:`1 - 1/A` sits in
an atom at zero, which no function of this module includes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import (
    Array,
    FloatOrArray,
    broadcast,
    function,
    like_input,
    positive,
    real_array,
    scalar,
    within,
)
from mtlbook_lib.theory import _noise_angle as law

__all__ = ["density", "expectation", "median_eigenvalue", "support", "tail_mass", "tail_quantile"]
_BLOCK = 8192  # entries handled at once
_ASPECTS = 1e-150, 1e150  # beyond, squares and inverses overflow
_ROUNDING = 1e-14  # a mass may exceed the total by this much, so that sums of masses are accepted


def support(aspect: ArrayLike) -> tuple[FloatOrArray, FloatOrArray]:
    r"""Edges of the support of the Marchenko–Pastur density of singular values.

    .. math:: s_\pm = \left|1 \pm \sqrt{A}\right|

    Source: Lampinen & Ganguli (2019), eq. 13; the lower edge with the absolute value that an aspect above 1 needs.

    Parameters
    ----------
    aspect : array_like, any shape
        Aspect :math:`A` = rows/columns, > 0.

    Returns
    -------
    lower, upper : float or ndarray, shape of `aspect`

    Examples
    --------
    >>> np.round(support(0.25), 3)
    array([0.5, 1.5])
    """
    lower, upper = law.edges(_checked(aspect))
    return like_input(lower), like_input(upper)


def density(s: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Marchenko–Pastur density of the singular values of pure noise, per row.

    .. math:: P(s) = \frac{\sqrt{4A - (s^2 - 1 - A)^2}}{\pi A s}

    Source: Lampinen & Ganguli (2019), eq. 13. It integrates to min(1, 1/A); an atom at zero, for A > 1, is left out.

    Parameters
    ----------
    s : array_like, any shape
        Singular value (dimensionless). The density is 0 outside the support, negative values included.
    aspect : array_like, broadcasts against `s`
        Aspect :math:`A` = rows/columns, > 0. At :math:`A = 1` the density at ``s = 0`` is its limit, :math:`2/\pi`.

    Examples
    --------
    >>> density([0.5, 1.0, 2.5], 1.0).round(3)
    array([0.616, 0.551, 0.   ])
    """
    return _pointwise(_density, s=real_array("s", s), aspect=_checked(aspect))


def _density(s: Array, aspect: Array) -> Array:
    # Clipped to an edge, all values but those below a lower edge at 0 get the density 0 that they have.
    lower, upper = law.edges(aspect)
    return law.density_inside(np.clip(s, lower, upper), aspect) * (s >= lower)


def tail_mass(s: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Mass of the Marchenko–Pastur law to the right of a singular value, per row.

    .. math::
        \int_s^{s_+} P = \frac{1}{\pi}\left[\varphi + \frac{(1 - A)\,\delta - \sqrt{A}\sin\varphi}{A}\right], \qquad
        \tan\delta = \frac{\sqrt{A}\sin\varphi}{1 + \sqrt{A}\cos\varphi}

    for :math:`A \le 1`, with :math:`s^2 = 1 + A + 2\sqrt{A}\cos\varphi`; for :math:`A > 1` the right-hand side is taken
    at :math:`1/A` and divided by :math:`A`.

    Source: integral of Lampinen & Ganguli (2019), eq. 13. The atom at zero (A > 1) is never counted.

    Parameters
    ----------
    s : array_like, any shape
        Singular value (dimensionless).
    aspect : array_like, broadcasts against `s`
        Aspect :math:`A` = rows/columns, > 0.

    Returns
    -------
    float or ndarray, the common shape of `s` and `aspect`
        0 at and above the upper edge, min(1, 1/A) at and below the lower one.

    Examples
    --------
    >>> tail_mass([0.5, 1.0, 1.5], 0.25).round(3)
    array([1.   , 0.447, 0.   ])
    """
    return _pointwise(law.mass_right_of, s=real_array("s", s), aspect=_checked(aspect))


def tail_quantile(mass: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Singular value with a given Marchenko–Pastur mass to its right: the inverse of ``tail_mass``.

    .. math:: \int_s^{s_+} P(s')\,ds' = \text{mass}

    Source: inverse of the integral of Lampinen & Ganguli (2019), eq. 13, by a bracketed Newton iteration on the angle.

    Parameters
    ----------
    mass : array_like, any shape
        Mass to the right of the wanted value, per row, in [0, min(1, 1/A)].
    aspect : array_like, broadcasts against `mass`
        Aspect :math:`A` = rows/columns, > 0.

    Examples
    --------
    The edges, and the median:

    >>> tail_quantile([0.0, 0.5, 1.0], 0.25).round(3)
    array([1.5  , 0.957, 0.5  ])
    """
    return _pointwise(_tail_quantile, mass=real_array("mass", mass), aspect=_checked(aspect))


def _tail_quantile(mass: Array, aspect: Array) -> Array:
    total = law.total_mass(aspect)
    if (mass < 0).any() or (mass > total * (1 + _ROUNDING)).any():
        raise ValueError(f"mass must lie in [0, min(1, 1/aspect)], the law's mass without its atom; got {mass}.")
    angle = law.solve_angle(np.minimum(mass, total), aspect)
    lower, upper = law.edges(aspect)
    return np.where(mass >= total, lower, np.where(mass == 0, upper, law.singular_value(angle, aspect)))


def expectation(
    func: Callable[[Array], ArrayLike], aspect: float, lower: float | None = None, upper: float | None = None
) -> FloatOrArray:
    r"""Integral of a function of the singular value against the Marchenko–Pastur density.

    .. math:: \int_{\text{lower}}^{\text{upper}} f(s)\,P(s)\,ds

    This is not a conditional mean: it is not divided by the mass of the region.

    Source: the averages of Lampinen & Ganguli (2019), eqs. 14 and 15. Gauss–Legendre quadrature in a variable in which
    the density is smooth up to its edges, also when the aspect is close to 1 and the lower edge close to 0.

    Parameters
    ----------
    func : callable
        Takes an array of singular values, shape (n,), and returns an array (..., n) of finite numbers or one number.
    aspect : float
        Aspect :math:`A` = rows/columns, > 0.
    lower, upper : float, optional
        The region, `lower` at most `upper`, clipped to the support. Default: the whole support. Put a kink of `func`
        at an end.

    Returns
    -------
    float or ndarray, shape (...) of `func`'s leading axes

    Examples
    --------
    Noise of entry variance 1/columns has energy 1 in each row:

    >>> round(expectation(np.square, 0.25), 6)
    1.0
    """
    function("func", func)
    aspect = scalar("aspect", aspect, lambda _, value: _checked(value))
    start = 0.0 if lower is None else scalar("lower", lower)
    stop = np.inf if upper is None else scalar("upper", upper)
    if start > stop:
        raise ValueError(f"lower must not exceed upper; got lower={start:g} and upper={stop:g}.")
    start, stop = np.clip([start, stop], *support(aspect))
    s, weights = law.quadrature(start, stop, aspect)
    values = real_array("func(s)", func(s))
    if values.ndim and values.shape[-1] != s.size:
        raise ValueError(f"func must return shape (..., n) for n singular values, n = {s.size}; got {values.shape}.")
    return like_input(np.sum(values * weights, axis=-1))


def median_eigenvalue(aspect: ArrayLike) -> FloatOrArray:
    r"""Median of the squared singular values of pure noise.

    .. math:: \int_{\sqrt{\mu}}^{s_+} P(s)\,ds = \tfrac{1}{2}

    Source: the estimate of an unknown noise level of Gavish & Donoho (2014), in the normalisation of Lampinen &
    Ganguli (2019), eq. 13.

    Parameters
    ----------
    aspect : array_like, any shape
        Aspect :math:`A` = rows/columns, in (0, 1], where the law has no atom.

    Examples
    --------
    >>> median_eigenvalue([1e-6, 1.0]).round(3)
    array([1.   , 0.653])
    """
    aspect = _checked(aspect)
    if np.any(aspect > 1):
        raise ValueError(f"aspect must lie in (0, 1] (transpose a matrix with more rows than columns); got {aspect}.")
    return like_input(np.square(tail_quantile(0.5, aspect)))


def _checked(aspect: ArrayLike) -> Array:
    return within("aspect", positive("aspect", aspect), *_ASPECTS)


def _pointwise(func: Callable[[Array, Array], Array], **arguments: Array) -> FloatOrArray:
    """`func` of two arrays, in blocks that stay in the processor's cache; the roots of one aspect are not repeated."""
    (values, aspects), (whole, _) = arguments.values(), broadcast(**arguments)
    if values.size * aspects.size <= _BLOCK:
        return like_input(func(values, aspects))
    values, aspects = broadcast(**arguments) if aspects.size > 1 else (values, aspects)
    values, aspects, out = values.ravel(), aspects.ravel(), np.empty(values.size)
    for first in range(0, out.size, _BLOCK):
        block = slice(first, first + _BLOCK)
        out[block] = func(values[block], aspects[block] if aspects.size > 1 else aspects)
    return out.reshape(whole.shape)


def __dir__() -> list[str]:
    return list(__all__)
