"""Twenty questions about handwritten digits: what the training images forecast of training together, and what comes."""

from mtlbook_lib.experiments.part3.real_tasks.benefits import (
    benefit,
    gain,
    image_curves,
    learning_curves,
    namesake_benefit,
    network_gap,
    own_time_gain,
)
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
from mtlbook_lib.experiments.part3.real_tasks.predictions import law, many_outputs, namesake_law, same_task_cosine
from mtlbook_lib.experiments.part3.real_tasks.scores import different, policies, same, score, two_groups

__all__ = [
    "benefit",
    "cancer_benefits",
    "cosines",
    "different",
    "digit_maps",
    "five_output_forecasts",
    "flipped_maps",
    "gain",
    "gallery",
    "image_curves",
    "inner",
    "known_estimates",
    "law",
    "law_gaps",
    "learning_curves",
    "many_outputs",
    "namesake_benefit",
    "namesake_law",
    "network_gap",
    "noise_energy",
    "own_time_gain",
    "policies",
    "price_of_company",
    "residual_correlation",
    "same",
    "same_task_cosine",
    "score",
    "teacher_maps",
    "two_groups",
]
