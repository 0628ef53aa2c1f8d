"""How well predicted classes agree with the true ones, as GLUE scores them."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import one_of, real_array

MEASURES = ("accuracy", "matthews", "accuracy and F1")


def class_score(measure: str, labels: ArrayLike, predicted: ArrayLike) -> float:
    r"""How well predicted classes agree with the true ones.

    .. math:: r = \frac{n_{11} n_{00} - n_{10} n_{01}}{\sqrt{n_{1\cdot}\, n_{0\cdot}\, n_{\cdot 1}\, n_{\cdot 0}}},
        \qquad F_1 = \frac{2 n_{11}}{2 n_{11} + n_{10} + n_{01}}

    Source: the scores of GLUE, Wang et al. (2018).

    Parameters
    ----------
    measure : str
        ``"accuracy"``, ``"matthews"`` (:math:`r`), or ``"accuracy and F1"``, the mean of the two.
    labels, predicted : array_like, shape (n,)
        Classes named by numbers; 0 and 1 for the measures other than accuracy.

    Returns
    -------
    float
        Matthews' correlation counts as 0 if all labels or all predictions are alike, :math:`F_1` if there is no 1.
    """
    chosen = one_of("measure", measure, MEASURES)
    truth, told = real_array("labels", labels, ndim=1), real_array("predicted", predicted, ndim=1)
    if truth.shape != told.shape or truth.size == 0:
        raise ValueError(f"labels and predicted must have the same shape (n,); got {truth.shape} and {told.shape}.")
    accuracy = float(np.mean(truth == told))
    if chosen == "accuracy":
        return accuracy
    for name, classes in (("labels", truth), ("predicted", told)):
        if np.any((classes != 0) & (classes != 1)):
            raise ValueError(f"{name} must be 0 or 1 for {chosen}.")
    if chosen == "matthews":
        spread = truth.std() * told.std()
        return float(np.mean((truth - truth.mean()) * (told - told.mean())) / spread) if spread > 0 else 0.0
    ones = truth.sum() + told.sum()
    return (accuracy + float(2 * (truth * told).sum() / ones if ones > 0 else 0.0)) / 2
