"""Diagonal networks of one task: what their flow conserves, where it ends, and the paper's single-task figure."""

from mtlbook_lib.experiments.part6.gradient_flow_to_penalty.flow import course, descent_ends, random_start, slopes
from mtlbook_lib.experiments.part6.gradient_flow_to_penalty.single import (
    DIM,
    FEATURES,
    PLANE,
    SCALES,
    limit_curve,
    limit_sizes,
    plane,
    single_task,
    sparse_gain,
    train,
)

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
