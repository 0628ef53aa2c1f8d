"""Covariance alignment on domains of real data, with every control; and Fig. 9."""

from mtlbook_lib.chapters.part5.covariance_alignment.experiment.domains import *
from mtlbook_lib.chapters.part5.covariance_alignment.experiment.runs import *

__all__ = ["ARMS", "DOMAINS", "N_SPLITS", "RIDGE", "TIMES", "SyntheticCorrelations", "Table", "by_definition", "cell",
           "compute_stored", "course", "draw", "fit_again", "open_gate", "scores_of_stretched",
           "synthetic_correlations", "table", "with_many_examples"]  # fmt: skip
