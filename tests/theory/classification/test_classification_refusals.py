"""What the functions of classification refuse; those of the flow by gains stand beside it."""

import numpy as np
from refusals import refused

from mtlbook_lib.theory.classification import (
    benefit_bounds,
    lowrank_generalization_loss,
    noisy_relatedness,
    rank_one_flow,
    relatedness,
    two_task_flow,
)

MODES = np.linalg.qr(np.random.default_rng(18).normal(size=(5, 4)))[0]
EYE, RNG = np.eye(2), np.random.default_rng(19)

test_what_does_not_fit_is_refused = refused(
    rank_one_flow,
    {"direction": [0.9, 0.4, -0.1, -0.5], "s0": 0.1, "t": 1.0},
    {
        "direction must have one largest": [{"direction": u} for u in ([1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0])],
        "direction must have 1 axes": [{"direction": [[0.9, 0.4, -0.1, -0.5]]}],
        "t must be a number or a vector of times up to 10000": [{"t": [0.0, 1.0001e4]}, {"t": [[0.0, 1.0]]}],
        "n_features must be at least k": [lambda: noisy_relatedness(1.0, 1.0, 0.5, [3, 5], 4)],
        "^v_a and v_b must have the same number of rows": [lambda: relatedness(np.eye(3), np.eye(4))],
        "^v_a must have 2 axes": [lambda: relatedness(np.ones(3), np.eye(3))],
        r"^output_modes must have shape \(k, 2": [lambda: lowrank_generalization_loss(1.0, 1.0, MODES, RNG)],
        "^output_modes must have ort": [lambda: lowrank_generalization_loss(1.0, 1.0, 2 * MODES[:, :2], RNG)],
        "^w_multi must have the shape": [lambda: benefit_bounds(EYE, np.eye(3), EYE, np.copy)],
        "^label_covariance must have": [lambda: benefit_bounds(EYE, EYE, np.eye(3), np.copy)],
        "^label_covariance must have the shape": [
            lambda: benefit_bounds(np.ones((2, 2, 2)), np.ones((2, 2, 2)), np.ones((3, 2, 2)), np.copy),
            lambda: benefit_bounds(EYE, EYE, np.ones((1, 2, 2)), np.copy),
        ],
        "^w_single must have at least 2 axes": [lambda: benefit_bounds([1.0], EYE, EYE, np.copy)],
        r"^softmax_covariance\(W\) must have the shape": [lambda: benefit_bounds(EYE, EYE, EYE, lambda w: w[:1])],
    },
)
test_one_start_is_one_number = refused(
    two_task_flow,
    {},
    {"^head_b must be a single number": [lambda: two_task_flow(0.5, 0.1, 0.1, 0.2, [1.0], 0.2, 1.0, 10)]},
    TypeError,
)
