r"""Transfer between the tasks of one deep linear student: composite modes, error of each head, benefit of another task.

The tasks share their inputs, and their outputs are stacked. `aspect` and `n_outputs` are those of a single task: the
stacked data of :math:`H` tasks have aspect :math:`HA`, and noise of variance 1/inputs as before. Errors are fractions
of the energy of the head's own teacher; times are in units of the time constant (see ``mtlbook_lib.theory``);
singular values are dimensionless.
"""

from mtlbook_lib.theory.transfer.alike import alike_error, equivalent_similarity
from mtlbook_lib.theory.transfer.benefit import best_head_stopping, head_error, transfer_benefit
from mtlbook_lib.theory.transfer.composite import composite_modes
from mtlbook_lib.theory.transfer.known_shares import (
    head_change,
    known_share_strength,
    share_price,
    unrelated_joint_error,
)
from mtlbook_lib.theory.transfer.shrinkage import head_shrinkage, head_shrinkage_error, rank_one_pair

__all__ = ["alike_error", "best_head_stopping", "composite_modes", "equivalent_similarity", "head_change",
           "head_error", "head_shrinkage", "head_shrinkage_error", "known_share_strength", "rank_one_pair",
           "share_price", "transfer_benefit", "unrelated_joint_error"]  # fmt: skip
__dir__ = __all__.copy
