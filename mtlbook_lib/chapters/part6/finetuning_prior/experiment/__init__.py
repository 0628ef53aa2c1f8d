"""Which prior finetuning uses: one formula against networks, the orders of the penalty, and its four regimes."""

from mtlbook_lib.chapters.part6.finetuning_prior.experiment.networks import *
from mtlbook_lib.chapters.part6.finetuning_prior.experiment.orders import *
from mtlbook_lib.chapters.part6.finetuning_prior.experiment.regimes import *

__all__ = ["GAMMA", "LARGE", "PATHWAYS", "REGIMES", "SETTINGS", "TASKS", "Decision", "Orders", "Points", "Pretraining",
           "Setting", "balance", "by_descent", "by_flow", "distances", "errors", "finetuned", "least_tradeoff",
           "measured", "placed", "plane", "points", "predicted", "references", "treated", "unbalanced",
           "unbalanced_points"]  # fmt: skip
