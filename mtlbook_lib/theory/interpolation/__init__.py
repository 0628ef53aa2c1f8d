r"""Interpolators of least penalty: the solutions that the theory of implicit bias predicts.

All functions take inputs with one sample in a row, n <= D of them, and targets that some coefficients fit exactly; the
minimisers also take several problems side by side, along a first axis.
Rows that repeat what others say are allowed, rows that contradict them are a ``ValueError``. A solution fits the
targets to 1e-8 of their norm (or of the norm of the fit at the start, where that is larger), and sums of norms prove
that they are minimal by a relative duality gap of at most 1e-8; otherwise a ``RuntimeError`` says what was missed.
Nothing is drawn at random. The penalties, and the widths and starts to put in, are in ``implicit_bias``.
"""

from mtlbook_lib.theory.interpolation.mirror import min_penalty, stationarity_residual
from mtlbook_lib.theory.interpolation.quadratic import min_l2, min_weighted_l2
from mtlbook_lib.theory.interpolation.sparse import min_group_norm, min_group_norm_given, min_l1

__all__ = ["min_group_norm", "min_group_norm_given", "min_l1", "min_l2", "min_penalty", "min_weighted_l2",
           "stationarity_residual"]  # fmt: skip
__dir__ = __all__.copy
