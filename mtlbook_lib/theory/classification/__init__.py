r"""Generalisation and transfer of linear softmax classifiers that learn from a teacher's labels.

Teachers of rank k have isotropic logits; their labels are the largest logit. Noise on a teacher's weights has
entries of variance 1/features, so that the signal-to-noise ratio `snr` is the teacher's singular value. An overlap
is the correlation of two maps' logits. Losses are cross-entropies in nats; times are in units of the time constant;
strengths are norms of logits (dimensionless).
"""

from mtlbook_lib.theory.classification.agreement import label_agreement
from mtlbook_lib.theory.classification.aligned import aligned_flow
from mtlbook_lib.theory.classification.bounds import benefit_bounds
from mtlbook_lib.theory.classification.gain_closure import GainFlow, gain_flow
from mtlbook_lib.theory.classification.generalization import generalization_loss, optimal_loss, optimal_scale
from mtlbook_lib.theory.classification.low_rank import lowrank_generalization_loss
from mtlbook_lib.theory.classification.noisy_teachers import noisy_relatedness
from mtlbook_lib.theory.classification.overlaps import (
    denoising_benefit,
    denoising_overlap,
    one_step_overlap,
    relatedness,
    teacher_overlap,
)
from mtlbook_lib.theory.classification.rank_one import rank_one_flow
from mtlbook_lib.theory.classification.two_tasks import two_task_flow

__all__ = ["GainFlow", "aligned_flow", "benefit_bounds", "denoising_benefit", "denoising_overlap", "gain_flow",
           "generalization_loss", "label_agreement", "lowrank_generalization_loss", "noisy_relatedness",
           "one_step_overlap", "optimal_loss", "optimal_scale", "rank_one_flow", "relatedness", "teacher_overlap",
           "two_task_flow"]  # fmt: skip
__dir__ = __all__.copy
