"""Learning curves of aligned students, how a teacher and a finite size shift them, and the scale of random labels."""

# ruff: noqa: PT028  (the functions named test_... compute test errors)
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib.theory import _bulk
from mtlbook_lib.theory.generalization import aligned


def train_error(
    t: ArrayLike,
    teacher: ArrayLike,
    aspect: float,
    n_outputs: int,
    n_hidden: int | None = None,
    eps: float = 1e-3,
    depth: int = 2,
) -> float | Array:
    r"""Training error of an aligned student, as a fraction of the energy of the noisy outputs.

    .. math::
        E(t) = \frac{B\left[\int_{s<c} s^2 P\,ds + \int_{s>c} (x(t, s) - s)^2 P\,ds\right]
        + \sum_a (x(t, \hat s_a) - \hat s_a)^2}{B + \sum_a \hat s_a^2}

    with :math:`B = N_3 - K` noise modes that follow the Marchenko–Pastur law :math:`P`, of which the student learns
    the :math:`N_2 - K` above the cut :math:`c`, and the mode strength :math:`x(t, \hat s)`.

    Source: Lampinen & Ganguli (2019), eq. 14, with the cut corrected: the learned share :math:`(N_2 - K)/(N_3 - K)`
    of the noise modes lies to its right. See the chapter "Generalisation curves".

    Parameters
    ----------
    t : array_like, any shape
        Training time, >= 0.
    teacher : array_like, shape (K,)
        Singular values of the teacher, > 0 (dimensionless), at most `n_outputs`; empty for pure noise.
    aspect : float
        Aspect :math:`A` = outputs/inputs, 0 < A <= 1.
    n_outputs : int
        Number of outputs :math:`N_3`.
    n_hidden : int, optional
        Rank :math:`N_2` of the student, at least K; full rank when left out or above `n_outputs`.
    eps : float
        Initial singular value of the composite map.
    depth : int
        Number of weight matrices, 2 to a million.

    Examples
    --------
    >>> train_error([0.0, 1.5, 100.0], [3.0], 0.5, 40).round(3)
    array([0.998, 0.738, 0.   ])
    """
    setting = aligned.student(aligned.teacher_values(teacher, 0), aspect, n_outputs, n_hidden, eps, depth)
    return aligned.train_curve(t, setting)


def test_error(
    t: ArrayLike,
    teacher: ArrayLike,
    aspect: float,
    n_outputs: int,
    n_hidden: int | None = None,
    eps: float = 1e-3,
    depth: int = 2,
    order: int = 0,
) -> float | Array:
    r"""Test error of an aligned student, as a fraction of the energy of the teacher's outputs.

    .. math::
        E(t) \sum_a \bar s_a^2 = (N_3 - K)\int_{s>c} x(t, s)^2 P\,ds
        + \sum_a \left[(x_a - \bar s_a)^2 + 2 x_a \bar s_a (1 - O_a)\right]

    at order 0, with :math:`x_a = x(t, \hat s_a)` and the overlap :math:`O_a` of data and teacher modes. Order 1 adds
    every correction that stays O(1) as the sizes grow: the alignment of the bulk with the teacher,
    :math:`-2\sum_a\int A s P x/(\hat s_a^{*2} - s^2)\,ds` with
    :math:`\hat s^{*2} = (1 + \bar s^2)(A + \bar s^2)/\bar s^2`, the displacement of the bulk by the teacher, and
    that of a real noise spectrum of finite size (``bulk_shift``). It counts teacher modes below threshold as bulk.

    Source: Lampinen & Ganguli (2019), eq. 15, at order 0. Order 1 is ours; see the chapter "Generalisation curves".

    Parameters
    ----------
    t : array_like, any shape
        Training time, >= 0.
    teacher : array_like, shape (K,)
        Singular values of the teacher, > 0 (dimensionless), at most `n_outputs`.
    aspect : float
        Aspect :math:`A` = outputs/inputs, 0 < A <= 1.
    n_outputs : int
        Number of outputs :math:`N_3`.
    n_hidden : int, optional
        Rank :math:`N_2` of the student, at order 0 at least K; full rank when left out or above `n_outputs`.
    eps : float
        Initial singular value of the composite map.
    depth : int
        Number of weight matrices, 2 to a million.
    order : int
        0 for the leading order, 1 for all terms of relative order one over the size.

    Examples
    --------
    Nothing learned, near the best time, overfitted:

    >>> test_error([0.0, 1.5, 100.0], [3.0], 0.5, 40).round(3)
    array([0.999, 0.165, 4.519])
    """
    setting = aligned.student(aligned.teacher_values(teacher), aspect, n_outputs, n_hidden, eps, depth)
    return aligned.test_curve(t, setting, order)


