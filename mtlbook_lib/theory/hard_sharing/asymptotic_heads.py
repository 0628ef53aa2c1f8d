"""Ratio of the heads that two tasks with Gaussian inputs end up with, and what sharing then does to the target."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar
from scipy.special import expit, logit

from mtlbook_lib._checks import Array, FloatOrArray, like_input, short
from mtlbook_lib.theory.hard_sharing.equivalent import GaussianPair, errors, make_gaussian_pair, occupancies
from mtlbook_lib.theory.hard_sharing.pencil import make_pencil

_STEP, _MARGIN = 0.1, 14.0  # of the logarithm of the ratio of the heads: grid, and how far beyond all scales
_EQUAL = 1e-12  # relative difference of losses that are taken as equal
_SINGULAR = 1e-12  # share of a direction that counts as none


def asymptotic_transfer(
    cov1: ArrayLike,
    cov2: ArrayLike,
    n1: ArrayLike,
    n2: ArrayLike,
    theta1: ArrayLike,
    theta2: ArrayLike,
    sigma1: ArrayLike,
    sigma2: ArrayLike,
    free_ratio: bool = False,
) -> tuple[FloatOrArray, FloatOrArray, FloatOrArray]:
    r"""Ratio of the heads that sharing one direction ends up with, and the target's excess risk with and without it.

    .. math:: t^* = \arg\min_t \mathrm{loss}(t), \qquad \mathrm{shared} = \mathrm{risk}(t^*), \qquad
        \mathrm{single} = \frac{\sigma_2^2 d}{n_2 - d - 1}

    with loss and risk of ``asymptotic_risk``. The heads are fitted too; `free_ratio` counts their noise as one more
    parameter. Around the mean direction :math:`B` and the heads :math:`a` at :math:`t^*`, the predictions are linear in
    :math:`(B, \text{angle of } a)`, with features :math:`T_g^\top x`,
    :math:`T_1 = (a_1 I, -a_2 B)`, :math:`T_2 = (a_2 I, a_1 B)`, in d + 1 dimensions.

    Source: beyond Wu, Zhang & Ré (2020). The risk with a free ratio is heuristic; it needs n1 + n2 >= 3 d and a ratio
    that hardly varies. Risks of single data sets are skewed: compare medians.

    Parameters
    ----------
    cov1, cov2 : array_like, shape (d, d)
        Covariances of the Gaussian inputs of the source and of the target (mean zero); `cov2` nonsingular.
    n1, n2 : array_like
        Numbers of examples, > 0; n2 > d + 1.
    theta1, theta2 : array_like, shape (d,)
        True coefficients of the source and of the target.
    sigma1, sigma2 : array_like
        Standard deviations of the label noise, >= 0.
    free_ratio : bool
        Whether to add the risk that the fitted ratio brings.

    Returns
    -------
    ratio, shared_risk, single_risk : float or ndarray, the common shape of `n1`, `n2`, `sigma1` and `sigma2`
        The ratio :math:`A_2/A_1` is infinite where the best source head is zero, 0 where the best target head is, and
        positive where both signs are as good. The risks are in squared units of the labels; `single_risk` is exact,
        the others are limits of large n1 + n2 - d. Compare like with like near the boundary of transfer: the limit of
        `single_risk` is :math:`\sigma_2^2 d/(n_2 - d)`.

    Raises
    ------
    ValueError
        If n2 <= d + 1, `cov2` is singular, both truths are zero with `free_ratio`, or as ``asymptotic_risk``.

    Examples
    --------
    >>> same = np.eye(2), np.eye(2), 20, 12, [1.0, 0.0], [1.0, 0.0], 1.0, 1.0
    >>> np.round(asymptotic_transfer(*same), 4)
    array([1.    , 0.0667, 0.2222])
    """
    if not isinstance(free_ratio, bool | np.bool_):
        raise TypeError(f"free_ratio must be True or False; got {short(free_ratio)}.")
    pair, grid = make_gaussian_pair((cov1, cov2), (n1, n2), (theta1, theta2), (sigma1, sigma2), 1.0)
    size = pair.pencil.mu.size
    if np.any(pair.n[:, 1] <= size + 1):
        raise ValueError(f"n2 must exceed d + 1 = {size + 1}; got {np.min(pair.n[:, 1]):g}.")
    eigenvalues = np.linalg.eigvalsh(pair.covariances[1])
    if eigenvalues[0] <= _SINGULAR * eigenvalues[-1]:
        raise ValueError("cov2 must be nonsingular: the target alone would not determine its coefficients.")
    if free_ratio and not np.any(pair.truths):
        raise ValueError("theta1 and theta2 must not both be zero where free_ratio is True.")
    ratios, risks = np.empty(grid.size), np.empty(grid.size)
    for i in range(grid.size):
        case = replace(pair, n=pair.n[i : i + 1], sigma=pair.sigma[i : i + 1])
        ratios[i], heads = _best_heads(case)
        risks[i] = _free_risk(case, heads) if free_ratio else case.errors(heads)[0][0, 1]
    single = pair.sigma[:, 1] ** 2 * size / (pair.n[:, 1] - size - 1)
    ratio, risk, alone = (like_input(values.reshape(grid.shape)) for values in (ratios, risks, single))
    return ratio, risk, alone


def _best_heads(case: GaussianPair) -> tuple[float, Array]:
    """Ratio of the least training loss, and heads (1, 2): a grid over its logarithm and both signs, refined."""
    scales = _log_scales(case)
    grid = np.arange(np.min(scales) - _MARGIN, np.max(scales) + _MARGIN, _STEP)
    found = []
    for sign in (1.0, -1.0):
        losses = _losses(case, grid, sign)
        inner = 1 + np.flatnonzero((losses[1:-1] <= losses[:-2]) & (losses[1:-1] <= losses[2:]))
        lowest = inner[np.argsort(losses[inner], kind="stable")[:2]]
        found += [(losses[0], -np.inf, sign), (losses[-1], np.inf, sign)]
        found += [_refined(case, grid[i], sign) for i in lowest]
    least = min(loss for loss, _, _ in found)
    # Limits come first, then positive ratios: of equal losses, the first.
    _, log_ratio, sign = next(one for one in found if one[0] <= least * (1 + _EQUAL))
    ends = np.clip(log_ratio, grid[0] - _MARGIN, grid[-1] + _MARGIN)
    return float(sign * np.exp(log_ratio)), _heads(np.array([ends]), sign)


def _refined(case: GaussianPair, start: float, sign: float) -> tuple[float, float, float]:
    least = minimize_scalar(
        lambda log_ratio: _losses(case, np.array([log_ratio]), sign)[0],
        bounds=(start - _STEP, start + _STEP),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return float(least.fun), float(least.x), sign


def _losses(case: GaussianPair, log_ratios: Array, sign: float) -> Array:
    size = len(log_ratios)
    cases = replace(case, n=np.repeat(case.n, size, axis=0), sigma=np.repeat(case.sigma, size, axis=0))
    return cases.errors(_heads(log_ratios, sign))[1]


def _heads(log_ratios: Array, sign: float) -> Array:
    """Heads of unit length or so, in a ratio of `sign` times the exponential."""
    return np.column_stack([np.exp(-np.maximum(log_ratios, 0)), sign * np.exp(np.minimum(log_ratios, 0))])


def _log_scales(case: GaussianPair) -> Array:
    """Logarithms of the ratios at which the tasks weigh the same in some direction, or predict the same sizes."""
    mu, scales = np.maximum(case.pencil.mu, _SINGULAR), case.pencil.scales
    lengths = np.linalg.norm(case.truths, axis=1)
    signals = [np.log(lengths[1] / lengths[0])] if np.all(lengths > 0) else []
    return np.array([*(logit(mu) + np.log(scales[0] / scales[1])) / 2, *signals])


def _free_risk(case: GaussianPair, heads: Array) -> float:
    """Excess risk of the target where one more parameter turns the heads."""
    direction = case.direction(heads)[0]
    direction = direction / np.linalg.norm(direction)
    turned = np.array([-heads[0, 1], heads[0, 0]])
    layers = [np.column_stack([head * np.eye(direction.size), turn * direction])
              for head, turn in zip(heads[0], turned, strict=True)]  # fmt: skip
    features = [layer.T @ cov @ layer for layer, cov in zip(layers, case.covariances, strict=True)]
    pencil = make_pencil(features[0], features[1], "cov1 and cov2, seen along the shared direction,")
    shares, middle = occupancies(pencil.mu, case.n, np.log(pencil.scales)[None, :])
    # The mean of the coefficients: each task's pull on them, weighted by its share of every direction.
    sizes = expit([middle[0], -middle[0]])
    total = pencil.basis / (sizes[0] * pencil.scales[0] * pencil.mu + sizes[1] * pencil.scales[1] * (1 - pencil.mu))
    pulls = [
        size * layer.T @ cov @ theta
        for size, layer, cov, theta in zip(sizes, layers, case.covariances, case.coefficients, strict=True)
    ]
    mean = total @ (pencil.basis.T @ (pulls[0] + pulls[1]))
    misses = [layer @ mean - theta for layer, theta in zip(layers, case.coefficients, strict=True)]
    bias = np.array([[miss @ cov @ miss for miss, cov in zip(misses, case.covariances, strict=True)]])
    return float(errors(shares, middle, case.n, bias, case.sigma**2)[0][0, 1])
