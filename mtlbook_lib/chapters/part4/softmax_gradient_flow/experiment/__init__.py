"""Experiments of the chapter on gradient flow of softmax classifiers: gradients, balance, falling loss, minimisers."""

from mtlbook_lib.chapters.part4.softmax_gradient_flow.experiment.flow import *
from mtlbook_lib.chapters.part4.softmax_gradient_flow.experiment.long_training import *

__all__ = ["FEW", "Descent", "Ends", "Growth", "Widths", "balance_drifts", "curvatures", "falling_loss",
           "gradient_gaps", "growth", "hovering", "least_losses", "main_task", "rising_steps", "small_task",
           "soft_label_gaps", "training_ends", "two_head_drifts", "widths"]  # fmt: skip
