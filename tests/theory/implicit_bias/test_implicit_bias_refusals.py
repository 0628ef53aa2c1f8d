"""What the functions of the implicit bias refuse."""

import numpy as np
from refusals import refused

from mtlbook_lib.theory import implicit_bias as b

GRAM, Y = b.tangent_kernel(np.eye(6, 3) + 1, np.eye(6, 3) + 1) + np.eye(6), np.ones(6)

test_what_does_not_fit_is_refused = refused(
    b.probing_path,
    {"x": [[1.0, 2.0]], "y": [1.0], "u_plus": 1.0, "u_minus": 0.5, "gamma": 0.1, "time": 1.0},
    {
        r"path must leave a width above 0 .* coordinate 1": [lambda: b.probed_width(1.0, 0.2, 0.0, [0.5, -1.0])],
        "beta must differ from the start": [lambda: b.penalty_orders([1.0, 0.0], 1.0, 1.0, 0.0)],
        "beta and beta_aux must not both be zero": [lambda: b.group_orders([2.0, 0.0], 0.0)],
        "z must be small enough": [lambda: b.q([1.0, 1e308])],
        "beta must be small enough": [lambda: b.penalty_terms(1e306, 1e-9)],
        "kappa must be greater than 0": [lambda: b.printed_penalty([1.0], [0.0], 0.0)],
        "kappa must be greater than 0 .* coordinate 1": [lambda: b.printed_width([1.0, 0.0], 0.0)],
        "alpha must have a square above 0": [lambda: b.finetuning_width(1.0, [0.1, 1e-200], 1.0)],
        "x and z": [lambda: b.tangent_kernel(np.ones((6, 3)), np.ones((4, 2)))],
        "kernel must have": [
            lambda kernel=kernel, y=y: b.kernel_interpolator(kernel, y, GRAM)
            for kernel, y in ((GRAM[:5], Y), (GRAM, Y[None]), (GRAM[:0, :0], []), (GRAM, Y[:5]), (1.0, 1.0))
        ],
        "symmetric": [lambda: b.kernel_interpolator(GRAM + np.triu(np.ones((6, 6)), 1), Y, GRAM)],
        "positive definite": [lambda: b.kernel_interpolator(-GRAM, Y, GRAM)],
    },
)
