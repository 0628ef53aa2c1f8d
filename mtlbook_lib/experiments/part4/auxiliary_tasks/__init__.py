"""When an auxiliary task helps a classifier: pairs of tasks, the grid of Fig. 2, more examples, and what is stored."""

from mtlbook_lib.experiments.classifier_pairs import Arms, Pairs, train
from mtlbook_lib.experiments.part4.auxiliary_tasks.further import *
from mtlbook_lib.experiments.part4.auxiliary_tasks.grid import *
from mtlbook_lib.experiments.part4.auxiliary_tasks.live import *
from mtlbook_lib.experiments.part4.auxiliary_tasks.stored import *

__all__ = [
    "LATE_AUXILIARY",
    "LATE_MAIN",
    "PAIRED",
    "RELATEDNESS",
    "SEEDS",
    "SIZES",
    "STRENGTHS",
    "Arms",
    "Pairs",
    "along_training",
    "compute_stored",
    "fresh_cells",
    "grid_settings",
    "rank_three",
    "related_by_size",
    "retrain_sample",
    "stored_arms",
    "stored_grid",
    "train",
]
