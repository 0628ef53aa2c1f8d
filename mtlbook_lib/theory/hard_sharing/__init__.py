r"""Hard parameter sharing: k tasks, one shared linear layer, and what each task gains or loses by it.

Task :math:`i` has inputs :math:`X_i` (m_i × d), labels :math:`y_i`, and predicts :math:`X_i B A_i` with the shared
layer :math:`B` (d × r) and its own head :math:`A_i` (r). The loss is a sum of squares, with no factor 1/2 or 1/m; the
weights :math:`\alpha_i` multiply each task's loss. A covariance of data is :math:`X^\top X`, not divided by m. Task 1
is the source, task 2 the target. Angles are those of lines, up to sign, and sines are nonnegative. Noise levels are
standard deviations. The ratio of the heads is that of the target's to the source's, :math:`t = A_2/A_1`.
"""

from mtlbook_lib.theory.hard_sharing.angles import covariance_similarity, sine, sine_lower_bound
from mtlbook_lib.theory.hard_sharing.asymptotic_heads import asymptotic_transfer
from mtlbook_lib.theory.hard_sharing.asymptotics import asymptotic_risk
from mtlbook_lib.theory.hard_sharing.bounds.linear import (
    likely_source_noise,
    model_error_bound,
    shared_angle_bound,
    target_error_bound,
)
from mtlbook_lib.theory.hard_sharing.bounds.relu import (
    feature_angle_bound,
    feature_cosine_bound,
    head_error_bound,
    relu_kernel,
)
from mtlbook_lib.theory.hard_sharing.direction.greedy import greedy_energies
from mtlbook_lib.theory.hard_sharing.direction.rank_one import (
    rank_one_objective,
    rank_one_optimum,
    rank_one_upper_bound,
)
from mtlbook_lib.theory.hard_sharing.equal_covariances import shared_solution
from mtlbook_lib.theory.hard_sharing.finetuning import finetuned_models
from mtlbook_lib.theory.hard_sharing.gradients import gradient_cosine, unrelated_cosine_spread
from mtlbook_lib.theory.hard_sharing.pooled import pooled_bias_variance
from mtlbook_lib.theory.hard_sharing.solutions import (
    explained_energy,
    optimal_heads,
    sharing_loss,
    single_task_solution,
)
from mtlbook_lib.theory.hard_sharing.weighted_ridge import estimated_bias_excess, weighted_ridge_risk
from mtlbook_lib.theory.hard_sharing.weighting import shared_models, svd_task_weights, uncertainty_weights

__all__ = ["asymptotic_risk", "asymptotic_transfer", "covariance_similarity", "estimated_bias_excess",
           "explained_energy", "feature_angle_bound", "feature_cosine_bound", "finetuned_models", "gradient_cosine",
           "greedy_energies", "head_error_bound", "likely_source_noise", "model_error_bound", "optimal_heads",
           "pooled_bias_variance", "rank_one_objective", "rank_one_optimum", "rank_one_upper_bound", "relu_kernel",
           "shared_angle_bound", "shared_models", "shared_solution", "sharing_loss", "sine", "sine_lower_bound",
           "single_task_solution", "svd_task_weights", "target_error_bound", "uncertainty_weights",
           "unrelated_cosine_spread", "weighted_ridge_risk"]  # fmt: skip
__dir__ = __all__.copy
