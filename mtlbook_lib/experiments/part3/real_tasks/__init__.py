"""Twenty questions about handwritten digits: what the training images forecast of training together, and what comes."""

from mtlbook_lib.experiments.part3.real_tasks.benefits import namesake_benefit, network_gap
from mtlbook_lib.experiments.part3.real_tasks.cancer import cancer_benefits
from mtlbook_lib.experiments.part3.real_tasks.five_outputs import five_output_forecasts
from mtlbook_lib.experiments.part3.real_tasks.gallery import gallery
from mtlbook_lib.experiments.part3.real_tasks.known_teachers import known_estimates, law_gaps, price_of_company
from mtlbook_lib.experiments.part3.real_tasks.maps import (
    cosines,
    digit_maps,
    flipped_maps,
    inner,
    noise_energy,
    residual_correlation,
    teacher_maps,
)
from mtlbook_lib.experiments.part3.real_tasks.predictions import namesake_law, same_task_cosine
from mtlbook_lib.experiments.part3.real_tasks.scores import (
    POLICY_COLUMNS,
    SCORE_COLUMNS,
    different_pairs,
    policies,
    same_pairs,
    score,
    two_groups,
)
from mtlbook_lib.experiments.part3.real_tasks.transfers import (
    Transfer,
    along_correlation,
    controls,
    forecast_pairs,
    growth_on_images,
    inner_gaps,
    shared_noise,
    shuffled_slope,
    sign_evidence,
)

__all__ = [
    "POLICY_COLUMNS",
    "SCORE_COLUMNS",
    "Transfer",
    "along_correlation",
    "cancer_benefits",
    "controls",
    "cosines",
    "different_pairs",
    "digit_maps",
    "five_output_forecasts",
    "flipped_maps",
    "forecast_pairs",
    "gallery",
    "growth_on_images",
    "inner",
    "inner_gaps",
    "known_estimates",
    "law_gaps",
    "namesake_benefit",
    "namesake_law",
    "network_gap",
    "noise_energy",
    "policies",
    "price_of_company",
    "residual_correlation",
    "same_pairs",
    "same_task_cosine",
    "score",
    "shared_noise",
    "shuffled_slope",
    "sign_evidence",
    "teacher_maps",
    "two_groups",
]
