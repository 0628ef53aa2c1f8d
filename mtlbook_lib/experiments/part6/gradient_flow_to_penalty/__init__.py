"""Diagonal networks of one task: what their flow conserves, where it ends, and the paper's single-task figure."""

from mtlbook_lib.experiments.part6.gradient_flow_to_penalty.flow import *
from mtlbook_lib.experiments.part6.gradient_flow_to_penalty.single import *

__all__ = [
    "DIM",
    "FEATURES",
    "PLANE",
    "SCALES",
    "course",
    "descent_ends",
    "limit_curve",
    "limit_sizes",
    "plane",
    "random_start",
    "single_task",
    "slopes",
    "sparse_gain",
    "train",
]
