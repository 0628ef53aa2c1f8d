"""ReLU teachers and students: one task, two at once, or one after another; what is stored, and what is trained live."""

from mtlbook_lib.chapters.part6.relu_networks.experiment.arms import *
from mtlbook_lib.chapters.part6.relu_networks.experiment.record import *

__all__ = ["COSINE", "DIM", "EXAMPLES", "FACTORS", "FEATURES", "FEW", "GAMMA", "LARGE", "LATE", "NESTED", "SMALL",
           "TASKS", "TEACHERS", "TOLERANCE", "WIDE", "Kept", "compute_stored", "course", "geometric_mean",
           "lazy_distance", "problem", "random_kernels", "recomputed", "stored", "trends"]  # fmt: skip
