"""Experiments on the number of examples, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.how_many_examples import experiment
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.data.training import training_set
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.linear.gradient_flow import integrate
from mtlbook_lib.simulation.linear.observables import unseen_energy


def test_three_conventions_give_one_curve_and_the_fourth_another():
    flows = experiment.four_flows(n=8, n_seeds=1)
    base = flows.pop("as they are")
    off = {name: np.abs(np.log10(curve / base)).max() for name, curve in flows.items()}
    assert off["noise divided"] < 1e-5
    assert off["teacher boosted"] < 1e-5
    assert off["counted twice"] > 0.1


def test_a_strong_teacher_is_seen_by_the_root_of_the_density():
    overlaps = experiment.mode_overlaps((100.0,), n=60, n_seeds=20)
    assert overlaps.mean() == pytest.approx(np.sqrt(0.5), abs=0.03)


def test_the_floor_is_the_unseen_share_of_the_teacher():
    """Trained to the end without noise, a student misses exactly what the span of the inputs does not hold."""
    teachers = experiment.teachers_of((3.0,), 3, 12, noise_scale=0.0)
    inside = training_set(teachers, 6).sigma11.reshape(3, 12, 12) @ teachers.right[:, 0]
    found = experiment.floors((0.5,), n=12, n_seeds=3)
    np.testing.assert_allclose(found[:, 0], 1 - (inside**2).sum(axis=(1, 2)), atol=1e-3)


def test_curves_start_at_one_and_know_their_mean():
    curves = experiment.learning_curves({10: (3.0, 6.0)}, n_seeds=2)
    mean, error = curves.mean(6.0, 10)
    assert mean.shape == error.shape == curves.times.shape
    assert mean[0] == pytest.approx(1, abs=0.01)
    assert curves.deviation(10 * mean, 6.0, 10) == pytest.approx(1)


def test_both_routes_to_the_curves_agree():
    trained = experiment.learning_curves({50: (1.5, 3.0)}, n_seeds=2)
    computed = experiment.mode_curves((1.5, 3.0), (50,), n_seeds=2)
    for key, errors in trained.errors.items():
        np.testing.assert_allclose(computed.errors[key], errors, rtol=1e-5)


def test_minima_of_both_kinds_of_inputs():
    found = experiment.minima(numbers=(10, 40), n=20, n_seeds=2)
    for kind in ("orthonormal", "gaussian"):
        assert found.least[kind].shape == found.stop[kind].shape == (2, 2, 3)
    assert np.all(found.least["orthonormal"][:, 0, 2] > found.least["orthonormal"][:, 1, 2])
    first = experiment.first_fall(numbers=(10, 40), n=20, n_seeds=2)
    least = found.least["orthonormal"]
    np.testing.assert_allclose(first, least[:, 0] - least[:, 1], rtol=1e-6)


def test_the_leak_stays_between_its_bounds():
    """The energy of a random student never falls below its start, nor exceeds eps times its singular values."""
    found = experiment.leak(n=12, n_seeds=2)
    assert (found.start / found.energy["random"]).max() <= 1 + 1e-6
    assert (found.energy["random"] / found.upper).max() <= 1 + 1e-6
    np.testing.assert_allclose(found.energy["aligned"], np.broadcast_to(found.start, (2, 4, 25)), rtol=1e-6)
    assert (found.energy["random"][..., -1] / found.start[:, 0]).min() > 2


@pytest.mark.parametrize(("n_outputs", "n_examples"), [(20, 10), (30, 10), (30, 15)])
def test_an_aligned_student_has_a_frozen_mode_for_each_input_direction_without_data(n_outputs, n_examples):
    teachers = low_rank_teachers(n_outputs, 20, [3.0], seeds=range(2))
    data = training_set(teachers, n_examples)
    layers = students.aligned(data.sigma31, 20, 0.1, teachers.seeds)
    observe = {"energy": unseen_energy(data.inputs[:, None])}
    run = integrate(layers, data.sigma31, [0.0, 5.0], covariance=data.sigma11, observe=observe)
    np.testing.assert_allclose(run.values["energy"], (20 - n_examples) * 0.1**2, rtol=1e-6)


def test_final_spectra_have_a_mode_for_each_example_and_their_laws_as_many():
    numbers = (10, 100, 400)
    learned, laws = experiment.final_spectra(numbers), experiment.final_laws(numbers)
    assert [learned[p].size for p in numbers] == [10, 100, 100]
    for p in (10, 400):
        grid, density = laws[p]
        assert np.trapezoid(density, grid) == pytest.approx(min(p, 100), rel=0.01)


def test_least_squares_errs_by_noise_and_by_the_unseen():
    assert experiment.least_squares(20.0, (50,), n_seeds=20)[0] == pytest.approx(0.125 + 0.5, abs=0.05)


def test_output_overlap_grows_with_the_examples():
    few, many = (experiment.output_overlaps(p, n=60, n_seeds=10).mean() for p in (2, 60))
    assert few < many


def test_a_start_inside_the_span_stays_inside():
    found = experiment.start_inside(n=12, n_seeds=2)
    assert found["projected"][1] < 1e-20
    assert found["plain"][1] > 0.01
