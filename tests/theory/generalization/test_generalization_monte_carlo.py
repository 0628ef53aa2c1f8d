"""Learning curves against exact curves of aligned students on drawn data sets, with standard errors over data sets."""

import numpy as np
import pytest
from generalization_draws import error_curves, example_curves, largest_deviation, mean_and_error

from mtlbook_lib.theory import generalization, linear_dynamics

TIMES = np.linspace(0.1, 12, 60)


@pytest.fixture
def rng():
    return np.random.default_rng(20240607)


@pytest.mark.parametrize("teacher", [[0.6], [1.0], [1.5], [6.0, 4.0, 2.0]])
def test_first_order_curve_is_that_of_finite_networks(rng, teacher):
    _, test = error_curves(rng, TIMES, teacher, 50, 100, 100, 1e-3)
    leading, first = (generalization.test_error(TIMES, teacher, 0.5, 50, order=order) for order in (0, 1))
    deviation = largest_deviation(test, first)
    assert deviation < 0.02
    if teacher != [1.5]:
        assert deviation < largest_deviation(test, leading) / 2


def test_first_order_curve_is_met_within_standard_errors(rng):
    _, test = error_curves(rng, TIMES, [0.6], 50, 100, 200, 1e-3)
    mean, error = mean_and_error(test)
    assert np.max(np.abs(mean - generalization.test_error(TIMES, [0.6], 0.5, 50, order=1)) / error) < 4
    assert np.max(np.abs(mean - generalization.test_error(TIMES, [0.6], 0.5, 50)) / error) > 10


@pytest.mark.parametrize("teacher", [[0.6], [1.0]])
def test_error_of_the_leading_order_falls_with_the_size(rng, teacher):
    deviations = []
    for n_outputs, n_seeds in ((25, 100), (100, 25)):
        _, test = error_curves(rng, TIMES, teacher, n_outputs, 2 * n_outputs, n_seeds, 1e-3)
        deviations.append(largest_deviation(test, generalization.test_error(TIMES, teacher, 0.5, n_outputs)))
    assert deviations[0] > 1.7 * deviations[1]


@pytest.mark.parametrize("n_hidden", [None, 25])
def test_training_error_is_that_of_finite_networks(rng, n_hidden):
    train, _ = error_curves(rng, TIMES, [3.0], 50, 100, 100, 1e-3, n_hidden)
    theory = generalization.train_error(TIMES, [3.0], 0.5, 50, n_hidden)
    assert np.max(np.abs(train.mean(axis=0) - theory)) < 0.015


@pytest.mark.parametrize(("teacher", "n_hidden"), [([0.6], 10), ([6.0, 4.0, 2.0], 10), ([6.0, 4.0, 2.0], 2)])
def test_first_order_curve_holds_for_students_of_any_rank(rng, teacher, n_hidden):
    _, test = error_curves(rng, TIMES, teacher, 50, 100, 100, 1e-3, n_hidden)
    first = generalization.test_error(TIMES, teacher, 0.5, 50, n_hidden, order=1)
    assert largest_deviation(test, first) < 0.02
    if n_hidden > len(teacher):
        assert largest_deviation(test, generalization.test_error(TIMES, teacher, 0.5, 50, n_hidden)) > 0.03


@pytest.mark.parametrize(
    ("n_inputs", "n_outputs", "n_examples", "eps"),
    [
        (100, 100, 25, 1e-3),
        (100, 100, 50, 1e-3),
        (100, 100, 200, 1e-3),
        (100, 50, 75, 1e-3),
        (100, 50, 30, 1e-1),
        (100, 150, 50, 1e-1),
        (100, 50, 200, 1e-3),
        (60, 120, 90, 1e-3),
    ],
)
def test_error_after_any_number_of_examples_is_that_of_finite_networks(rng, n_inputs, n_outputs, n_examples, eps):
    test = example_curves(rng, TIMES, [3.0], n_outputs, n_inputs, n_examples, 20, eps)
    theory = generalization.test_error_examples(TIMES, [3.0], n_inputs, n_outputs, n_examples, eps)
    assert largest_deviation(test, theory) < 0.04


def test_overlap_as_printed_misses_the_unseen_part_of_the_teacher(rng):
    test = example_curves(rng, TIMES, [3.0], 100, 100, 50, 20, 1e-3)
    theory = generalization.test_error_examples(TIMES, [3.0], 100, 100, 50, 1e-3)
    theta = 3 * np.sqrt(0.5)
    s_hat = np.sqrt((1 + theta**2) * (0.5 + theta**2)) / theta
    overlap = (theta**4 - 0.5) / (theta**2 * np.sqrt((theta**2 + 0.5) * (theta**2 + 1)))
    x = linear_dynamics.mode_strength(TIMES, s_hat, 1e-3)
    printed = theory - 2 * x * 3 * overlap * (1 - np.sqrt(0.5)) / 9
    assert largest_deviation(test, printed) > 0.15


def test_random_labels_have_the_corrected_scale(rng):
    teacher, n_outputs, n_inputs = [6.0, 4.0, 2.0], 50, 100
    energies = []
    for _ in range(50):
        left, right = (np.linalg.qr(rng.standard_normal((n, 3)))[0] for n in (n_outputs, n_inputs))
        noise = rng.standard_normal((n_outputs, n_inputs)) / np.sqrt(n_inputs)
        energies.append(np.sum((left * teacher @ right.T + noise) ** 2) / n_outputs)
    scale = generalization.random_label_scale(teacher, n_outputs)
    mean, error = mean_and_error(np.array(energies))
    assert abs(mean - scale**2) < 4 * error
    assert error < 0.01
    assert mean > 1.5 * (56 / n_outputs + 1 / n_inputs)


def test_random_student_follows_the_effective_start(rng):
    t = np.linspace(0.5, 8, 16)
    curves = []
    for _ in range(60):
        left, right = (np.linalg.qr(rng.standard_normal((n, 1)))[0] for n in (50, 100))
        clean = 3.0 * left @ right.T
        data = clean + rng.standard_normal((50, 100)) / 10
        w21 = np.sqrt(1e-3) * np.linalg.qr(rng.standard_normal((100, 50)))[0].T
        w32 = np.sqrt(1e-3) * np.linalg.qr(rng.standard_normal((50, 50)))[0]
        maps = linear_dynamics.balanced_flow(w21, w32, data, t)
        curves.append(np.sum((maps - clean) ** 2, axis=(1, 2)) / 9)
    random = generalization.test_error_random(t, [3.0], 100, 50, 50)
    aligned = generalization.test_error(t, [3.0], 0.5, 50)
    assert largest_deviation(np.array(curves), random) < 0.06
    assert largest_deviation(np.array(curves), aligned) > 0.2
