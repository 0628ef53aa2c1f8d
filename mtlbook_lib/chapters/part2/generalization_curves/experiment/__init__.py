"""What the chapter on generalization curves runs: learning curves, and what their leading order leaves out."""

from mtlbook_lib.chapters.part2.generalization_curves.experiment.curves import *
from mtlbook_lib.chapters.part2.generalization_curves.experiment.finite_size import *

__all__ = ["Curves", "DataSets", "OneStudent", "after_minimum", "bulk_sums", "data_sets", "event_times",
           "falls", "integrated_and_exact", "networks", "one_student", "outlier_jitter", "size_deviation",
           "size_slopes"]  # fmt: skip
