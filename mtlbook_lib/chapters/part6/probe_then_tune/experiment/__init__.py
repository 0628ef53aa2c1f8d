"""Networks whose readout is trained alone for a while before all weights are: errors, widths, starts, distortion."""

from mtlbook_lib.chapters.part6.probe_then_tune.experiment.courses import *
from mtlbook_lib.chapters.part6.probe_then_tune.experiment.distortion import *

__all__ = ["ALPHA", "CASES", "DIM", "FEATURES", "GAMMA", "HEADS", "MISSED", "NETWORK_TIMES", "TIMES", "Course",
           "Snapshots", "charge", "course", "diagonal_errors", "long_course", "networks", "shared_head_errors",
           "snapshots", "trained_throughout", "without_one_side"]  # fmt: skip
