"""Measured pairs of real tasks at tiny sizes, what is kept of them, and how forecasts are scored."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from mtlbook_lib.chapters.part7.should_i_train_together import experiment
from mtlbook_lib.chapters.part7.should_i_train_together.experiment import constructed, forecasts, scores, students
from mtlbook_lib.data.real_pairs import Partner, Target, draw_rows
from mtlbook_lib.forecast import recommend

TARGET = Target("iris", "versicolor", 20, (Partner("versicolor", 30), Partner("sepal width", 30),
                                           Partner("versicolor", 30, shift="negated"),
                                           Partner("virginica", 20, same_rows=True)))  # fmt: skip
SEEDS = range(3)


@pytest.fixture(scope="module", autouse=True)
def few_steps():
    """Students that are trained for a moment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(students, "N_STEPS", 40)
        yield


@pytest.fixture(scope="module")
def losses(few_steps):
    return students.student_losses(draw_rows(TARGET, SEEDS), SEEDS)


def made_up(n_targets=30, n_partners=4, noise=0.0):
    """Pairs whose score orders their benefits, but for the noise, which is that of a draw."""
    rng = np.random.default_rng(0)
    target = Target("iris", "setosa", 20, tuple(Partner("setosa", 30) for _ in range(n_partners)))
    cells = []
    for _ in range(n_targets):
        truth = 0.1 * rng.standard_normal(n_partners)
        told = np.zeros((4, n_partners, 6))
        told[..., 0] = truth + noise * rng.standard_normal((4, n_partners))
        told[..., 4] = np.where(truth > 0.05, 0, np.where(truth < -0.05, 2, 3))
        joint = 0.5 - truth[None, :, None] + 0.01 * rng.standard_normal((10, n_partners, 5))
        cells.append({"alone": np.full((10, 3), 0.5), "joint": joint, "forecasts": told, "permuted": told[:2, :, :5]})
    return experiment.Measured((target,) * n_targets, cells, 4)


def test_partners_of_one_size_are_trained_as_they_would_be_alone(losses):
    assert losses["joint"].shape == (3, 4, 5)
    for place in range(4):
        alone = Target(TARGET.source, TARGET.question, 20, TARGET.partners)
        rows = draw_rows(alone, SEEDS)
        single = students.student_losses(type(rows)(rows.inputs, rows.labels, rows.new_inputs, rows.new_labels,
                                                    rows.binary, rows.partners[place : place + 1]), SEEDS)  # fmt: skip
        assert single["joint"][:, 0] == pytest.approx(losses["joint"][:, place], abs=1e-9)
        assert single["alone"] == pytest.approx(losses["alone"], abs=1e-9)
    assert students._alike(draw_rows(TARGET, SEEDS)) == [[0, 2], [1], [3]]  # of one size and kind, all together


def test_a_seed_is_trained_as_it_would_be_alone(losses):
    one = students.student_losses(draw_rows(TARGET, [2]), [2])
    for name, values in one.items():
        assert values[0] == pytest.approx(losses[name][2], abs=1e-9)


def test_negated_inputs_are_no_news_to_a_linear_student_and_other_news_to_a_rectified_one(losses):
    linear, wide = losses["joint"][..., 0], losses["joint"][..., 2]
    assert linear[:, 0] == pytest.approx(linear[:, 2], abs=0.02)
    assert np.abs(wide[:, 0] - wide[:, 2]).max() > 0.02


def test_losses_are_those_of_their_definitions():
    labels = np.array([[0.0, 1.0, 1.0, 1.0]])
    constant = np.full((1, 4), np.log(3.0))  # log odds of three in four
    assert students.relative_loss(constant, labels, True) == pytest.approx(1.0)
    assert students.relative_loss(constant * [[-1, 1, 1, 1]], labels, True) < 1
    assert students.relative_loss(9 * constant, labels, True) == 1.0
    numbers = np.array([[1.0, 2.0, 6.0]])
    assert students.relative_loss(numbers + 1, numbers, False) == pytest.approx(1 / numbers.var())
    assert students.relative_square(numbers - 2, numbers) == pytest.approx(4 / numbers.var())


def test_forecasts_are_those_of_the_library():
    rows = draw_rows(TARGET, [0])
    found = forecasts.forecasts_for(rows)
    partner = rows.partners[1]
    told = recommend(rows.inputs[0], rows.labels[0], partner.inputs[0], partner.labels[0], repeats="keep")
    sharing = told.sharing
    assert found[0, 1, :4] == pytest.approx([sharing.nats, sharing.gain, sharing.error, told.relation.mean])
    assert experiment.VERDICTS[int(found[0, 1, 4])] == told.verdict
    assert found[0, 3, 5] == pytest.approx(1.0)  # the same rows have the same covariance


