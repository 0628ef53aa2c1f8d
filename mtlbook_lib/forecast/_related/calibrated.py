"""Probabilities of a class from predictions of its labels 0 and 1."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from mtlbook_lib._checks import Array

LEVEL_SPREAD = 0.2  # prior standard deviation of the level, in log odds
SLOPE_SPREAD = 0.6  # of the slope, over what it is for small differences
STEPS, SMALL = 50, 1e-10


@dataclass(frozen=True)
class Calibration:
    r"""Log odds of a prediction s: :math:`u + v (s - \bar y) / (\bar y (1 - \bar y))`."""

    share: float
    level: float
    slope: float

    def __call__(self, said: Array) -> Array:
        """Probabilities of label 1."""
        odds = self.level + self.slope * (said - self.share) / (self.share * (1 - self.share))
        return np.asarray(expit(odds))


def calibrated(labels: Array, left_out: Array, counts: Array | float = 1.0) -> Calibration:
    r"""The most probable level and slope, given labels 0 and 1 and what rows left out say of each.

    `counts` is how many rows each stands for.

    They minimise

    .. math:: -\sum_i \log p(y_i) + \frac{(u - \operatorname{logit} \bar y)^2}{2 \sigma_u^2}
        + \frac{(v - 1)^2}{2 \sigma_v^2}

    by Newton's method, whose steps are halved until it decreases. Source: Platt (1999); the prior is ours.
    """
    weights = np.broadcast_to(counts, labels.shape)
    share = float((weights * labels).sum() / weights.sum())
    columns = np.stack([np.ones_like(labels), (left_out - share) / (share * (1 - share))], axis=1)
    centre, precision = np.array([logit(share), 1.0]), np.diag([LEVEL_SPREAD**-2, SLOPE_SPREAD**-2])

    def height(at: Array) -> float:
        odds, away = columns @ at, at - centre
        losses = (weights * np.logaddexp(0, odds)).sum() - (weights * labels) @ odds
        return float(losses + 0.5 * away @ precision @ away)

    curve = centre
    for _ in range(STEPS):
        chance = expit(columns @ curve)
        slope = columns.T @ (weights * (labels - chance)) - precision @ (curve - centre)
        step = np.linalg.solve((columns * (weights * chance * (1 - chance))[:, None]).T @ columns + precision, slope)
        while height(curve + step) > height(curve) and np.abs(step).max() > SMALL:
            step = step / 2
        curve = curve + step
        if np.abs(step).max() <= SMALL:
            break
    return Calibration(share, float(curve[0]), float(curve[1]))
