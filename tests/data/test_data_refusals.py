"""What the makers of data refuse."""

import numpy as np
from refusals import refused

from mtlbook_lib.data import real
from mtlbook_lib.data.digit_tasks import digit_split, yes_no_targets
from mtlbook_lib.data.linear_tasks import transfer_pairs
from mtlbook_lib.data.related import pair_gram
from mtlbook_lib.data.scores import area_under_curve
from mtlbook_lib.data.two_tasks.feature_tasks import rotated_pairs
from mtlbook_lib.data.two_tasks.planar import planar_points
from mtlbook_lib.data.two_tasks.relu_teachers import relu_teachers

ROWS = np.random.default_rng(0).standard_normal((60, 6))

test_what_does_not_fit_is_refused = refused(
    None,
    {},
    {
        "labels must": [lambda y=y: yes_no_targets(y) for y in ([0.5], [-1], [10], [[1, 2]])],
        "exceed n_axes": [lambda: digit_split(40, 100, 0), lambda: digit_split(900, 870, 0)],
        "at most 50": [lambda: digit_split(100, 100, 0, 51)],
        "spikes": [lambda: transfer_pairs(3, 3, 6, 0.5, 2.0, 0.1, [0], spikes=4)],
        "test_fraction must": [lambda share=share: real.split(real.breast_cancer(), share, 0) for share in (1.0, 1e-6)],
        "rows must": [
            lambda scaled=scaled, rows=rows: scaled(rows)
            for scaled in (real.standardise, real.whiten)
            for rows in (np.ones((4, 3)), np.zeros((0, 3)), np.ones(4))
        ],
        "rows must have 6 columns": [lambda: real.whitener(ROWS).apply(ROWS[:, :5])],
        r"targets must have shape \(..., 20, k\)": [
            lambda y=y: real.input_label_covariance(np.ones((20, 3)), y) for y in (np.ones((19, 2)), np.ones(20))
        ],
        "more rows than columns": [
            lambda n=n, d=d: real.symmetric_whitener(ROWS[:n, :d]) for n, d in ((3, 3), (2, 3), (3, 0))
        ],
        r"matrices of shape \(2, 1\); got shape \(1, 2\)": [lambda: pair_gram([[0.1, 0.2]], 2, 1)],
        "must be 0 or 1": [lambda: area_under_curve([0.1, 0.2], [0, 2])],
        "in the shape of scores": [lambda: area_under_curve([0.1, 0.2], [0, 1, 1])],
        "both kinds in every set": [
            lambda kind=kind: area_under_curve([[0.1, 0.2]] * 2, [[0, 1], [kind, kind]]) for kind in (0, 1)
        ],
        "rank must be at most half": [lambda: rotated_pairs(4, 4, 4, 5, 3, [0.5], 0.1, [0])],
        "spread must have shape": [lambda: planar_points(3, 0.0, (1.0, 1.0, 1.0), 1.0, [0])],
        "shared": [lambda: relu_teachers(8, 6, 1, 1, 1, 0.9, [0])],
    },
)
