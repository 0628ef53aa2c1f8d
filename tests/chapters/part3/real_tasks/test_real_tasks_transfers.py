"""Benefits against loops, limits and explicit policies; forecasts and scores of made-up pairs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.real_tasks import experiment
from mtlbook_lib.chapters.part3.real_tasks.experiment import benefits
from mtlbook_lib.data import digit_tasks
from mtlbook_lib.methods.transfer_forecast import forecast_transfer
from mtlbook_lib.theory.linear_dynamics import mode_strength


@pytest.fixture(scope="module")
def sets():
    return experiment.digit_maps(90, 120, n_splits=3)


@pytest.fixture(scope="module")
def run(sets):
    return experiment.Transfer(sets["A"], sets["B"])


def test_curves_are_those_of_explicit_maps(sets):
    """The error of the student's map at each time, entry by entry, for one pair of one split."""
    a, b = sets["A"], sets["B"]
    _, joint = benefits.learning_curves(a, b)
    u, s, vt = np.linalg.svd(np.concatenate([a.data[1, 2], b.data[1, 5]]), full_matrices=False)
    for k in (0, 40, 89):
        student = (u * mode_strength(benefits.TIMES[k], s, benefits.EPS)) @ vt
        error = ((student[0] - a.new[1, 2, 0]) ** 2).sum() - (a.new[1, 2] ** 2).sum()
        assert joint[1, 2, 5, k] == pytest.approx(error / a.unit[1, 2], abs=1e-12)


def test_image_curves_are_squared_errors_on_new_images():
    """Against explicit held-out images, whose labels have no mean on the training set."""
    part, other, _ = digit_tasks.digit_split(90, 120, 0)
    sets = experiment.digit_maps(90, 120, n_splits=2)
    alone, joint = benefits.image_curves(sets["A"], sets["B"])
    y, y_new = (digit_tasks.yes_no_targets(labels) for labels in (part.labels, part.new_labels))
    fit = experiment.digit_maps(90, 120, n_splits=2)["A"]
    # The scale of the targets from the data: labels are 0 and 1 times this.
    scale = fit.data[0, 3, 0, 0] / (((y[3] - y[3].mean())[:, 0] @ part.inputs)[0] / 90)
    labels = scale * (y_new[3] - y[3].mean())[:, 0]
    u, s, vt = np.linalg.svd(np.concatenate([fit.data[0, 3], sets["B"].data[0, 7]]), full_matrices=False)
    student = (u * mode_strength(benefits.TIMES[50], s, benefits.EPS)) @ vt
    error = ((part.new_inputs @ student[0] - labels) ** 2).mean() - (labels**2).mean()
    assert joint[0, 3, 7, 50] == pytest.approx(error / fit.unit[0, 3])
    assert alone.shape == (2, 20, 1, 90)
    assert other.new_inputs.shape == part.new_inputs.shape


def test_best_common_time_is_the_minimum_of_the_mean():
    t = np.linspace(0, 1, 41)
    curves = np.stack([(t - 0.3) ** 2 + 0.1 * t, (t - 0.61) ** 2 - 0.1 * t])
    best = benefits.at_best(curves)
    # The mean is a parabola with its vertex at 0.455: off the grid.
    assert best == pytest.approx([0.155**2 + 0.0455, 0.155**2 - 0.0455])


def test_predictions_are_those_for_users(run):
    """The law of one pair is what forecast_transfer says from the images and labels."""
    a, b, _ = digit_tasks.digit_split(90, 120, 1)
    y_a, y_b = (digit_tasks.yes_no_targets(part.labels) for part in (a, b))
    forecast = forecast_transfer(a.inputs, y_a[3], b.inputs, y_b[4])
    assert run.predicted[1, 3, 4] == pytest.approx(forecast.benefit_a)


def test_same_images_with_the_correlation_of_the_noise(sets):
    a = sets["A"]
    shared = experiment.Transfer(a, a, experiment.residual_correlation(a))
    part = digit_tasks.digit_split(90, 120, 2)[0]
    y = digit_tasks.yes_no_targets(part.labels)
    forecast = forecast_transfer(part.inputs, y[3], part.inputs, y[4], same_rows=True)
    assert shared.predicted[2, 3, 4] == pytest.approx(forecast.benefit_a, abs=1e-9)
    # A task with itself on the same images is no news; what is left is the grid of times.
    assert np.abs(experiment.same_pairs(shared.own_times)).max() < 2e-3


