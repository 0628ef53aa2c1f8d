"""Test error of an aligned student of full rank that sees fewer or more examples than inputs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib.theory._bulk import LearnedBulk
from mtlbook_lib.theory._curves import curve
from mtlbook_lib.theory._modes import unchecked_strength
from mtlbook_lib.theory.generalization.aligned import teacher_values
from mtlbook_lib.theory.spiked import spike


def test_error_examples(
    t: ArrayLike,
    teacher: ArrayLike,
    n_inputs: int,
    n_outputs: int,
    n_examples: int,
    eps: float,
) -> float | Array:
    r"""Test error of an aligned student of full rank after `n_examples` white examples, to leading order.

    With density :math:`D = P/N_1`, up to :math:`P = N_1` (orthonormal examples):

    .. math::
        E(t) \sum_a \bar s_a^2 = F\varepsilon^2 + (n - K)\langle x(t, s)^2\rangle
        + \sum_a \left[(x_a - \bar s_a)^2 + 2 x_a \bar s_a \left(1 - \sqrt D\, O_a\right)\right]

    where the outlier :math:`\hat s_a` (with :math:`x_a = x(t, \hat s_a)`), the overlap :math:`O_a` and the mean over
    noise modes belong to a teacher of strength :math:`\sqrt D \bar s_a` in :math:`N_3 \times P` noise of entry
    variance :math:`1/N_1`; :math:`n = \min(N_3, P)`, and the :math:`F = \min(N_1, N_3) - n` student modes without
    data stay frozen. Beyond :math:`P = N_1` (input covariance :math:`D\,I`) the curve is exactly the one at
    :math:`D = 1` with time, teacher and `eps` multiplied by :math:`\sqrt D`.

    Source: Lampinen & Ganguli (2019), eq. 27 and App. G.1; eq. 27 with its missing factor :math:`\sqrt D` on the
    overlap, App. G.1 with the single convention under which it is exact. See the chapter "How many examples".

    Parameters
    ----------
    t : array_like, any shape
        Training time, >= 0.
    teacher : array_like, shape (K,)
        Singular values of the teacher, > 0 (dimensionless).
    n_inputs, n_outputs, n_examples : int
        Sizes :math:`N_1`, :math:`N_3` and :math:`P`; any aspect. K is at most the smallest.
    eps : float
        Initial singular value of the composite map.

    Examples
    --------
    >>> [round(test_error_examples(1.5, [3.0], 100, 50, n, 1e-3), 3) for n in (25, 50, 100)]
    [0.956, 0.741, 0.167]
    """
    values = teacher_values(teacher)
    inputs, outputs = _checks.whole("n_inputs", n_inputs), _checks.whole("n_outputs", n_outputs)
    examples = _checks.whole("n_examples", n_examples)
    if values.size > (most := min(inputs, outputs, examples)):
        limit = f"min(n_inputs, n_outputs, n_examples) = {most}"
        raise ValueError(f"teacher must have at most {limit} singular values; got {values.size}.")
    start = _checks.scalar("eps", eps, _checks.in_scale)
    # Beyond one example an input, the problem is the one with as many examples as inputs in other units.
    boost = max(np.sqrt(examples / inputs), 1.0)
    columns = min(examples, inputs)
    return curve(
        t,
        lambda times: _energy(boost * times, boost * values, inputs, outputs, columns, boost * start),
        float(np.sum((boost * values) ** 2)),
    )


def _energy(times: Array, teacher: Array, inputs: int, outputs: int, columns: int, eps: float) -> Array:
    """Squared distance between student and teacher with `columns` orthonormal examples, at most one an input."""
    few, many = sorted((outputs, columns))
    seen = np.sqrt(columns / inputs)
    scale, aspect = np.sqrt(many / inputs), few / many

    def energy(s: Array, t: Array) -> Array:
        return unchecked_strength(t, scale * s, eps) ** 2

    s_hat, left, right = map(np.asarray, spike(seen * teacher, outputs, columns, 1 / inputs))
    x = unchecked_strength(times[:, None], s_hat, eps)
    alignment = teacher * seen * np.sqrt(left * right)
    outliers = np.sum(x**2 - 2 * x * alignment + teacher**2, axis=1)
    bulk = LearnedBulk(aspect, np.pi, times, np.zeros(times.size)).integral(energy)
    return np.asarray(outliers + (few - teacher.size) * bulk + (min(inputs, outputs) - few) * eps**2)
