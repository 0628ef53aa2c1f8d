"""Diagonal networks on the logistic loss, stopped early, deeper, and with noisy steps."""

from mtlbook_lib.experiments.part6.other_losses.classifiers import *
from mtlbook_lib.experiments.part6.other_losses.stopping import *

__all__ = [
    "MARKS",
    "SCALES",
    "STRENGTHS",
    "Classifiers",
    "Stopped",
    "chains",
    "classifiers",
    "data",
    "descended",
    "excess",
    "followed",
    "noisy",
    "starts",
    "stopped",
    "task",
]
