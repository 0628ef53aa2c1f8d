"""The experiments on probing before tuning, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.probe_then_tune import experiment
from mtlbook_lib.chapters.part6.probe_then_tune.experiment import problems, task
from mtlbook_lib.theory.implicit_bias import finetuning_start, finetuning_width, pathway_invariants
from mtlbook_lib.theory.interpolation import min_weighted_l2

TIMES = experiment.TIMES


@pytest.mark.parametrize("strengths", ["signs", "same sizes", "other sizes"])
def test_problems_share_so_many_features(strengths):
    for one in problems(15, 30, range(2), strengths):
        aux = one.layer[0] ** 2 - one.layer[1] ** 2
        assert (one.pretrained & (one.main != 0)).sum() == 15
        assert one.pretrained.sum() == np.count_nonzero(one.main) == experiment.FEATURES
        np.testing.assert_array_equal(np.abs(aux) > 1e-9, one.pretrained)
        sizes = np.abs(aux), np.abs(one.main)
        both = one.pretrained & (one.main != 0)
        alike = np.allclose(sizes[0][both], sizes[1][both])
        assert alike == (strengths != "other sizes")
        assert np.allclose(sizes[0][both], 1) == (strengths == "signs")
        np.testing.assert_allclose(one.y, one.x @ one.main)


def test_unknown_strengths_are_named():
    with pytest.raises(ValueError, match="strengths"):
        problems(20, 15, range(1), "large")


def test_without_probing_it_is_finetuning():
    (one,) = problems(15, 30, range(1))
    width, start = one.widths_and_starts(TIMES[:1])
    aux = one.layer[0] ** 2 - one.layer[1] ** 2
    np.testing.assert_allclose(width[0], finetuning_width(aux, experiment.ALPHA, experiment.GAMMA), rtol=1e-6)
    np.testing.assert_allclose(start[0], finetuning_start(aux, experiment.ALPHA, experiment.GAMMA), atol=1e-9)


def test_width_and_start_are_the_invariants_of_the_probed_weights():
    (one,) = problems(15, 30, range(1))
    paths = one.paths(TIMES)
    plus, minus = one.layer
    kappa, _, start = pathway_invariants(plus, experiment.GAMMA + plus * paths, minus, experiment.GAMMA - minus * paths)
    width, begin = one.widths_and_starts(TIMES)
    np.testing.assert_allclose(width, kappa, rtol=1e-11)
    np.testing.assert_allclose(begin, start, atol=1e-12)


def test_probing_to_the_end_is_weighted_least_squares():
    (one,) = problems(20, 15, range(1))
    _, start = one.widths_and_starts(np.array([1e9]))
    energy = one.layer[0] ** 2 + one.layer[1] ** 2
    best = min_weighted_l2(one.x, one.y, energy, one.widths_and_starts(np.array([0.0]))[1][0])
    np.testing.assert_allclose(start[0], best, atol=1e-6)


def test_it_helps_where_all_is_shared_and_hurts_where_half_is_new():
    shared = experiment.course(20, 15, n_seeds=6)
    new = experiment.course(10, 90, n_seeds=3)
    assert shared.gain[:, 4].mean() < -0.02
    assert new.gain[:, 6].mean() > 0.02
    assert shared.error.shape == shared.left.shape == shared.opened.shape == (6, len(TIMES))
    np.testing.assert_array_equal(shared.gain[:, 0], 0)
    # Probing to the end is what long probing tends to.
    assert np.abs(shared.probed - shared.error[:, -1]).max() < 0.01


def test_the_loss_of_the_readout_falls_to_what_the_new_features_leave():
    run = experiment.course(10, 90, n_seeds=6)
    assert np.all(np.diff(run.left, axis=1) < 0)
    assert run.left[:, 6].mean() == pytest.approx((1 - 20 / 90) / 2, abs=0.08)
    assert np.all(np.diff(run.opened[:, 3:], axis=1) > 0)


def test_other_sizes_are_another_matter():
    same, other = (experiment.long_course(20, 15, kind, n_seeds=12) for kind in ("same sizes", "other sizes"))
    logs = [np.log(run.error[:, 6] / run.error[:, 0]).mean() for run in (same, other)]
    assert logs[0] < -0.1 < 0 < logs[1]


def test_a_larger_readout_keeps_the_widths():
    run = experiment.course(15, 60, gamma=0.03, n_seeds=2)
    assert run.opened[:, 6].max() < 1.2


def test_one_side_alone():
    times = TIMES[[3, 8]]
    on, off = experiment.without_one_side(15, 60, times, n_seeds=4)
    whole = experiment.course(15, 60, n_seeds=4)
    assert on.shape == off.shape == (4, 2)
    assert np.all(on[:, 1] < off[:, 1])
    assert np.all(on[:, 1] < whole.error[:, 8])
    # Nothing is changed where the times are zero.
    plain = experiment.without_one_side(15, 60, np.array([0.0]), n_seeds=2)
    np.testing.assert_allclose(plain[0], plain[1], rtol=1e-9)
    np.testing.assert_allclose(plain[0][:, 0], whole.error[:2, 0], rtol=1e-9)


def test_charge_is_that_of_least_squares_on_the_pretrained_columns():
    found = experiment.charge(15, 60, n_seeds=3)
    expected = []
    for one in problems(15, 60, range(3)):
        columns = one.x[:, one.pretrained]
        fit = np.linalg.lstsq(columns, one.y, rcond=None)[0]
        expected.append(((fit - one.main[one.pretrained]) ** 2).sum() / 5)
    np.testing.assert_allclose(found, expected, rtol=0.1)


def test_snapshots_know_the_kinds_of_features():
    view = experiment.snapshots(15, 60)
    assert np.bincount(view.kinds).tolist() == [475, 5, 5, 15]
    assert np.abs(view.start[-1, view.kinds == 3]).mean() > 0.5
    assert view.width[0, view.kinds < 2].max() < 3e-6 < view.width[-1, view.kinds < 2].min() * 10


def test_networks_follow_the_formula():
    run = experiment.networks(15, 30, n_seeds=2)
    assert run.to_exact.max() < 0.002
    assert run.to_plain[:, 0].max() < 0.002
    assert run.to_plain[:, 2].min() > 0.01
    assert run.readout.max() < 1e-5
    assert run.error.shape == (2, 3)


def test_networks_that_were_pretrained_by_training():
    run = experiment.trained_throughout(10, 30, np.array([400.0]), n_seeds=1)
    assert run.to_exact.max() < 0.002 < run.to_plain.min()
    assert run.readout.max() < 1e-5


def test_a_shared_head_is_right_everywhere_after_probing():
    found = experiment.shared_head_errors(n_seeds=2)
    assert found["tuned"].outside.shape == (2, len(experiment.HEADS), len(experiment.MISSED))
    assert found["probed"].outside.shape == (2, 1, len(experiment.MISSED))
    assert max(run.kept.max() for run in found.values()) < 1e-10
    assert found["probed, tuned"].outside[:, 0, 0].max() < 1e-5
    assert found["tuned"].outside[:, 0, 0].min() > 0.1
    assert found["probed"].inside[:, 0, -1].min() > 0.05
    assert found["probed, tuned"].inside.max() < 1e-5


def test_a_task_has_inputs_from_so_many_directions():
    given = task(range(2))
    assert np.linalg.matrix_rank(given.x).tolist() == [12, 12]
    np.testing.assert_allclose((given.features @ given.features.swapaxes(1, 2))[0], np.eye(4), atol=1e-12)
    np.testing.assert_allclose((given.beta**2).sum(axis=1), 1)


def test_diagonal_networks_show_distortion_off_the_axes_only():
    gammas = np.array([0.1, 0.5])
    axes, random = (experiment.diagonal_errors(gammas, along, n_seeds=4) for along in (True, False))
    np.testing.assert_allclose(axes["tuned"], axes["probed"], atol=1e-5)
    assert axes["probed"].min() > 0.05
    assert random["probed"].max() < 1e-6 < random["tuned"][:, 1].min()
