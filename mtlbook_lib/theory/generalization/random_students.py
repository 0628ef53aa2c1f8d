"""Test error of a randomly initialised student, by way of the aligned one it is equivalent to."""

# ruff: noqa: PT028  (the functions named test_... compute test errors)
from __future__ import annotations

from numpy.typing import ArrayLike

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib.theory.generalization import aligned
from mtlbook_lib.theory.linear_dynamics import effective_initial_scale


def test_error_random(
    t: ArrayLike,
    teacher: ArrayLike,
    n_inputs: int,
    n_outputs: int,
    n_hidden: int | None = None,
    eps: float = 1e-3,
    order: int = 0,
) -> float | Array:
    r"""Test error of a random student with one hidden layer: ``test_error`` from the effective initial scale.

    .. math::
        \varepsilon_{\mathrm{eff}} = \frac{\varepsilon}{4}
        \left[\min\!\left(1, \frac{N_2}{N_1}\right) + \min\!\left(1, \frac{N_2}{N_3}\right)\right]

    Source: beyond Lampinen & Ganguli (2019), who compare random students with aligned ones; see the chapter
    "Students that start at random". For small `eps`; at early times, before alignment, only the order of magnitude of
    the map is right.

    Parameters
    ----------
    t : array_like, any shape
        Training time, >= 0.
    teacher : array_like, shape (K,)
        Singular values of the teacher, > 0 (dimensionless).
    n_inputs, n_outputs : int
        Sizes :math:`N_1` and :math:`N_3`, outputs at most inputs.
    n_hidden : int, optional
        Hidden units :math:`N_2`; as many as outputs when left out.
    eps : float
        Singular value of the composite map at the start; each layer is a random orthogonal one times its root.
    order : int
        0 for the leading order of ``test_error``, 1 for all terms of relative order one over the size.

    Examples
    --------
    The aligned student from the smaller start:

    >>> round(test_error_random(2.0, [3.0], 100, 50, eps=1e-3), 4)
    0.2017
    >>> round(test_error(2.0, [3.0], 0.5, 50, eps=0.375e-3), 4)
    0.2017
    """
    inputs, outputs = _checks.whole("n_inputs", n_inputs), _checks.whole("n_outputs", n_outputs)
    if outputs > inputs:
        raise ValueError(f"n_outputs must be at most n_inputs, {inputs} (an aspect up to 1); got {outputs}.")
    hidden = outputs if n_hidden is None else _checks.whole("n_hidden", n_hidden)
    start = float(effective_initial_scale(_checks.scalar("eps", eps, _checks.in_scale), inputs, hidden, outputs))
    teacher_values = aligned.teacher_values(teacher)
    return aligned.test_curve(t, aligned.student(teacher_values, outputs / inputs, outputs, hidden, start, 2), order)
