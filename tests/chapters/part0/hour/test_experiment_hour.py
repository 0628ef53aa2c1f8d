"""The page "One hour": its experiments, and the numbers in its sentences."""

import re

import numpy as np
import pytest

from bookbuild.chapters import BOOK
from mtlbook_lib.chapters.part0.hour import experiment
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory import softmax, spiked
from mtlbook_lib.theory.implicit_bias import finetuning_width

TEXT = " ".join((BOOK / "part0/hour.md").read_text(encoding="utf8").split())
A, B = experiment.NAMES.index(experiment.TARGET), experiment.NAMES.index(experiment.PARTNER)


@pytest.fixture(scope="module")
def whole() -> experiment.Whole:
    return experiment.whole()


@pytest.fixture(scope="module")
def runs() -> experiment.Splits:
    return experiment.splits(n_splits=20)


def said(pattern: str) -> list[float]:
    """The numbers in a sentence of the page, which stands there once."""
    (found,) = re.finditer(pattern, TEXT)
    return [float(number) for number in found.groups()]


def test_the_page_is_as_short_as_it_promises():
    prose = re.sub(r"```.*?```", "", (BOOK / "part0/hour.md").read_text(encoding="utf8"), flags=re.DOTALL)
    assert len(prose.split()) <= 4200
    assert TEXT.count("name: fig-") + TEXT.count("{explorer}") <= 9
    assert TEXT.count("{ask}") == TEXT.count("Proof and checks:") == TEXT.count(":class: important") == 7


def test_every_cell_is_out_of_sight():
    cells = re.findall(r"```\{code-cell\} ipython3\n(.*?\n)\n?", (BOOK / "part0/hour.md").read_text(encoding="utf8"))
    assert TEXT.count("[hide-input, remove-input]") == len(cells) > 6


def test_the_example_stands_where_the_page_says(whole):
    percent, noise = said(r"explains ([\d.]+) % of the variance of A's labels\. The other ([\d.]+) % are noise")
    signal, again = said(r"stands at ([\d.]+) on the upward axis when it is alone: ([\d.]+) times")
    (cosine,) = said(r"cosine between their models, is ([\d.]+)\.")
    (own,) = said(r"what is not shared is still ([\d.]+) times the noise\.")
    assert signal == again == pytest.approx(whole.signal(), abs=0.005)
    assert percent == pytest.approx(100 * whole.signal() / (1 + whole.signal()), abs=0.05)
    assert percent + noise == pytest.approx(100)
    assert cosine == pytest.approx(whole.cosine(experiment.PARTNER), abs=0.005)
    assert own == pytest.approx(whole.own(experiment.PARTNER), abs=0.005)
    assert whole.cosine(experiment.TARGET) == pytest.approx(1)
    assert 1 - whole.own(experiment.PARTNER) / whole.signal() == pytest.approx(0.1, abs=0.01)  # "a tenth"


def test_noise_makes_the_arrow_longer_and_turns_it(runs, whole):
    (of_all,) = said(r"2\.25\} = ([\d.]+)\$ for three images per input")
    assert of_all == pytest.approx(np.sqrt(experiment.N_A / experiment.INPUTS * whole.signal()), abs=0.05)
    (strength,) = said(r"in the mean over such sets the strength is ([\d.]+)\.")
    length, cosine, law = said(r"looks ([\d.]+) long\. .*? is ([\d.]+); the formula in the box below says ([\d.]+)\.")
    size, squared = (part.mean() for part in runs.seen())
    true = runs.strength()[A]
    assert [strength, length] == pytest.approx([true, size], abs=0.05)
    assert cosine == pytest.approx(squared, abs=0.005)
    assert law == pytest.approx(spiked.right_overlap(true, 1 / experiment.INPUTS) ** 2, abs=0.005)


def test_the_wave_is_the_theorys_and_stopping_early_gains_a_little():
    course = experiment.course(n_splits=12)
    law = experiment.mode_strength(experiment.SHOWN[:, None], course.strengths, experiment.EPS)
    np.testing.assert_allclose(course.learned, law, atol=1e-3)
    best, end = said(r"the error is ([\d.]+) at the best moment and ([\d.]+) at the end")
    mean = course.errors.mean(axis=0)
    assert [best, end] == pytest.approx([mean.min(), mean[-1]], abs=5e-4)
    few = experiment.course(60, n_splits=12).errors.mean(axis=0)
    assert few[-1] - few.min() > mean[-1] - mean.min()


