"""Pairs of real tasks: what five students gain from a partner, and what had been forecast."""

from mtlbook_lib.experiments.part7.should_i_train_together.forecasts import NUMBERS, VERDICTS
from mtlbook_lib.experiments.part7.should_i_train_together.measured import Measured
from mtlbook_lib.experiments.part7.should_i_train_together.scores import (
    ceiling,
    concordance,
    failures,
    oracle,
    permuted_helps,
    policy,
    rank_correlation,
    rank_difference,
    right_signs,
    single_run_signs,
    verdict_means,
)
from mtlbook_lib.experiments.part7.should_i_train_together.stored import (
    SETS,
    run,
    stored_pairs,
    stored_seconds,
    targets_of,
    train_again,
)
from mtlbook_lib.experiments.part7.should_i_train_together.students import STUDENTS
from mtlbook_lib.experiments.part7.should_i_train_together.summaries import (
    MODELS,
    TOGETHER,
    Policy,
    failure_rows,
    policy_table,
    process_gains,
    process_table,
    rank_table,
    stability,
    verdict_curves,
    verdict_rows,
)

__all__ = [
    "MODELS",
    "NUMBERS",
    "SETS",
    "STUDENTS",
    "TOGETHER",
    "VERDICTS",
    "Measured",
    "Policy",
    "ceiling",
    "concordance",
    "failure_rows",
    "failures",
    "oracle",
    "permuted_helps",
    "policy",
    "policy_table",
    "process_gains",
    "process_table",
    "rank_correlation",
    "rank_difference",
    "rank_table",
    "right_signs",
    "run",
    "single_run_signs",
    "stability",
    "stored_pairs",
    "stored_seconds",
    "targets_of",
    "train_again",
    "verdict_curves",
    "verdict_means",
    "verdict_rows",
]
