"""Where the theories of four papers describe the same problem: the map, and the limits in which they agree."""

from mtlbook_lib.chapters.part7.one_picture.experiment.agreements import *
from mtlbook_lib.chapters.part7.one_picture.experiment.capacity import *

__all__ = ["DIM", "N_INPUTS", "PER_INPUT", "Courses", "Lazy", "Risks", "courses", "drawn_gains", "early_gain",
           "ends_and_optima", "errors", "label_courses", "late_risk", "lazy", "limits", "pair_gram", "penalty_risk",
           "pooled_gain", "pooled_risk", "risks", "tasks", "trained"]  # fmt: skip
