"""A source and a target that share one feature: two boundaries, the optimum and its certificate, and training.

The pairs of regression tasks have 100 inputs, models of cosine 0.96, and ten strong axes each, a hundred times as
strong as the others: the same axes for both tasks, or different ones.
"""

from mtlbook_lib.chapters.part5.one_shared_feature.experiment.boundaries import *
from mtlbook_lib.chapters.part5.one_shared_feature.experiment.landscape import *
from mtlbook_lib.chapters.part5.one_shared_feature.experiment.optimum import *

__all__ = ["ANGLE", "KINDS", "N_TARGET", "SOURCES", "Certified", "Optimum", "Plane", "after_longer_training",
           "ahead_of_other", "certified", "descent", "gains_of_many_draws", "large_source", "optimum", "plane",
           "rescaled", "slight_help", "trained", "without_noise"]  # fmt: skip
