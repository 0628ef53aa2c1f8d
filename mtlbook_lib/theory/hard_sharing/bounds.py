"""The bound of Theorem 2 on the target's error, as printed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import like_input, real_array
from mtlbook_lib.theory.hard_sharing.tasks import EPS, make_inputs, make_vector


def target_error_bound(c: ArrayLike, x2: ArrayLike, theta2: ArrayLike, noise2: ArrayLike) -> Any:
    r"""Right-hand side of Theorem 2, as printed: a bound on the relative error of the target's coefficients.

    .. math:: \frac{|B^* A_2^* - \theta_2|}{|\theta_2|} \le 6c + \frac{1}{1 - 3c}\,\frac{|\varepsilon_2|}{|X_2\theta_2|}

    Parameters
    ----------
    c : array_like
        Error margin, in [0, 1/3); the theorem wants :math:`c \ge \kappa(X_2)\sin(\theta_1, \theta_2)`.
    x2 : array_like, shape (m_2, d)
        Inputs of the target.
    theta2 : array_like, shape (d,)
        Coefficients of the target.
    noise2 : array_like, shape (m_2,)
        Label noise of the target.

    Returns
    -------
    float or ndarray, shape of `c`

    Raises
    ------
    ValueError
        If `c` is outside [0, 1/3), :math:`X_2\theta_2 = 0`, a shape does not fit, or an entry is not finite.
    TypeError
        If an entry is not real.

    Notes
    -----
    Source: Wu, Zhang & Ré (2020), eq. 5. Where the angle between :math:`B^*` and :math:`\theta_2` is as small as their
    Lemma 8 wants, the bound holds with room to spare. That :math:`m_1` as large as printed makes it so fails for large
    d: the noise along the fitted direction is not a single chi-squared variable. It bounds an error; it does not say
    that sharing helps.
    """
    margin = real_array("c", c)
    if np.any(margin < 0) or np.any(margin >= 1 / 3):
        raise ValueError(f"c must lie in [0, 1/3); got {c!r}.")
    inputs = make_inputs("x2", x2)
    truth = make_vector("theta2", theta2, inputs.shape[1])
    noise = make_vector("noise2", noise2, inputs.shape[0])
    signal = np.linalg.norm(inputs @ truth)
    if signal <= EPS * np.linalg.norm(inputs) * np.linalg.norm(truth):
        raise ValueError("theta2 must not be in the null space of x2: the target would have no signal.")
    return like_input(6 * margin + np.linalg.norm(noise) / signal / (1 - 3 * margin))
