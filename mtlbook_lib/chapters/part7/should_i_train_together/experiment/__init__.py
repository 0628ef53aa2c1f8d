"""Pairs of real tasks: what five students gain from a partner, and what had been forecast."""

from mtlbook_lib.chapters.part7.should_i_train_together.experiment.constructed import *
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.forecasts import *
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.measured import *
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.scores import *
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.students import *
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.summaries import *

__all__ = ["MODELS", "NUMBERS", "SETS", "STUDENTS", "TOGETHER", "VERDICTS", "Measured", "Policy", "ceiling",
           "concordance", "construct_again", "failure_rows", "failures", "forecast_again", "make_forecasts",
           "model_gains", "model_table", "oracle", "permuted_helps", "policy", "policy_table", "rank_correlation",
           "rank_difference", "rank_table", "recomputed", "right_signs", "single_run_signs",
           "stored_pairs", "stored_seconds", "stored_shares", "study", "targets_of", "train_students",
           "verdict_curves", "verdict_means", "verdict_rows"]  # fmt: skip
