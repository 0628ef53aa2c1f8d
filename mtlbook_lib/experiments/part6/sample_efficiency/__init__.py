"""How many examples a task needs when another one shares its features: every way of training, trained and predicted."""

from mtlbook_lib.experiments.part6.sample_efficiency.networks import *
from mtlbook_lib.experiments.part6.sample_efficiency.stored import *

__all__ = [
    "ARMS",
    "JOINT_SIZES",
    "JOINT_TASKS",
    "LIMIT_OVERLAPS",
    "LIMIT_SIZES",
    "OVERLAPS",
    "SIZES",
    "SPARSITIES",
    "TASKS",
    "compute_stored",
    "limits",
    "needed",
    "retrain_sample",
    "stored_joint",
    "stored_limits",
    "stored_networks",
    "trained",
    "trained_together",
]
