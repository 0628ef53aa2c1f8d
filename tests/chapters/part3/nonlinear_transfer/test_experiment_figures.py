"""Fig. 12 and its variations at two seeds: shapes, identities, and effects that are large."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.nonlinear_transfer import experiment


@pytest.fixture(scope="module")
def figure():
    return experiment.figure_twelve(n_seeds=2)


def test_a_similar_strong_partner_helps_and_a_dissimilar_one_hurts(figure):
    assert set(figure) == {(s_a, s_b) for s_a in (experiment.WEAK, experiment.MODEST) for s_b in (1.0, 3.0, 10.0)}
    gains = figure[experiment.MODEST, 10.0].benefit
    assert gains.shape == (2, 4)
    assert gains[:, 0].max() < 0 < gains[:, 3].min()


def test_partners_share_the_student_alone(figure):
    for s_a in (experiment.WEAK, experiment.MODEST):
        assert figure[s_a, 1.0].alone is figure[s_a, 10.0].alone


def test_output_modes_of_the_partner_change_the_joint_student_only(figure):
    found = experiment.output_modes(figure)
    assert found["B: single outputs"].alone is found["random modes"].alone
    assert found["A: single outputs"].benefit.shape == (2, 3)
    assert np.abs(found["B: single outputs"].joint[:, :, -1] - found["random modes"].joint[:, :, -1]).max() > 1e-3


def test_wider_students_and_opposite_inputs_have_their_settings(figure):
    assert experiment.wider(figure, 10.0).benefit.shape == (2, 2)
    assert experiment.opposite_inputs(figure).benefit.shape == (2, 1)


def test_what_is_learned_adds_up_to_the_gain_of_the_student(figure):
    found = experiment.learned_alone(n_seeds=2)
    curves = figure[experiment.WEAK, 1.0].alone
    best = curves[:, 0, curves.mean(axis=0)[0].argmin()]
    np.testing.assert_allclose(found.mean + found.rest, 1 - best, atol=1e-5)
    assert np.all((found.energy > 0.2) & (found.energy < 0.4))


def test_validation_and_starts_have_one_benefit_for_each_seed():
    assert experiment.stopped_by_validation(n_seeds=2).shape == (2,)
    found = experiment.starts(n_seeds=2)
    assert len(found) == 4
    np.testing.assert_allclose(found[0.02, 1e-3], found[0.04, 1e-3], atol=0.02)


def test_slopes_end_at_linear_networks():
    found = experiment.slopes(n_seeds=2, slopes=(1.0, 0.0))
    assert found.parts[1.0] == (1.0, 1.0)
    assert found.parts[0.0][0] == pytest.approx(0.25, abs=0.05)
    theory = experiment.linear_benefit(3.0, 3.0, 1.0)[0]
    assert found.curves[1.0].benefit[:, 3].mean() == pytest.approx(theory, abs=0.05)
    assert experiment.weak_linear(n_seeds=2).benefit[:, 3].min() > 0.3


def test_aligned_linear_students_have_the_benefit_of_the_theory():
    gains = experiment.aligned_linear(n_seeds=10).benefit
    assert gains.shape == (10, 4)
    theory = experiment.linear_benefit(experiment.WEAK, 10.0, experiment.GRID)
    standard_error = gains.std(axis=0, ddof=1) / np.sqrt(10)
    assert np.all(np.abs(gains.mean(axis=0) - theory) < 4 * standard_error + 0.01)