def test_scores_of_a_perfect_forecast():
    measured = made_up()
    assert experiment.rank_correlation(measured, "nats", "wide")[0] > 0.98
    value, error, told = experiment.concordance(measured, "nats", "wide")
    assert (value, error) == (1.0, 0.0)
    assert told > 100
    helped, _, apart, unclear = (experiment.verdict_means(measured, "wide")[name] for name in experiment.VERDICTS)
    assert helped[0] > 0.05 > unclear[0] > -0.05 > apart[0]
    assert helped[2] + apart[2] + unclear[2] == pytest.approx(1.0)
    assert experiment.right_signs(measured, "wide", "likely helps")[0] == 1.0
    best, gained = experiment.oracle(measured, "wide"), experiment.policy(measured, "wide", ["likely helps"])[0]
    always = measured.benefit[:, 2].mean()
    assert best == pytest.approx(np.maximum(measured.benefit[:, 2], 0).mean() - always)
    together = measured.forecast("verdict")[0] == 0
    assert gained == pytest.approx((measured.benefit[:, 2] * together).mean() - always)
    assert experiment.failures(measured, "wide", 3) == {"likely helps": [], "no gain expected": []}


def test_scores_fall_with_the_noise_of_the_forecast():
    clear, noisy = made_up(noise=0.02), made_up(noise=0.3)
    for measure in (experiment.rank_correlation, experiment.concordance):
        assert measure(clear, "nats", "wide")[0] > measure(noisy, "nats", "wide")[0] + 0.1
    gap, error = experiment.rank_difference(clear, ("nats", "gain"), "wide")
    assert gap > 5 * error > 0


def test_the_ceiling_is_what_noise_leaves_to_a_perfect_forecast():
    clear = made_up()
    assert experiment.ceiling(clear, "wide") > 0.99
    rng = np.random.default_rng(1)
    truth = clear.benefit[:, 2].reshape(30, 4)
    cells = [{**cell, "joint": cell["joint"] + 0.2 * rng.standard_normal(cell["joint"].shape)} for cell in clear.cells]
    noisy = experiment.Measured(clear.targets, cells, 4)
    reached = spearmanr(truth.ravel(), noisy.benefit[:, 2]).statistic
    assert experiment.ceiling(noisy, "wide") == pytest.approx(reached, abs=0.08)


def test_rank_correlation_is_that_of_scipy_and_its_error_that_of_many_sets():
    measured = made_up(noise=0.1)
    said, truth = measured.forecast("nats"), measured.benefit[:, 1]
    value, error = experiment.rank_correlation(measured, "nats", "narrow")
    assert value == pytest.approx(np.mean([spearmanr(row, truth).statistic for row in said]))
    assert error == pytest.approx((1 - value**2) / np.sqrt(len(truth)), rel=0.5)


def test_errors_are_those_of_targets_and_not_of_pairs():
    """Partners that repeat each other add nothing."""
    few = made_up(n_partners=1, noise=0.1)
    twice = experiment.Measured(
        tuple(Target("iris", "setosa", 20, (Partner("setosa", 30),) * 5) for _ in few.targets),
        [{name: values if name == "alone" else np.repeat(values, 5, axis=1) for name, values in cell.items()}
         for cell in few.cells], 4)  # fmt: skip
    error = scores.rank_correlation(few, "nats", "wide")[1]
    assert scores.rank_correlation(twice, "nats", "wide")[1] == pytest.approx(error, rel=0.15)


def test_errors_of_the_model_are_told_for_numbers_and_classes():
    cells = {"joint": np.zeros((3, 2, 5)), "squares alone": np.full(3, 0.6), "squares joint": np.full((3, 2), 0.5),
             "model alone": np.full(2, 0.4), "model joint": np.array([[0.3, 0.6], [0.3, 0.6]])}  # fmt: skip
    partners = (Partner("setosa", 30), Partner("setosa", 30))
    targets = Target("iris", "setosa", 20, partners), Target("iris", "sepal width", 20, partners[:1])
    fewer = {name: values[:, :1] if values.ndim > 1 else values for name, values in cells.items()}
    found = experiment.model_table(experiment.Measured(targets, [cells, fewer], 1))
    assert found["classes"] == pytest.approx([0.6, 0.5, 0.4, 0.45, 0.5])
    assert found["numbers"] == pytest.approx([0.6, 0.5, 0.4, 0.3, 1.0])


def test_constructed_pairs_are_found_and_permuted_ones_are_not():
    found = constructed(1, 20, [40])
    assert found["same"] >= 0.8
    assert found["permuted"] <= 0.1
    assert found["same, helps"] <= found["same"]
