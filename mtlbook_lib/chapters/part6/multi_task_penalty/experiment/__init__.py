"""What multi-task networks minimise: least weights, what their flow conserves, where it ends, and Fig. 2c."""

from mtlbook_lib.chapters.part6.multi_task_penalty.experiment.small import *
from mtlbook_lib.chapters.part6.multi_task_penalty.experiment.starts import *
from mtlbook_lib.chapters.part6.multi_task_penalty.experiment.stored import *

__all__ = ["ALPHAS", "KINDS", "OVERLAPS", "PLANE", "SIZES", "WEIGHTS", "alone", "certificate", "compute_stored",
           "conserved", "conserved_course", "in_turn", "joint", "joint_cells", "least_weights", "norm_cells", "plane",
           "random_start", "read", "recomputed", "slope", "starts", "tasks"]  # fmt: skip
