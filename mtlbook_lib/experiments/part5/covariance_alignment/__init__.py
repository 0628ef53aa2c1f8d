"""Covariance alignment on domains of real data, with every control; and Fig. 9."""

from mtlbook_lib.experiments.part5.covariance_alignment.arms import TIMES, cell
from mtlbook_lib.experiments.part5.covariance_alignment.course import (
    SyntheticCorrelations,
    by_definition,
    course,
    open_gate,
    scores_of_stretched,
    synthetic_correlations,
    with_many_examples,
)
from mtlbook_lib.experiments.part5.covariance_alignment.domains import DOMAINS, RIDGE, draw
from mtlbook_lib.experiments.part5.covariance_alignment.stored import (
    ARMS,
    N_SPLITS,
    Table,
    compute_stored,
    fit_again,
    table,
)

__all__ = [
    "ARMS",
    "DOMAINS",
    "N_SPLITS",
    "RIDGE",
    "TIMES",
    "SyntheticCorrelations",
    "Table",
    "by_definition",
    "cell",
    "compute_stored",
    "course",
    "draw",
    "fit_again",
    "open_gate",
    "scores_of_stretched",
    "synthetic_correlations",
    "table",
    "with_many_examples",
]
