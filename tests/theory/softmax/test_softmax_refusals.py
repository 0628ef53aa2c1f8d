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
        "^factor must give different logits": [lambda: softmax.lowrank_class_probabilities(EQUAL)],
        "^cov must give different": [
            lambda: softmax.label_laplacian(EQUAL @ EQUAL.T, RNG),
            lambda: softmax.label_laplacian(np.zeros((2, 2)), RNG),
        ],
    },
)
