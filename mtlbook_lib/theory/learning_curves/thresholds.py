r"""Sampling ratios n/D from which narrow starts recover the coefficients exactly."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import ndtr

from mtlbook_lib._checks import nonnegative, positive, scalar


def l1_threshold(rho: float) -> float:
    r"""Sampling ratio from which the least l1 norm recovers sparse coefficients: single-task training, narrow start.

    .. math:: \min_t\; \rho(1 + t^2) + (1 - \rho)\psi(t), \qquad \psi(t) = 2\left[(1 + t^2)\Phi(-t) - t\varphi(t)\right]

    Source: the statistical dimension of the l1 descent cone (Amelunxen et al., 2014).

    Parameters
    ----------
    rho : float
        Fraction of coefficients that are not zero, in [0, 1].

    Returns
    -------
    float
        n/D.

    Examples
    --------
    >>> [round(l1_threshold(rho), 3) for rho in (0.1, 0.5, 1.0)]
    [0.329, 0.831, 1.0]
    """
    (rho,) = _fractions(rho=rho)
    return _least(lambda t: rho * (1 + t**2) + (1 - rho) * _psi(t))


def finetuning_threshold(rho_aux: float, rho_new: float) -> float:
    r"""Sampling ratio from which finetuning from narrow starts recovers the coefficients.

    .. math:: \rho_{aux} + \min_t\; \rho_{new}(1 + t^2) + (1 - \rho_{aux} - \rho_{new})\psi(t)

    Pretrained coefficients cost one sample each, whether the main task uses them or not, and no more.

    Source: ours, from the statistical dimension of the limit of ``implicit_bias.finetuning_penalty``.

    Parameters
    ----------
    rho_aux : float
        Fraction of pretrained coefficients.
    rho_new : float
        Fraction that only the main task uses.

    Returns
    -------
    float
        n/D.

    Examples
    --------
    Pretrained coefficients cost one sample each:

    >>> round(finetuning_threshold(0.1, 0.0), 3), round(finetuning_threshold(0.0, 0.1), 3)
    (0.1, 0.329)
    """
    rho_aux, rho_new = _fractions(rho_aux=rho_aux, rho_new=rho_new)
    rest = max(0.0, 1 - rho_aux - rho_new)
    return _least(lambda t: rho_aux + rho_new * (1 + t**2) + rest * _psi(t))


def group_threshold(rho_shared: float, rho_unused: float, rho_new: float, ratio: float = 1.0) -> float:
    r"""Sampling ratio from which the least group norm, given the auxiliary task, recovers the coefficients.

    .. math:: \min_t\; \rho_{shared}\left(1 + \frac{t^2 r^2}{1 + r^2}\right) + \rho_{unused} + \rho_{new}(1 + t^2)
        + \rho_{rest}\psi(t)

    Source: ours, for Lindsey & Lippl (2023), eq. 2, the auxiliary task being known.

    Parameters
    ----------
    rho_shared, rho_unused, rho_new : float
        Fractions used by both tasks, by the auxiliary task only, by the main task only.
    ratio : float
        r, size of the main task's shared coefficients divided by the auxiliary task's, > 0.

    Returns
    -------
    float
        n/D.

    Examples
    --------
    >>> round(group_threshold(0.1, 0.0, 0.0), 3), round(group_threshold(0.0, 0.0, 0.1), 3)
    (0.251, 0.329)
    """
    shared, unused, new = _fractions(rho_shared=rho_shared, rho_unused=rho_unused, rho_new=rho_new)
    ratio = scalar("ratio", ratio, positive)
    tilt = ratio / np.hypot(1, ratio)
    rest = max(0.0, 1 - shared - unused - new)
    return _least(lambda t: shared * (1 + (t * tilt) ** 2) + unused + new * (1 + t**2) + rest * _psi(t))


def retained_threshold(rho_same: float, rho_wrong: float, rho_unused: float, rho_new: float) -> float:
    r"""Sampling ratio from which finetuning with the pretrained readout kept, from narrow starts, recovers.

    .. math:: \min_t\; \rho_{same} + \rho_{wrong}(1 + 4t^2) + \rho_{unused}\frac{1 + \psi(2t)}{2}
        + \rho_{new}(1 + t^2) + \rho_{rest}\psi(t)

    Source: ours, from the limit :math:`\sum |\beta| - \mathrm{sgn}(\beta_{aux})\beta` on pretrained coefficients,
    :math:`\sum|\beta|` elsewhere.

    Parameters
    ----------
    rho_same, rho_wrong : float
        Fractions used by both tasks with the same and with opposite signs.
    rho_unused, rho_new : float
        Fractions used by the auxiliary task only, by the main task only.

    Returns
    -------
    float
        n/D.

    Examples
    --------
    The same signs, the opposite ones:

    >>> round(retained_threshold(0.1, 0.0, 0.0, 0.0), 3), round(retained_threshold(0.0, 0.1, 0.0, 0.0), 3)
    (0.1, 0.551)
    """
    fractions = {"rho_same": rho_same, "rho_wrong": rho_wrong, "rho_unused": rho_unused, "rho_new": rho_new}
    same, wrong, unused, new = _fractions(**fractions)
    rest = max(0.0, 1 - same - wrong - unused - new)
    return _least(
        lambda t: same + wrong * (1 + 4 * t**2) + unused * (1 + _psi(2 * t)) / 2 + new * (1 + t**2) + rest * _psi(t)
    )


def _psi(t: float) -> float:
    """Mean squared distance of a standard normal number from [−t, t]."""
    return float(2 * ((1 + t**2) * ndtr(-t) - t * np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi)))


def _least(dimension: Callable[[float], float]) -> float:
    """Minimum of a convex function of t >= 0; beyond t = 38 every psi vanishes in float64."""
    return float(minimize_scalar(dimension, bounds=(0.0, 40.0), method="bounded", options={"xatol": 1e-10}).fun)


def _fractions(**values: Any) -> list[float]:
    fractions = [scalar(name, value, nonnegative) for name, value in values.items()]
    if sum(fractions) > 1 + 1e-12:
        raise ValueError(f"{', '.join(values)} must be fractions whose sum is at most 1; got {sum(fractions):.6g}.")
    return fractions
