"""Diagonal networks that are pretrained on one task and finetuned on another, and the penalties that explain them."""

from mtlbook_lib.experiments.part6.pretraining_finetuning.networks import *
from mtlbook_lib.experiments.part6.pretraining_finetuning.small import *

__all__ = [
    "ALPHA",
    "PLANE",
    "descended",
    "finetuned",
    "invariants",
    "penalty_curves",
    "penalty_slope",
    "plane",
    "pretrained",
    "probed",
    "probed_alone",
]
