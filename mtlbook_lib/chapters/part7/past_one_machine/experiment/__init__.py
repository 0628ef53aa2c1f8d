"""What the chapter on growing past one machine runs: costs of steps, processes, a GPU, and the large profile."""

from mtlbook_lib.chapters.part7.past_one_machine.experiment.declared import *
from mtlbook_lib.chapters.part7.past_one_machine.experiment.on_gpu import *
from mtlbook_lib.chapters.part7.past_one_machine.experiment.steps import *

__all__ = ["AXES", "FITTED", "GPU_SIZES", "GPU_STUDENTS", "SIZES", "STUDENTS", "Cost", "batch",
           "compute_on_gpu", "compute_stored", "cost", "declared_ratios", "gpu_experiments", "gpu_steps",
           "load_all", "operations", "predicted", "short_name", "slopes", "stored_load", "stored_processes",
           "stored_steps", "trained"]  # fmt: skip
