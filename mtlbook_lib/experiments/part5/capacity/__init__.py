"""How wide a shared module should be: ten digit tasks on linear, fully connected and convolutional modules."""

from mtlbook_lib.experiments.part5.capacity.curves import *
from mtlbook_lib.experiments.part5.capacity.digit_widths import *
from mtlbook_lib.experiments.part5.capacity.noise import *
from mtlbook_lib.experiments.part5.capacity.stored import *

__all__ = [
    "APART",
    "CAPACITIES",
    "MODULES",
    "N_CHOOSING",
    "N_INPUTS",
    "N_TASKS",
    "SHARED",
    "SHARES",
    "STRENGTHS",
    "Widths",
    "compute_stored",
    "drawn_errors",
    "law",
    "retrain_sample",
    "stacked_digits",
    "stored_widths",
    "three_points",
]