def bulk_shift(func: Callable[[Array], ArrayLike], teacher: ArrayLike, aspect: float) -> float:
    r"""O(1) shift of a sum over the noise singular values, by a teacher and by the finite size of real noise.

    .. math::
        &\lim_{N_3 \to \infty}\left[\mathbb{E}\sum_b f(\hat s_b) - N_3\int f P\,ds\right] \\
        &\quad = \frac{f_- + f_+}{4} - \tfrac12\langle f\rangle_0
        + \tfrac12 \sum_a \left[\pm\langle f\rangle_{r_a} - \langle f\rangle_0 \right],
        \qquad r_a = \frac{\bar s_a^2}{\sqrt A}

    with :math:`f_\pm` at the edges, :math:`\langle f\rangle_r` the mean over the angle :math:`\phi` of
    :math:`s^2 = 1 + A + 2\sqrt A\cos\phi` under the Poisson kernel of parameter :math:`\min(r, 1/r)` (0 is the plain
    mean), and the sign + below threshold (:math:`r \le 1`), − above it. The sum leaves outliers out.

    Source: the first-order terms of ``test_error`` (ours; see the chapter "Generalisation curves"). A teacher
    mode that leaves the bulk takes one state with it, so that ``func = 1`` gives minus the number of outliers.

    Parameters
    ----------
    func : callable
        Takes an array of singular values, shape (n,), and returns their values, shape (n,). Smooth on the support.
    teacher : array_like, shape (K,)
        Singular values of the teacher, > 0 (dimensionless); empty for pure noise.
    aspect : float
        Aspect :math:`A` = outputs/inputs, 0 < A <= 1.

    Examples
    --------
    A mode that leaves the bulk takes one state with it:

    >>> round(bulk_shift(np.ones_like, [3.0], 0.5), 6)
    -1.0
    """
    ratio = aligned.aspect_up_to_one(aspect)
    ratios = _bulk.teacher_ratios(aligned.teacher_values(teacher, 0), ratio)
    still = np.zeros(1)
    bulk = _bulk.LearnedBulk(ratio, np.pi, still, still)

    _checks.function("func", func)

    def mode(s: Array, _: Array) -> Array:
        values = _checks.real_array("func(s)", func(s.ravel()))
        if values.shape != (s.size,):
            raise ValueError(f"func must return one value per singular value; got {values.shape} for {s.size}.")
        return values[None, :]

    shift = bulk.shift(mode, ratios) - np.count_nonzero(ratios > 1) * bulk.last(mode)
    return float(shift.item())


def random_label_scale(teacher: ArrayLike, n_outputs: int, sigma_z: float = 1.0) -> float:
    r"""Standard deviation of random outputs that match the variance of the structured ones, in units of the noise.

    .. math:: \sigma_r = \sqrt{\frac{1}{N_3}\sum_a \bar s_a^2 + \sigma_z^2}

    The entries of the randomised map have standard deviation :math:`\sigma_r/\sqrt{N_1}`, and its singular values fill
    :math:`\sigma_r(1 \pm \sqrt A)`.

    Source: Lampinen & Ganguli (2019), Sec. 3.6, with the noise term corrected: printed as :math:`\sigma_z^2/N_1`,
    which does not go with the stated support. See the chapter "Random labels are learned more slowly".

    Parameters
    ----------
    teacher : array_like, shape (K,)
        Singular values of the teacher, > 0 (dimensionless); empty for pure noise.
    n_outputs : int
        Number of outputs :math:`N_3`.
    sigma_z : float
        Scale of the noise: its entries have standard deviation :math:`\sigma_z/\sqrt{N_1}`; >= 0.

    Examples
    --------
    >>> round(random_label_scale([3.0], n_outputs=9), 3)
    1.414
    """
    energy = float(np.sum(aligned.teacher_values(teacher, 0) ** 2))
    noise = _checks.scalar("sigma_z", sigma_z, _checks.nonnegative)
    return float(np.hypot(np.sqrt(energy / _checks.whole("n_outputs", n_outputs)), noise))
