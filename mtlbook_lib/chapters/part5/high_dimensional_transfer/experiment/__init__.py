"""Two linear tasks that share a direction, at sizes proportional to the dimension: simulated, and in the exact limit.

The target's model has norm 1 unless said otherwise, and so sets the unit of noise and risk.
"""

from mtlbook_lib.chapters.part5.high_dimensional_transfer.experiment.heads import *
from mtlbook_lib.chapters.part5.high_dimensional_transfer.experiment.pooled import *

__all__ = ["CASES", "COSINES", "FREE", "LEVELS", "LOOSE", "N_BOTH", "N_INPUTS", "TESTED", "Case", "Compared", "Free",
           "Side", "any_covariances", "bias_alone", "boundaries", "by_ratio", "covariate_shift",
           "covariate_shift_limits", "fixed_inputs", "free_heads", "limit_risks", "many_examples", "model_shift",
           "model_shift_limits", "near_capacity", "sides"]  # fmt: skip
