"""The experiments of the chapter on other losses, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.experiments.part6 import other_losses as experiment
from mtlbook_lib.theory.training_paths import relative_margin


@pytest.fixture(scope="module")
def run():
    return experiment.classifiers(0.1, 4, n_seeds=2)


def test_margins_never_exceed_the_largest_and_end_near_it(run):
    tasks = experiment.data(4, 2)
    for kind, largest in run.largest.items():
        assert np.all(run.margin[kind] <= 1 + 1e-8)
        assert np.all(run.margin[kind][-1] > 0.8)
        signed = [tasks.signed[0], tasks.signed_aux[0]][: largest.shape[1]]
        top = relative_margin(signed, largest[0])
        assert relative_margin(signed, run.beta[kind][-1, 0]) / top == pytest.approx(run.margin[kind][-1, 0])
        cosines = run.direction(kind)  # a norm is flat: they may stay small where the margin is nearly the largest one
        assert np.all(cosines <= 1 + 1e-8)
        assert np.all(cosines[-1] > cosines[0])


def test_errors_are_shares_of_wrong_labels(run):
    tasks = experiment.data(4, 2)
    x = np.random.default_rng(0).standard_normal((200_000, 40))
    wrong = np.sign(x @ run.beta["single"][4, 0, 0]) != np.sign(x @ tasks.teacher[0])
    assert wrong.mean() == pytest.approx(run.error["single"][4, 0], abs=0.005)


def test_marks_are_losses_and_training_data_are_right_at_the_end(run):
    tasks = experiment.data(4, 2)
    for kind in ("single", "finetune"):
        margins = np.einsum("sid,msd->msi", tasks.signed, run.beta[kind][:, :, 0])
        assert -np.log(np.logaddexp(0, -margins).mean(axis=2)) == pytest.approx(
            np.broadcast_to(run.marks[:, None], (9, 2)), rel=1e-5
        )
        assert np.all(margins[-1] > 0)
    assert np.all(np.abs(run.alike) <= 1)


def test_descended_networks_have_the_least_penalty_for_their_outputs():
    found = experiment.descended(n_seeds=1)
    assert max(found["single"].max(), found["finetune"].max()) < 0.005 < found["printed"].min()
    assert np.all(found["level"] > 5)


def test_starts_in_the_middle_are_best():
    found = experiment.starts(n_seeds=2)
    assert found.shape == (len(experiment.SCALES), 2)
    assert found.mean(axis=1).argmax() in (1, 2, 3)


def test_stopping_helps_with_noise_only():
    clean, noisy = (experiment.stopped(1e-3, noise, n_seeds=3) for noise in (0.0, 1.0))
    assert clean.path[0] == pytest.approx(1.0, abs=1e-3)
    assert np.all(clean.end <= clean.path.min(axis=0) + 1e-3)
    assert np.all(noisy.best("path") < noisy.end)
    assert np.all(noisy.path[-1] == pytest.approx(noisy.end, rel=0.2))
    assert noisy.penalised[-1] == pytest.approx(1.0, abs=0.1)


def test_the_best_is_chosen_on_other_seeds():
    errors = np.array([[1.0, 5.0], [2.0, 4.0]])
    found = experiment.Stopped(np.arange(2.0), errors, errors[::-1], np.zeros(2))
    assert found.best("path") == pytest.approx([2.0, 5.0])
    assert found.best("penalised") == pytest.approx([2.0, 5.0])


def test_descent_lags_in_proportion_to_the_rate():
    fast, slow = (experiment.followed(0.3, 0.5, rate, n_seeds=1) for rate in (2.0, 1.0))
    assert fast.distance / slow.distance == pytest.approx(2, rel=0.05)
    assert slow.own.max() < slow.distance.max() < 0.02
    assert np.all(np.diff(slow.times) > 0)


def test_noise_of_labels_has_its_size():
    _, clean, _ = experiment.task(0.0, 40)
    _, noisy, _ = experiment.task(0.5, 40)
    assert (noisy - clean).std() == pytest.approx(0.5 * clean.std(), rel=0.06)


def test_deeper_is_nearer_to_the_least_norm():
    alphas = np.array([0.03, 0.3])
    two, three, four = (experiment.excess(depth, alphas, n_seeds=2).mean(axis=1) for depth in (2, 3, 4))
    assert np.all((two > three) & (three > four) & (four > 0))
    more, gap = experiment.chains(3, 0.4, 0.02, n_seeds=1)
    assert gap.max() < 0.02
    assert more.mean() == pytest.approx(experiment.excess(3, np.array([0.4]), n_seeds=1).mean(), rel=0.05)


def test_noisy_steps_cost_width():
    rates = np.array([4.0])
    all_of_them, single = (experiment.noisy(batch, rates, n_seeds=1) for batch in (None, 1))
    assert all_of_them.lost[0] / 4 == pytest.approx(all_of_them.predicted, rel=0.1)
    assert single.lost.min() > 10 * all_of_them.lost.max()
    assert np.all(all_of_them.own < 0.2 * all_of_them.first)
