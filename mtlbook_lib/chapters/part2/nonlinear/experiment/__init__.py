"""Experiments of the chapter on nonlinear networks: leaky rectifiers beside linear ones, from the same weights."""

from mtlbook_lib.chapters.part2.nonlinear.experiment.courses import *
from mtlbook_lib.chapters.part2.nonlinear.experiment.floor import *

__all__ = ["DEPTHS", "LEAKY", "LINEAR", "RATE", "SCHEDULES", "SLOPES", "STRENGTHS", "TASKS", "TESTED",
           "Clean", "Landmarks", "balanced_teachers", "course", "deep_runs", "floor_by_width",
           "half_times", "landmarks", "last_errors", "late_errors", "mode_errors", "mode_half_times",
           "onset", "onsets", "paired_inputs", "plateaus", "retrain_sample", "stage_times", "train_clean",
           "train_kept", "train_tasks", "weightings"]  # fmt: skip
