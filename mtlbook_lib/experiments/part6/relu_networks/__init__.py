"""ReLU teachers and students: one task, two at once, or one after another; what is stored, and what is trained live."""

from mtlbook_lib.experiments.part6.relu_networks.live import course, lazy_distance, random_kernels
from mtlbook_lib.experiments.part6.relu_networks.record import WIDE, Kept, geometric_mean, run, stored, train_again
from mtlbook_lib.experiments.part6.relu_networks.tasks import (
    COSINE,
    DIM,
    EXAMPLES,
    FACTORS,
    FEATURES,
    FEW,
    GAMMA,
    LARGE,
    LATE,
    NESTED,
    SMALL,
    TASKS,
    TEACHERS,
    TOLERANCE,
    problem,
)

__all__ = [
    "COSINE",
    "DIM",
    "EXAMPLES",
    "FACTORS",
    "FEATURES",
    "FEW",
    "GAMMA",
    "LARGE",
    "LATE",
    "NESTED",
    "SMALL",
    "TASKS",
    "TEACHERS",
    "TOLERANCE",
    "WIDE",
    "Kept",
    "course",
    "geometric_mean",
    "lazy_distance",
    "problem",
    "random_kernels",
    "run",
    "stored",
    "train_again",
]
