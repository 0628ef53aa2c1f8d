"""The largest of independent standard normal variables."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import FloatOrArray, counts, like_input
from mtlbook_lib.theory.softmax.large_norm import largest_of


def expected_maximum(k: ArrayLike) -> FloatOrArray:
    r"""Mean of the largest of k independent standard normal variables.

    .. math:: m_k = E\max_i \xi_i = k(k - 1)\int \varphi(x)^2\,\Phi(x)^{k-2}\,dx, \qquad m_1 = 0

    Source: a textbook fact, not in the paper: the strength of the labels of Lee & Ndirango (2019), App. A.3, for
    isotropic logits, is :math:`m_k/(k - 1)`. The integral is the mean :math:`\int x\,d\Phi^k` by parts.

    Parameters
    ----------
    k : int or array of ints, any shape
        Number of variables, at least 1.

    Returns
    -------
    float or ndarray, shape of `k` (in standard deviations)

    Examples
    --------
    >>> expected_maximum([1, 2, 10]).round(3)
    array([0.   , 0.564, 1.539])
    """
    k = counts("k", k)
    result = np.array([largest(int(n)) for n in k.ravel()]).reshape(k.shape)
    return like_input(result)


@lru_cache(maxsize=4096)
def largest(k: int) -> float:
    """``expected_maximum`` for one number of variables."""
    return largest_of(k)
