"""Pairs of real tasks: what five students gain from a partner, and what had been forecast."""

from mtlbook_lib.chapters.part7.should_i_train_together.experiment.acceptance import *
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.forecasts import *
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.judged import *
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.measured import *
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.scores import *
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.students import *
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.summaries import *

__all__ = ["LEARNERS", "MODELS", "NUMBERS", "POLICIES", "PREDICTORS", "SETS", "STUDENTS", "TOGETHER",
           "VERDICTS", "Judged", "Measured", "Policy", "best_rival", "ceiling", "compute_stored",
           "concordance", "failure_rows", "failures", "false_by_student", "false_promises", "few_rows", "judged_again",
           "opposite_pairs", "oracle", "order", "permuted_helps", "policy", "policy_table",
           "process_gains", "process_table", "rank_correlation", "rank_difference", "rank_table",
           "recomputed", "right_signs", "single_run_signs", "stability", "stored_constructed",
           "stored_few_rows", "stored_judged", "stored_pairs", "stored_recommend_seconds", "stored_seconds", "study",
           "targets_of", "verdict_curves", "verdict_gains", "verdict_means", "verdict_rows",
           "verdict_shares", "worth"]  # fmt: skip
