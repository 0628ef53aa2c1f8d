"""What the chapter on students that start at random runs: exact flows, delays, curves, minima, narrow students."""

from mtlbook_lib.chapters.part2.random_students.experiment.errors import *
from mtlbook_lib.chapters.part2.random_students.experiment.starts import *

__all__ = ["Curves", "Delays", "Pair", "SmallStudents", "aligned_minima", "crowded_delays", "curves", "delays",
           "fall_delays", "fall_lateness", "gaussian_half_times", "integrated_slice", "log_starts", "narrow_pair",
           "pair", "rise_lateness", "small_students", "stopping_arms", "strong_arms"]  # fmt: skip
