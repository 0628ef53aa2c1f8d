r"""The softmax of Gaussian logits: mean Jacobian, log partition function, and the limit of hard labels.

Logits :math:`z \sim N(0, C)` of k classes, :math:`p = \mathrm{softmax}(z)`, mean Jacobian :math:`G =
E[\mathrm{diag}\,p - pp^T]`. A gain g means :math:`G = g\,(I - 11^T/k)`. A norm s is the standard deviation of each
logit (dimensionless); logarithms are natural. Integrals are exact to about 1e-13 at every norm and number of
classes; what is sampled comes with its standard error.
"""

from mtlbook_lib.theory.softmax.covariances import label_laplacian, mean_jacobian
from mtlbook_lib.theory.softmax.extremes import expected_maximum
from mtlbook_lib.theory.softmax.interpolant import IsotropicCurves, isotropic_curves
from mtlbook_lib.theory.softmax.isotropic import (
    isotropic_excess,
    isotropic_gain,
    isotropic_log_partition,
    isotropic_participation,
    isotropic_slope_deficit,
)
from mtlbook_lib.theory.softmax.jacobians import binary_gain, mean_jacobian_independent, mean_jacobian_rank_one
from mtlbook_lib.theory.softmax.low_rank import lowrank_class_probabilities, lowrank_label_laplacian
from mtlbook_lib.theory.softmax.random_energy import (
    calibrated_gain,
    interpolated_gain,
    rem_critical_norm,
    rem_gain,
    rem_log_partition,
)
from mtlbook_lib.theory.softmax.winners import expected_winners

__all__ = ["IsotropicCurves", "binary_gain", "calibrated_gain", "expected_maximum", "expected_winners",
           "interpolated_gain", "isotropic_curves", "isotropic_excess", "isotropic_gain", "isotropic_log_partition",
           "isotropic_participation", "isotropic_slope_deficit", "label_laplacian", "lowrank_class_probabilities",
           "lowrank_label_laplacian", "mean_jacobian", "mean_jacobian_independent", "mean_jacobian_rank_one",
           "rem_critical_norm", "rem_gain", "rem_log_partition"]  # fmt: skip
__dir__ = __all__.copy
