"""Transfer between leaky tasks: Fig. 12 with standard errors, its variations, and runs that are stored.

Tasks have rank four, 100 inputs and 50 outputs each; students have 50 hidden units, slope 0.2 and initial scale 1e-3,
unless a function says otherwise.
"""

from mtlbook_lib.chapters.part3.nonlinear_transfer.experiment.figures import *
from mtlbook_lib.chapters.part3.nonlinear_transfer.experiment.pairs import *

__all__ = ["ENDS", "GRID", "MODEST", "RULES", "STRONG", "WEAK", "Learned", "Slopes", "aligned_linear",
           "benefit_by_rule", "change_by_turning", "figure_twelve", "learned_alone", "linear_benefit", "linear_part",
           "mean_linear_part", "opposite_inputs", "output_modes", "retrain_sample", "single_outputs", "slopes",
           "starts", "stopped_by_validation", "stored_benefit", "stored_experiment", "stored_results", "tasks",
           "weak_linear", "wider"]  # fmt: skip
