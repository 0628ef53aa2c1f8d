"""Every promised error: it has the right type, names the argument, and says what it may be."""

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing as hs

RNG = np.random.default_rng(11)
X = RNG.normal(size=(6, 3))
XS, YS = [X, RNG.normal(size=(5, 3))], [RNG.normal(size=6), RNG.normal(size=5)]
LAYER = RNG.normal(size=(3, 2))
EYE, ONES = np.eye(3), np.ones(3)
NAN = np.full((6, 3), np.nan)
TRUTHS = {"theta1": ONES, "theta2": ONES, "sigma1": 1.0, "sigma2": 1.0}
FIXED = {"cov1": EYE, "cov2": EYE, "n1": 9, "n2": 9, **TRUTHS}
POOLED = {"s1": EYE, "s2": EYE, **TRUTHS, "ratio": 1.0, "target_cov": EYE}

TASKS = {
    "sharing_loss": lambda xs, ys: hs.sharing_loss(xs, ys, LAYER, [np.ones(2)] * 2),
    "optimal_heads": lambda xs, ys: hs.optimal_heads(xs, ys, LAYER),
    "explained_energy": lambda xs, ys: hs.explained_energy(xs, ys, LAYER),
    "shared_solution": lambda xs, ys: hs.shared_solution(xs, ys, 1),
    "rank_one_objective": lambda xs, ys: hs.rank_one_objective(ONES, xs, ys),
    "rank_one_optimum": hs.rank_one_optimum,
    "rank_one_upper_bound": hs.rank_one_upper_bound,
    "greedy_energies": hs.greedy_energies,
}


@pytest.mark.parametrize("function", TASKS.values(), ids=list(TASKS))
@pytest.mark.parametrize(
    ("xs", "ys", "error", "message"),
    [
        ([], [], ValueError, "xs and ys must have one entry for each task, and at least one"),
        (XS, YS[:1], ValueError, "xs and ys must have one entry for each task"),
        ([X, X[:, :2]], [YS[0], YS[0]], ValueError, "xs must have the same number of columns"),
        ([X, X], [YS[0], YS[1]], ValueError, r"ys\[1\] must have shape \(6,\)"),
        ([X, X[0]], [YS[0], 1.0], ValueError, r"xs\[1\] must be a matrix"),
        ([X[:0], X], [[], YS[0]], ValueError, r"xs\[0\] must be a matrix"),
        ([NAN, X], [YS[0]] * 2, ValueError, r"xs\[0\] must be finite"),
        ([X, X], [YS[0], NAN[:, 0]], ValueError, r"ys\[1\] must be finite"),
        ([X, X], [YS[0], ["a"] * 6], TypeError, r"ys\[1\] must be real numbers"),
    ],
)
def test_tasks(function, xs, ys, error, message):
    with pytest.raises(error, match=message):
        function(xs, ys)


