"""What the averages of the softmax refuse."""

import numpy as np
from refusals import refused

from mtlbook_lib.theory import softmax

EQUAL = np.array([[1.0, 2.0], [0.5, 0.1], [1.0, 2.0]])
RNG = np.random.default_rng()

test_what_does_not_fit_is_refused = refused(
    None,
    {},
    {
        "^std must be a vector of at least two": [
            lambda: softmax.mean_jacobian_independent([1.0]),
            lambda: softmax.mean_jacobian_independent([[1.0, 1.0]]),
        ],
        "^u must be a vector": [lambda: softmax.mean_jacobian_rank_one(1.0, 3.0)],
        "^cov must be a square": [
            lambda: softmax.mean_jacobian(np.ones((2, 3)), RNG),
            lambda: softmax.label_laplacian(np.eye(1), RNG),
        ],
        "^factor must give different logits": [lambda: softmax.lowrank_class_probabilities(EQUAL)],
        r"^factor must have shape \(k, 2\)": [
            lambda: softmax.lowrank_label_laplacian(np.ones((3, 4))),
            lambda: softmax.lowrank_class_probabilities(np.ones((1, 2))),
        ],
        "^factor must have 2 axes": [lambda: softmax.lowrank_label_laplacian(np.ones(3))],
        "^cov must give different": [
            lambda: softmax.label_laplacian(EQUAL @ EQUAL.T, RNG),
            lambda: softmax.label_laplacian(np.zeros((2, 2)), RNG),
        ],
    },
)
test_one_strength_is_one_number = refused(
    softmax.mean_jacobian_rank_one, {"s": [1.0], "u": [1.0, 2.0]}, {"^s must be a single number": [{}]}, TypeError
)
