"""What the chapter on generalization curves runs: learning curves, and what their leading order leaves out."""

from mtlbook_lib.experiments.part2.generalization_curves.curves import *
from mtlbook_lib.experiments.part2.generalization_curves.finite_size import *

__all__ = ["Curves", "DataSets", "OneStudent", "after_minimum", "bulk_sums", "data_sets", "event_times",
           "falls", "integrated_and_exact", "networks", "one_student", "outlier_jitter", "size_deviation",
           "size_slopes"]  # fmt: skip
