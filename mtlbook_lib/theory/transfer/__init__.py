r"""Transfer between the tasks of one deep linear student: composite modes, error of each head, benefit of another task.

The tasks share their inputs, and their outputs are stacked. `aspect` and `n_outputs` are those of a single task: the
stacked data of :math:`H` tasks have aspect :math:`HA`, and noise of variance 1/inputs as before. Errors are fractions
of the energy of the head's own teacher; `t` and `tau` share a unit; singular values are dimensionless.
"""

from mtlbook_lib.theory.transfer.benefit import best_head_stopping, head_error, transfer_benefit
from mtlbook_lib.theory.transfer.composite import composite_modes
from mtlbook_lib.theory.transfer.shrinkage import head_shrinkage, head_shrinkage_error, rank_one_pair

__all__ = [
    "best_head_stopping",
    "composite_modes",
    "head_error",
    "head_shrinkage",
    "head_shrinkage_error",
    "rank_one_pair",
    "transfer_benefit",
]
