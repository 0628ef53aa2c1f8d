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


def test_a_task_has_inputs_from_so_many_directions():
    given = task(range(2))
    assert np.linalg.matrix_rank(given.x).tolist() == [12, 12]
    np.testing.assert_allclose((given.features @ given.features.swapaxes(1, 2))[0], np.eye(4), atol=1e-12)
    np.testing.assert_allclose((given.beta**2).sum(axis=1), 1)
