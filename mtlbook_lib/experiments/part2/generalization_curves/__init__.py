"""What the chapter on generalization curves runs: learning curves, and what their leading order leaves out."""

from mtlbook_lib.experiments.part2.generalization_curves.curves import (
    Curves,
    DataSets,
    OneStudent,
    after_minimum,
    data_sets,
    event_times,
    falls,
    integrated_and_exact,
    networks,
    one_student,
)
from mtlbook_lib.experiments.part2.generalization_curves.finite_size import (
    bulk_sums,
    outlier_jitter,
    size_deviation,
    size_slopes,
)

__all__ = [
    "Curves",
    "DataSets",
    "OneStudent",
    "after_minimum",
    "bulk_sums",
    "data_sets",
    "event_times",
    "falls",
    "integrated_and_exact",
    "networks",
    "one_student",
    "outlier_jitter",
    "size_deviation",
    "size_slopes",
]
