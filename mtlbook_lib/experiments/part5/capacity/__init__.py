"""How wide a shared module should be: ten digit tasks on linear, fully connected and convolutional modules."""

from mtlbook_lib.experiments.part5.capacity.curves import Widths
from mtlbook_lib.experiments.part5.capacity.digit_widths import APART, MODULES, N_CHOOSING, SHARED, SHARES
from mtlbook_lib.experiments.part5.capacity.noise import (
    CAPACITIES,
    N_INPUTS,
    N_TASKS,
    STRENGTHS,
    drawn_errors,
    law,
    stacked_digits,
    three_points,
)
from mtlbook_lib.experiments.part5.capacity.stored import compute_stored, retrain_sample, stored_widths

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
