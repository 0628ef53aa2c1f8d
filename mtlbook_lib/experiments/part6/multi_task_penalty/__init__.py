"""What multi-task networks minimise: least weights, what their flow conserves, where it ends, and Fig. 2c."""

from mtlbook_lib.experiments.part6.multi_task_penalty.small import (
    PLANE,
    WEIGHTS,
    conserved_course,
    in_turn,
    least_weights,
    plane,
    random_start,
)
from mtlbook_lib.experiments.part6.multi_task_penalty.starts import (
    ALPHAS,
    alone,
    certificate,
    conserved,
    slope,
    starts,
    tasks,
)
from mtlbook_lib.experiments.part6.multi_task_penalty.stored import (
    KINDS,
    OVERLAPS,
    SIZES,
    compute_stored,
    joint,
    joint_cells,
    norm_cells,
    read,
    retrain_sample,
)

__all__ = [
    "ALPHAS",
    "KINDS",
    "OVERLAPS",
    "PLANE",
    "SIZES",
    "WEIGHTS",
    "alone",
    "certificate",
    "compute_stored",
    "conserved",
    "conserved_course",
    "in_turn",
    "joint",
    "joint_cells",
    "least_weights",
    "norm_cells",
    "plane",
    "random_start",
    "read",
    "retrain_sample",
    "slope",
    "starts",
    "tasks",
]
