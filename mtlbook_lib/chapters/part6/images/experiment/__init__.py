"""Images: pairs of digits beside eight other digits on small convolutional networks, and the paper's own data set."""

from mtlbook_lib.chapters.part6.images.experiment.arms import *
from mtlbook_lib.chapters.part6.images.experiment.formats import *

__all__ = ["EXAMPLES", "FACTORS", "HEADS", "N_AUX", "N_TEST", "PAIRS", "TOLERANCE", "Digits", "Kept", "alone",
           "compute_stored", "finetune", "format_check", "joint", "pickled", "pretrain", "probe", "retrain_sample",
           "stored", "write_cifar"]  # fmt: skip
