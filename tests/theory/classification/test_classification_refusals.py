"""What the functions of classification refuse; those of the flow by gains stand beside it."""

import numpy as np
from refusals import refused

from mtlbook_lib.theory.classification import (
    benefit_bounds,
    lowrank_generalization_loss,
    noisy_relatedness,
    rank_one_flow,
)

MODES = np.linalg.qr(np.random.default_rng(18).normal(size=(5, 4)))[0]
EYE, RNG = np.eye(2), np.random.default_rng(19)

test_what_does_not_fit_is_refused = refused(
    rank_one_flow,
    {"direction": [0.9, 0.4, -0.1, -0.5], "s0": 0.1, "t": 1.0},
    {
        "direction must have one largest": [{"direction": u} for u in ([1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0])],
        "n_features must be at least k": [lambda: noisy_relatedness(1.0, 1.0, 0.5, [3, 5], 4)],
        "^output_modes must have ort": [lambda: lowrank_generalization_loss(1.0, 1.0, 2 * MODES[:, :2], RNG)],
        "^label_covariance must have": [lambda: benefit_bounds(EYE, EYE, np.eye(3), np.copy)],
        "^w_single must have at least 2 axes": [lambda: benefit_bounds([1.0], EYE, EYE, np.copy)],
    },
)
