"""Every promised error: it has the right type, names the argument, and says what it may be."""

import numpy as np
import pytest
from refusals import refused

from mtlbook_lib.theory import hard_sharing as hs

RNG = np.random.default_rng(11)
X = RNG.normal(size=(6, 3))
XS, YS = [X, RNG.normal(size=(5, 3))], [RNG.normal(size=6), RNG.normal(size=5)]


EYE, ONES = np.eye(3), np.ones(3)
FLAT, STACK, SQUARE = X * [1, 1, 0], np.stack([X, X]), np.array([[3.0, 1.0], [0.5, -2.0], [1.0, 1.5]])
RIGHT = np.nextafter(np.pi / 3, 2)  # the angle of which 2 sin(angle / 2) is 1 in all digits
assert 2 * np.sin(RIGHT / 2) == 1
TRUTHS = {"theta1": ONES, "theta2": ONES, "sigma1": 1.0, "sigma2": 1.0}
FIXED = {"cov1": EYE, "cov2": EYE, "n1": 9, "n2": 9, **TRUTHS}
POOLED = {"s1": EYE, "s2": EYE, **TRUTHS, "ratio": 1.0, "target_cov": EYE}


test_single_arguments = refused(
    None,
    {},
    {
        "capacity must be at most the number": [lambda: hs.shared_solution([X, X], [YS[0]] * 2, 4)],
        "xs must have covariances that are equal": [lambda: hs.shared_solution(XS, YS, 1)],
        r"xs\[0\] must have full column rank 3": [
            lambda: hs.shared_solution([FLAT] * 2, [YS[0]] * 2, 1),
            lambda: hs.shared_solution([X[:2]], [YS[0][:2]], 1),
            lambda: hs.greedy_energies([FLAT] * 2, [YS[0]] * 2),
        ],
        "b must not be zero": [lambda: hs.rank_one_objective([[0, 0, 0], [1, 2, 3]], XS, YS)],
        r"null space of xs\[1\]": [
            lambda: hs.rank_one_objective([0, 0, 1], [X, FLAT], [YS[0]] * 2),
            lambda: hs.rank_one_objective([0, 0, 1], [X, 0 * X], [YS[0]] * 2),
        ],
        r"null space of xs\[0\]": [lambda: hs.rank_one_objective([ONES, [0, 0, 1]], [FLAT], YS[:1])],
        "signal_norm must exceed projected_noise .* the smallest difference is 0": [
            lambda: hs.feature_cosine_bound([4.0, 3.0], 1.0, 2.0)
        ],
        "u must not be zero": [lambda: hs.sine([[1.0, 0.0], [0.0, 0.0]], [1.0, 1.0])],
        "v must not be zero": [lambda: hs.sine([1.0, 1.0], [[0.0, 0.0], [1.0, 0.0]])],
        "condition_number must be at least 1; got 0.9": [lambda: hs.sine_lower_bound(0.1, [2.0, 0.9])],
        "x2 must not be zero": [lambda: hs.covariance_similarity(X, 0 * X)],
        "x2 must not be zero after centring": [lambda: hs.covariance_similarity(X, 0 * X + 0.1, center=True)],
        r"energy must lie in \(0, 1\]": [
            lambda: hs.covariance_similarity(X, X, 0.0),
            lambda: hs.covariance_similarity(X, X, 1.01),
        ],
        "theta2 must not be in the null space": [lambda: hs.target_error_bound(0.1, X, 0 * ONES, np.ones(6))],
        "c must lie in": [
            lambda: hs.target_error_bound([-0.1, 0.1], X, ONES, np.ones(6)),
            lambda: hs.target_error_bound([0.1, 1 / 3], X, ONES, np.ones(6)),
        ],
        "a2 must not be 0": [lambda: hs.head_error_bound(X, ONES, 0.0, 0.1, 0.01)],
        "angle must be so small": [
            lambda: hs.head_error_bound(-np.abs(X), ONES, 1.0, 0.1, 0.01),
            lambda: hs.head_error_bound(SQUARE, ONES[:2], 1.0, 0.1, [0.01, 3.1]),
            lambda: hs.head_error_bound([[2.0]], [1.0], 1.0, 0.1, RIGHT),
            lambda: hs.model_error_bound([0.1, 1.5], 1.0, 0.1),
            lambda: hs.model_error_bound(RIGHT, 1.0, 0.1),
        ],
        "failure must": [lambda: hs.likely_source_noise(1.0, 1.0, 3, 1.0)],
        r"rank must be at most min\(d, k\) = 2": [
            lambda: hs.svd_task_weights(X, X[:, :2], 3),
            lambda: hs.svd_task_weights(STACK, STACK[..., :2], 3),
            lambda: hs.uncertainty_weights(X, X[:, :2], 3),
        ],
        r"rank must be at most min\(d, k\) = 3; got 4": [lambda: hs.shared_models(X, X, 4)],
    },
)


COVARIANCES = [
    ("cov2", np.eye(4), r"cov2 must have shape \(3, 3\)"),
    ("cov1", np.ones((3, 2)), "cov1 must have shape"),
    ("cov1", EYE + np.triu(np.ones((3, 3)), 1), "cov1 must be symmetric"),
    ("cov2", np.diag([1.0, 1.0, -1.0]), "cov2 must have no negative eigenvalue"),
    ("theta1", np.ones(4), r"theta1 must have shape \(3,\)"),
]


@pytest.mark.parametrize("function", ["asymptotic_risk", "asymptotic_transfer"])
@pytest.mark.parametrize(("name", "value", "message"), COVARIANCES)
def test_gaussian_tasks(function, name, value, message):
    arguments = {**FIXED, name: value} | ({"ratio": 1.0} if function == "asymptotic_risk" else {})
    with pytest.raises(ValueError, match=message):
        getattr(hs, function)(**arguments)


test_fixed_ratio = refused(
    hs.asymptotic_risk,
    {**FIXED, "ratio": 1.0},
    {
        "cov1 and cov2 must add": [{"cov1": np.diag([1, 0, 0]), "cov2": np.diag([1, 1, 0])}],
        "ratio must not be 0": [{"ratio": [1.0, 0.0]}],
        r"n1 \+ n2 must exceed d = 3; got 3": [{"n1": [1.0, 9.0], "n2": [2.0, 9.0]}, {"n1": 1.4, "n2": 1.6}],
        "n2 must exceed .* this task sees, 2; got 2": [
            {"cov1": np.diag([1.0, 0, 0]), "n2": [2.0, 9.0]},
            {"cov1": np.diag([1.0, 1e-14, 0]), "n2": 2.0},
        ],
        "n1 must exceed .* this task sees, 2; got 2": [{"cov2": np.diag([1.0, 0, 0]), "n1": [9.0, 2.0]}],
    },
)
test_free_ratio = refused(
    hs.asymptotic_transfer,
    FIXED,
    {
        r"n2 must exceed d \+ 1 = 4; got 4": [{"n2": [9, 4]}],
        "must not both be zero": [{"theta1": 0 * ONES, "theta2": 0 * ONES, "free_ratio": True}],
    },
)
test_pooled = refused(
    hs.pooled_bias_variance,
    POOLED,
    {
        "s1 and s2 must add up to a nonsingular matrix": [{"s1": 0 * EYE, "s2": np.diag([1.0, 1.0, 0.0])}],
        "target_cov must have no negative eigenvalue": [{"target_cov": -EYE}],
        "ratio must not be 0": [{"ratio": [1.0, 0.0]}],
    },
)
