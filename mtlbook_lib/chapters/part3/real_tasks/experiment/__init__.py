"""Twenty questions about handwritten digits: what the training images forecast of training together, and what comes."""

from mtlbook_lib.chapters.part3.real_tasks.experiment.benefits import *
from mtlbook_lib.chapters.part3.real_tasks.experiment.forecasts import *
from mtlbook_lib.chapters.part3.real_tasks.experiment.maps import *
from mtlbook_lib.chapters.part3.real_tasks.experiment.others import *
from mtlbook_lib.chapters.part3.real_tasks.experiment.transfers import *

__all__ = ["POLICY_COLUMNS", "SCORE_COLUMNS", "Transfer", "along_correlation", "cancer_benefits",
           "controls", "cosines", "different_pairs", "digit_maps", "five_output_forecasts",
           "flipped_maps", "forecast_pairs", "gallery", "growth_on_images", "inner", "inner_gaps",
           "known_estimates", "law_gaps", "long_digit_maps", "middle_mean", "namesake_benefit", "namesake_law",
           "network_gap", "noise_energy", "noise_of_sharing", "policies", "residual_correlation", "same_pairs",
           "same_task_cosine", "score", "shared_noise", "shuffled_slope", "sign_evidence", "sign_over_tasks",
           "teacher_maps", "two_groups"]  # fmt: skip
