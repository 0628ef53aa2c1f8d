"""Algorithm 2 and Kendall's weighting on real tasks: weak annotators, tasks of many kinds, pairs, outside baselines."""

from mtlbook_lib.chapters.part5.svd_reweighting.experiment.regimes import *
from mtlbook_lib.chapters.part5.svd_reweighting.experiment.splits import *

__all__ = ["ARMS", "METHODS", "N_SPLITS", "RIDGE", "SETTINGS", "Compared", "available", "clean_alone", "collapse",
           "compare", "compute_stored", "entropies", "many_tasks", "pairs", "raw_weights", "retrain_sample",
           "trained_cells", "weak_annotators", "with_baselines"]  # fmt: skip
