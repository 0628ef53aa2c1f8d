"""How far the shared direction of two linear tasks can be off, and what that says about transfer."""

from mtlbook_lib.chapters.part5.angles_and_bounds.experiment.problems import *
from mtlbook_lib.chapters.part5.angles_and_bounds.experiment.worst_cases import *

__all__ = ["FAILURE", "MARGIN", "ManyInputs", "Problems", "Transfer", "fitted_noise", "known_before", "many_inputs",
           "problems", "transfer", "worst_noise", "worst_pairs"]  # fmt: skip