def test_company_brings_little(runs):
    (same,) = said(r"asked of 160 other images, brings only ([\d.]+) %")
    more, most = said(r"the same question brings (\d+) %, and each of the nine others still brings at most (\d+) %")
    gain, error = experiment.joint_gain(runs)
    assert 100 * gain[B] == pytest.approx(-0.5, abs=0.1)  # "half a percent"
    assert 100 * gain[A] == pytest.approx(same, abs=0.05)
    assert np.abs(gain - experiment.joint_law(runs)).max() < 0.01
    assert error.max() < 0.01
    few = 100 * experiment.joint_gain(experiment.splits(60, n_splits=20))[0]
    assert few[A] == pytest.approx(more, abs=0.5)
    assert np.delete(few, A).max() < most + 0.1


def test_one_unit_costs_what_the_page_says(runs):
    loss, gained = said(r"It loses (\d+) %\. .*? still helps, by ([\d.]+) %")
    gain = 100 * experiment.narrow_gain(runs)[0]
    assert [-gain[B], gain[A]] == pytest.approx([loss, gained], abs=0.6)
    law = 100 * experiment.narrow_law(runs)
    assert np.corrcoef(gain, law)[0, 1] > 0.95
    assert np.array_equal(np.sign(gain), np.sign(law))


def test_weak_and_strong_are_measured_against_the_threshold(runs):
    own, threshold = said(r"\(A has ([\d.]+), and its threshold is ([\d.]+)\)")
    assert own == pytest.approx(runs.strength()[A], abs=0.05)
    assert threshold == pytest.approx(spiked.threshold(1 / experiment.INPUTS), abs=0.005)


def test_a_tenth_makes_the_quadratic_range_a_hundredth():
    assert "goes with the square of its weight, so the factor makes it a hundred times smaller" in TEXT
    whole, tenth = (finetuning_width(1.0, 1e-3, 1e-3, 0.0, factor) for factor in (1.0, 0.1))
    assert whole / tenth == pytest.approx(100, rel=1e-3)


def test_the_models_slope_is_flat_and_then_falls():
    assert r"the model's slope is $1/(k - 1)$ as long as $s$ is below $s_c = \sqrt{2 \ln k}$, and $s_c/s$ times" in TEXT
    critical = float(softmax.rem_critical_norm(experiment.CLASSES))
    assert critical == pytest.approx(np.sqrt(2 * np.log(experiment.CLASSES)))
    slopes = softmax.rem_gain(np.array([0.3, 0.99, 2.0, 8.0]) * critical, experiment.CLASSES)
    np.testing.assert_allclose(9 * slopes, [1, 1, 1 / 2, 1 / 8])


def test_the_model_of_physics_is_too_large_by_what_the_page_says():
    norm, percent = said(r"scores of standard deviation ([\d.]+), the model's slope is (\d+) % too high")
    critical = float(softmax.rem_critical_norm(experiment.CLASSES))
    exact, model = (float(form(critical, experiment.CLASSES)) for form in (softmax.isotropic_gain, softmax.rem_gain))
    assert norm == pytest.approx(critical, abs=0.05)
    assert percent == pytest.approx(100 * (model / exact - 1), abs=0.5)
    drawn, error = experiment.drawn_gain(n_seeds=20)
    assert np.abs(drawn - 9 * softmax.isotropic_gain(experiment.NORMS, experiment.CLASSES)).max() < 4 * error.max()


def test_finetuning_ends_where_the_page_says(whole):
    ends, _ = mean_and_error(experiment.tuned((experiment.PARTNER, "", experiment.TARGET), (20,), n_draws=400))
    before, after = said(r"the error was ([\d.]+) before and is ([\d.]+) after")
    (zero,) = said(r"from zero, it ends at ([\d.]+)\.")
    (perfect,) = said(r"raises the error from 0 to ([\d.]+)\.")
    assert before == pytest.approx(whole.own(experiment.PARTNER), abs=0.005)
    assert ends[:, 0] == pytest.approx([after, zero, perfect], abs=0.006)
    owns = np.array([whole.own(experiment.PARTNER), whole.signal(), 0.0])
    assert ends[:, 0] == pytest.approx([float(experiment.tuned_law(own, np.array([20]))[0]) for own in owns], rel=0.08)


def test_forecasts_are_good_on_average(runs):
    forecasts = experiment.forecasts(runs)
    predicted, gained = forecasts.forecast, forecasts.mean
    (correlation,) = said(r"have a correlation of ([\d.]+)\.")
    assert predicted.shape == (20, 90)
    assert np.corrcoef(predicted.mean(axis=0), gained)[0, 1] == pytest.approx(correlation, abs=0.01)
    assert np.median(np.abs(gained)) < 0.005  # "below half a percent"
    right = np.mean(np.sign(predicted) == np.sign(gained))
    assert 0.6 < right < 0.95
