r"""Exact learning curves of interpolators in many dimensions, and where they start to recover the coefficients.

D coefficients fall into classes with given fractions; n = delta D samples have Gaussian inputs (or inputs on the unit
sphere: rows can be rescaled, so the noise-free problem is the same). In the limit of large D each coefficient behaves
as if it were seen once, as truth + tau Z with Z standard normal, and estimated by the proximal map of the penalty with
strength theta. Both follow from two equations, :math:`\delta = E[\eta']` and :math:`\delta\tau^2 =
E[(\eta - \beta^*)^2] + \sigma^2`. They are the replica-symmetric form of convex Gaussian comparison theorems, taken as
given here. Errors are mean squared errors of a coefficient.
"""

from mtlbook_lib.theory.learning_curves.classes import overlap_classes
from mtlbook_lib.theory.learning_curves.errors import group_error, l1_error, penalty_error, weighted_l2_error
from mtlbook_lib.theory.learning_curves.scalar import proximal
from mtlbook_lib.theory.learning_curves.thresholds import (
    finetuning_threshold,
    group_threshold,
    l1_threshold,
    retained_threshold,
)

__all__ = ["finetuning_threshold", "group_error", "group_threshold", "l1_error", "l1_threshold", "overlap_classes",
           "penalty_error", "proximal", "retained_threshold", "weighted_l2_error"]  # fmt: skip
__dir__ = __all__.copy