def test_score_of_a_made_up_forecast():
    truth = np.zeros((4, 3, 3))
    truth[:, 0, 1], truth[:, 0, 2], truth[:, 1, 0] = 0.02, -0.01, 0.01
    truth += 1e-4 * np.random.default_rng(0).standard_normal((4, 1, 1))
    forecast = 2 * truth
    forecast[:, 1, 0] = -0.01
    found = experiment.score(forecast, truth)
    assert (found.gains[1], found.losses) == (2, (1, 1))
    assert found.gains[0] == 1
    mean, guess = (experiment.different_pairs(part).mean(axis=0) for part in (truth, forecast))
    assert found.slope[0] == pytest.approx(np.polyfit(guess, mean, 1)[0])
    assert found.rms == pytest.approx(100 * np.sqrt(np.mean((mean - guess) ** 2)))
    assert found.baseline == pytest.approx(100 * np.sqrt(np.mean(mean**2)))
    assert found.single <= 5 / 6
    assert found.cells[:2] == ("1/2", "1/1")
    assert len(found.cells) == len(experiment.SCORE_COLUMNS) - 1


def test_groups_are_sorted_by_the_other_splits():
    """A split's own forecast has no say about where its pairs go."""
    forecast, truth = np.zeros((3, 2, 2)), np.zeros((3, 2, 2))
    forecast[:, 0, 1], forecast[:, 1, 0] = [5.0, -1.0, -1.0], [-5.0, 1.0, 1.0]
    truth[:, 0, 1], truth[:, 1, 0] = 1.0, 2.0
    up, down, share = experiment.two_groups(forecast, truth)
    assert up.tolist() == [2.0, 1.0, 1.0]
    assert down.tolist() == [1.0, 2.0, 2.0]
    assert share == 0.5
    mean, error = experiment.sign_evidence([(forecast, truth)])
    assert mean == pytest.approx([400 / 3, -500 / 3, -100 / 3])
    assert error.shape == (3,)


def test_errors_over_tasks_are_those_of_a_mean_over_tasks():
    """A benefit that is a sum of two tasks' own parts has a mean of twice theirs, and no sorting changes it."""
    own = np.array([0.1, 0.4, 0.2, 0.9, 0.5])
    truth = np.tile(own[:, None] + own, (3, 1, 1))
    forecast = np.tile(np.sign(np.arange(5)[:, None] - np.arange(5) + 0.0), (3, 1, 1))
    found = experiment.sign_over_tasks([(forecast, truth)])
    over_tasks = 200 * own.std(ddof=1) / np.sqrt(5)
    assert found == pytest.approx([over_tasks, over_tasks, 0.0], abs=1e-12)


def test_policies_on_two_pairs():
    forecast, truth = np.zeros((2, 2, 2)), np.zeros((2, 2, 2))
    forecast[:, 0, 1], forecast[:, 1, 0] = [1.0, 1.0], [-1.0, 1.0]
    truth[:, 0, 1], truth[:, 1, 0] = 0.04, -0.02
    found = experiment.policies(forecast, truth)
    assert found.gated == pytest.approx([2.0, 1.0])
    assert found.always == pytest.approx([1.0, 1.0])
    assert found.chance == pytest.approx([0.5, 1.0])
    assert (found.share, found.oracle) == pytest.approx((0.75, 2.0))
    assert found.cells == ("75%", "1.500 ± 0.500", "0.750 ± 0.250", "1.000 ± 0.000", "2.000")


def test_five_outputs_have_three_forecasts():
    found = experiment.five_output_forecasts(n_splits=1, n_draws=3)
    assert found.expansion.shape == found.leading.shape == found.simulated.shape == (1, 4, 4)
    assert found.modes.shape == (1, 4)
    assert found.modes.max() <= 5
    # The same question on other images helps, more than its opposite.
    assert found.simulated[0, 0, 0] > found.simulated[0, 0, 1]
    a, b, _ = digit_tasks.digit_split(180, 180, 10_000)
    y_a, y_b = (digit_tasks.group_targets(part.labels) for part in (a, b))
    there, back = (forecast_transfer(a.inputs, y_a[i], b.inputs, y_b[j]) for i, j in ((0, 1), (1, 0)))
    assert found.expansion[0, 0, 1] == pytest.approx((there.benefit_a + back.benefit_b) / 2)


def test_a_level_curve_has_its_best_place_anywhere():
    """A task without any benefit: the curve's bend is zero, or rounding, and nothing is divided by it."""
    curves = np.full((4, 1, 6), 0.25)
    assert benefits.at_best(curves) == pytest.approx(np.full((4, 1), 0.25), abs=1e-15)
