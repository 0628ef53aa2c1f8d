"""What single modules refuse; a package with many errors of its own has a file for them."""

import numpy as np
import pytest
from refusals import refused

from mtlbook_lib.theory import generalization, interpolation, resolution, spiked, transfer, truncation
from mtlbook_lib.theory import learning_curves as curves
from mtlbook_lib.theory import marchenko_pastur as mp_law
from mtlbook_lib.theory._quadrature import integrate
from mtlbook_lib.theory.linear_dynamics import deep_random_half_time, deep_random_strength
from mtlbook_lib.theory.training_paths import largest_margin

SPARSE = (np.array([0.05, 0.95]), np.array([1.0, 0.0]))
GOOD = {"t": 1.0, "teacher": [2.0], "aspect": 0.5, "n_outputs": 20}

test_the_law_of_noise = refused(
    mp_law.tail_quantile,
    {},
    {
        "mass": [
            {"mass": m, "aspect": a} for m, a in ((-1e-9, 0.5), (1.0001, 0.5), (0.6, 2.0), ([0.1, 0.3], [1.0, 4.0]))
        ],
        "aspect": [lambda: mp_law.median_eigenvalue([0.5, 1.0001])],
        "lower": [lambda: mp_law.expectation(np.square, 0.5, lower=1.2, upper=1.1)],
        "func": [
            lambda: mp_law.expectation(lambda s: s[:5], 0.5),
            lambda: mp_law.expectation(lambda s: np.full_like(s, np.nan), 0.5),
        ],
        "s_hat": [lambda: spiked.clean_singular_value([3.0, 1.999], 1)],
        "s must exceed": [lambda: spiked.outlier_variance([2.0, 1.0], 1.0, 50)],
        "singular_values": [
            lambda: spiked.noise_scale(np.ones(3), 4, 5),
            lambda: spiked.noise_scale(1.0, 1, 5),
            lambda: spiked.detected_modes(np.ones(3), 2, 5),
        ],
        "scale": [lambda: spiked.detected_modes(np.ones((3, 2)), 2, 5, scale=np.ones(2))],
        "gain must lie": [lambda: resolution.accuracy_gain_error([0.2, 0.3], 10, 0.25)],
        "prevalence must lie above 0 and below 1": [
            lambda: resolution.random_label_factor([0.5, 1.0], 0.2),
            lambda: resolution.random_label_factor(0.0, 0.2),
        ],
        "s must be in descending order": [lambda: truncation.truncation_error([3.0, 1.0, 1.5], 1, 0.5)],
    },
)
test_types = refused(
    None,
    {},
    {
        "func": [lambda: mp_law.expectation(lambda s: s * 1j, 0.5)],
        "aspect": [lambda: mp_law.expectation(np.square, [0.5, 1.0])],
        "level": [lambda: spiked.detected_modes(np.ones(2), 2, 5, level=[0.1, 0.2])],
    },
    TypeError,
)
test_curves = refused(
    None,
    {},
    {
        "teacher": [
            lambda curve=curve, teacher=teacher: curve(**GOOD | {"teacher": teacher})
            for curve in (generalization.train_error, generalization.test_error)
            for teacher in (2.0, [2.0] * 21)
        ],
        "aspect must be at most 1": [
            lambda: generalization.train_error(**GOOD | {"aspect": 1.1}),
            lambda: generalization.test_error(**GOOD | {"aspect": 1.1}),
        ],
        "n_hidden must be at least the teacher's rank 2": [
            lambda: generalization.train_error(**GOOD | {"teacher": [2.0, 3.0], "n_hidden": 1}),
            lambda: generalization.test_error(**GOOD | {"teacher": [2.0, 3.0], "n_hidden": 1}),
        ],
        "order": [lambda: generalization.test_error(1.0, [2.0], 0.5, 20, order=2)],
        "aspect": [
            lambda: generalization.test_error_random(1.0, [2.0], 20, 40),
            lambda: generalization.bulk_shift(np.square, [2.0], 1.5),
        ],
        "teacher must have at most": [lambda: generalization.test_error_examples(1.0, [2.0] * 3, 20, 20, 2, 1e-3)],
        "teacher ": [lambda: generalization.shrinkage_error([], 0.5)],
        "s must be above the threshold": [lambda: generalization.rank_one_optimum([2.0, 0.5**0.25], 0.5, 1e-3)],
        "eps must be below 1/2": [lambda: generalization.best_stopping([2.0], 0.5, 20, eps=0.5)],
        "func": [lambda: generalization.bulk_shift(lambda s: s * np.nan, [2.0], 0.5)],
        "func must return one value": [lambda: generalization.bulk_shift(lambda s: s[:-1], [2.0], 0.5)],
        "curve must return one error per time": [lambda: generalization.curve_minimum(lambda t: 1.0, 2.0)],
        "too sharp": [
            lambda: integrate(lambda x, p: np.where(x > p, 1.0, 0.0), 1.0, np.array([0.1234567]), np.zeros(1))
        ],
        "delta must be below 1": [
            lambda: curves.penalty_error(1.0, *SPARSE, 0.1),
            lambda: curves.weighted_l2_error(1.5, *SPARSE, 1.0),
        ],
        "weights must be fractions of classes": [lambda: curves.penalty_error(0.5, [0.5, 0.4], [1.0, 0.0], 0.1)],
        "truth must differ from start": [lambda: curves.penalty_error(0.5, *SPARSE, 0.1, SPARSE[1])],
        "rho must be fractions whose sum is at most 1": [lambda: curves.l1_threshold(1.1)],
    },
)
test_group_norm = refused(
    interpolation.min_group_norm,
    {"xs": [[[1.0, 0.0]], [[1.0, 0.0]]], "ys": [[1.0], [1.0]]},
    {
        r"xs\[1\] and ys\[1\] must be consistent": [{"xs": [[[1.0, 0.0]], [[0.0, 0.0]]]}],
    },
)
test_largest_margin = refused(
    largest_margin,
    {},
    {
        "signed must be separable; its largest margin is below 1e-09 of a row": [
            {"signed": [[[1.0, 8e-10], [-1.0, 8e-10]]]}
        ],
        "signed must be separable: all its entries are zero": [{"signed": [np.zeros((2, 3))]}],
    },
)
test_transfer = refused(
    None,
    {},
    {
        "head must be below": [lambda: transfer.head_shrinkage_error([3.0], [[1.0]], 0.5, head=1)],
        "eps must be below": [lambda: transfer.best_head_stopping([3.0], [[1.0]], 0.5, 50, 0.7)],
    },
)
test_deep_random_students = refused(
    deep_random_strength,
    {"times": [0.5], "s_hat": 1.0, "eps": 0.1, "depth": 3},
    {
        "times must be sorted": [{"times": [1.0, 0.5]}],
        "s_hat must be greater than 2 eps; got s_hat=0.1": [{"s_hat": [1.0, 0.1]}],
        "s_hat must be greater than 2 eps": [lambda: deep_random_half_time(0.2, 0.1, 3)],
        "depth must be at most 1000": [{"depth": 1001}, lambda: deep_random_half_time(1.0, 0.1, 10**12)],
        r"s_hat must lie in \[1e-50, 1e\+50\]": [lambda: deep_random_half_time(1e51, 0.1, 3)],
        "eps must lie in": [lambda: deep_random_half_time(1.0, 1e-51, 3)],
        "overlap must have a square of at most": [lambda: deep_random_half_time(1.0, 1e-3, 3, 0.5, overlap=0.8)],
    },
)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (spiked.largest_noise_singular_value, (np.uint8(200), np.uint8(100))),
        (spiked.largest_noise_singular_value, (np.int8(100), np.int8(100))),
        (curves.group_threshold, (0.1, 0.0, 0.1, np.float16(0.3))),
    ],
)
def test_small_types_count_as_the_numbers_that_they_hold(function, arguments):
    assert function(*arguments) == function(*(one.item() if hasattr(one, "item") else one for one in arguments))
