"""Covariance alignment on domains of real data, with every control; and Fig. 9."""

from mtlbook_lib.experiments.part5.covariance_alignment.arms import TIMES, cell
from mtlbook_lib.experiments.part5.covariance_alignment.course import (
    Fig9,
    by_definition,
    course,
    fig_9,
    open_gate,
    scores_of_stretched,
    with_many_examples,
)
from mtlbook_lib.experiments.part5.covariance_alignment.domains import DOMAINS, RIDGE, draw
from mtlbook_lib.experiments.part5.covariance_alignment.stored import (
    ARMS,
    N_SPLITS,
    Table,
    fit_again,
    run,
    table,
)

__all__ = [
    "ARMS",
    "DOMAINS",
    "N_SPLITS",
    "RIDGE",
    "TIMES",
    "Fig9",
    "Table",
    "by_definition",
    "cell",
    "course",
    "draw",
    "fig_9",
    "fit_again",
    "open_gate",
    "run",
    "scores_of_stretched",
    "table",
    "with_many_examples",
]