CASES = [
    (lambda: hs.single_task_solution(ONES, 1.0), ValueError, "x must be a matrix"),
    (lambda: hs.single_task_solution(X, np.ones(5)), ValueError, r"y must have shape \(6,\)"),
    (lambda: hs.sharing_loss(XS, YS, EYE[:2], [ONES] * 2), ValueError, r"shared must have shape \(3, r\)"),
    (lambda: hs.sharing_loss(XS, YS, EYE[:, :0], [[]] * 2), ValueError, "shared must have shape"),
    (lambda: hs.sharing_loss(XS, YS, LAYER, [np.ones(2)]), ValueError, "heads must have one entry a task, 2; got 1"),
    (lambda: hs.sharing_loss(XS, YS, LAYER, [np.ones(2), ONES]), ValueError, r"heads\[1\] must have shape \(2,\)"),
    (lambda: hs.explained_energy(XS, YS, LAYER, ONES), ValueError, r"weights must have shape \(2,\)"),
    (lambda: hs.shared_solution([X, X], [YS[0]] * 2, 4), ValueError, "capacity must be at most the number"),
    (lambda: hs.shared_solution(XS, YS, 1), ValueError, "xs must have covariances that are equal"),
    (lambda: hs.shared_solution([X * [1, 1, 0]] * 2, [YS[0]] * 2, 1), ValueError, r"xs\[0\] must have full column"),
    (lambda: hs.shared_solution([X[:2]], [YS[0][:2]], 1), ValueError, r"xs\[0\] must have full column rank 3"),
    (lambda: hs.rank_one_objective([[0, 0, 0], [1, 2, 3]], XS, YS), ValueError, "b must not be zero"),
    (lambda: hs.rank_one_objective([0, 0, 1], [X, X * [1, 1, 0]], [YS[0]] * 2), ValueError, r"null space of xs\[1\]"),
    (lambda: hs.rank_one_objective([0, 0, 1], [X, 0 * X], [YS[0]] * 2), ValueError, r"null space of xs\[1\]"),
    (lambda: hs.rank_one_objective([ONES, [0, 0, 1]], [X * [1, 1, 0]], YS[:1]), ValueError, r"null space of xs\[0\]"),
    (lambda: hs.feature_cosine_bound([9.0, 1.0], 1.0, 2.0), ValueError, "signal_norm must exceed"),
    (lambda: hs.rank_one_upper_bound([X] * 3, [YS[0]] * 3), ValueError, "xs must hold two tasks; got 3"),
    (lambda: hs.greedy_energies([X * [1, 1, 0]] * 2, [YS[0]] * 2), ValueError, r"xs\[0\] must have full column rank"),
    (lambda: hs.sine(1.0, [1.0]), ValueError, "u must have at least one entry"),
    (lambda: hs.sine(np.ones((2, 3)), np.ones((3, 3))), ValueError, "u, v must have shapes that broadcast"),
    (lambda: hs.covariance_similarity(X, X[:, :2]), ValueError, "x1 and x2 must have the same number of columns"),
    (lambda: hs.covariance_similarity(X, 0 * X), ValueError, "x2 must not be zero"),
    (lambda: hs.covariance_similarity(X, 0 * X + 0.1, center=True), ValueError, "x2 must not be zero after centring"),
    (lambda: hs.covariance_similarity(X, X, 0.0), ValueError, r"energy must lie in \(0, 1\]"),
    (lambda: hs.covariance_similarity(X, X, 1.01), ValueError, r"energy must lie in \(0, 1\]"),
    (lambda: hs.covariance_similarity(X[:0], X), ValueError, "x1 must have at least one row"),
    (lambda: hs.target_error_bound(0.1, X, ONES, ONES), ValueError, r"noise2 must have shape \(6,\)"),
    (lambda: hs.target_error_bound(0.1, X, np.ones(4), np.ones(6)), ValueError, r"theta2 must have shape \(3,\)"),
    (lambda: hs.head_error_bound(X, ONES, 0.0, 0.1, 0.01), ValueError, "a2 must not be 0"),
    (lambda: hs.head_error_bound(X, ONES, ONES, 0.1, 0.01), TypeError, "a2 must be a single number"),
    (lambda: hs.head_error_bound(-np.abs(X), ONES, 1.0, 0.1, 0.01), ValueError, "angle must be so small"),
    (lambda: hs.feature_cosine_bound(1.0, 4.0, 1.0), ValueError, "signal_norm must exceed projected_noise"),
    (lambda: hs.svd_task_weights(X, LAYER, 1), ValueError, r"y must have shape \(6, k\)"),
    (lambda: hs.svd_task_weights(X, X[:, :2], 3), ValueError, r"rank must be at most min\(d, k\) = 2; got 3"),
    (lambda: hs.svd_task_weights(X, YS[0], 1), ValueError, r"y must have shape \(6, k\)"),
    (lambda: hs.svd_task_weights(X[0], YS[0], 1), ValueError, r"x must have .* shape \(..., m, d\); got \(3,\)"),
    (lambda: hs.shared_models(X, X, 1, [1, 2]), ValueError, r"weights must have shape \(..., 3\)"),
    (lambda: hs.shared_models(X, X, 4), ValueError, r"rank must be at most min\(d, k\) = 3; got 4"),
    (lambda: hs.uncertainty_weights(X, X[:, :2], 3), ValueError, r"rank must be at most min\(d, k\) = 2"),
    (lambda: hs.uncertainty_weights(X[:0], X[:0], 1), ValueError, "x must have at least one row"),
]


@pytest.mark.parametrize(("call", "error", "message"), CASES)
def test_single_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call()


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


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"cov1": np.diag([1, 0, 0]), "cov2": np.diag([1, 1, 0]), "ratio": 1.0}, ValueError, "cov1 and cov2 must add"),
        ({"ratio": [1.0, 2.0], "n1": [9, 9, 9]}, ValueError, "must have shapes that broadcast"),
    ],
)
def test_fixed_ratio(changes, error, message):
    with pytest.raises(error, match=message):
        hs.asymptotic_risk(**{**FIXED, **changes})


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"n2": 4}, ValueError, r"n2 must exceed d \+ 1 = 4; got 4"),
        ({"n2": [9, 3]}, ValueError, r"n2 must exceed d \+ 1 = 4; got 3"),
        ({"free_ratio": 1}, TypeError, "free_ratio must be True or False"),
        ({"theta1": 0 * ONES, "theta2": 0 * ONES, "free_ratio": True}, ValueError, "must not both be zero"),
    ],
)
def test_free_ratio(changes, error, message):
    with pytest.raises(error, match=message):
        hs.asymptotic_transfer(**{**FIXED, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"s1": np.zeros((3, 3)), "s2": np.diag([1.0, 1.0, 0.0])}, "s1 and s2 must add up to a nonsingular matrix"),
        ({"s2": np.eye(2)}, r"s2 must have shape \(3, 3\)"),
        ({"target_cov": -EYE}, "target_cov must have no negative eigenvalue"),
        ({"theta2": np.ones(2)}, r"theta2 must have shape \(3,\)"),
    ],
)
def test_pooled(changes, message):
    with pytest.raises(ValueError, match=message):
        hs.pooled_bias_variance(**{**POOLED, **changes})


def test_arguments_are_left_as_they_were():
    xs, ys = [x.copy() for x in XS], [y.copy() for y in YS]
    hs.rank_one_optimum(xs, ys)
    hs.greedy_energies(xs, ys)
    hs.optimal_heads(xs, ys, LAYER)
    for mine, theirs in zip([*xs, *ys], [*XS, *YS], strict=True):
        np.testing.assert_array_equal(mine, theirs)
