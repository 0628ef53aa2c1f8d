"""The experiments of the chapter on the prior of finetuning, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.finetuning_prior import experiment
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.theory import implicit_bias
from mtlbook_lib.theory.interpolation import min_l1


def test_treatments_of_the_pathways():
    start = experiment.unbalanced([2.0], [0.0], (1, 1, 2)).rescaled(np.array([3.0, 4.0]))
    uneven = type(start)(start.u_plus, -start.u_minus / 7, start.v_plus, start.v_minus)
    assert experiment.treated(uneven, "exact") is uneven
    mean, square = (experiment.treated(uneven, name) for name in ("average", "rms"))
    np.testing.assert_allclose(mean.u_plus[0, 0], np.array([3, 4]) * 3 / 7)
    np.testing.assert_allclose(square.u_minus[0, 0], np.array([3, 4]) * 5 / 7)
    for changed in (mean, square):
        np.testing.assert_array_equal(changed.u_plus, changed.u_minus)


@pytest.mark.parametrize("pathways", ["exact", "average", "rms"])
def test_orders_of_networks_are_those_of_the_formula(pathways):
    given = {"beta_aux": [0.7, -2.0, 1.0], "c": [1.0, 0.02, 2.0], "imbalance": [-0.9, 0.5, 0.0]}
    at = experiment.points(beta=0.3, rescale=[1.0, 0.4, 3.0], gamma=[0.5, 0.1, 1.5], **given)
    networks, formula = experiment.measured(at, pathways), experiment.predicted(at, pathways)
    for name in ("order", "dependence", "scale", "readout"):
        np.testing.assert_allclose(getattr(networks, name), getattr(formula, name), atol=2e-5)
    np.testing.assert_allclose(networks.total, 1, atol=2e-5)
    np.testing.assert_allclose(networks.tradeoff, networks.order + networks.dependence)


def test_predicted_orders_are_those_of_the_library_where_there_is_no_start():
    at = experiment.points(beta=[0.3, 4.0], beta_aux=0.7, c=1.0, imbalance=-0.4, rescale=0.6, gamma=0.3)
    own = experiment.predicted(at, "rms")
    case = (at.beta, at.beta_aux, np.sqrt(at.c / 2), at.gamma, at.imbalance, at.rescale, "rms")
    expected = implicit_bias.penalty_orders(*case)
    np.testing.assert_allclose([own.order, own.dependence, own.scale, own.readout], expected, atol=1e-7)


def test_least_sum_is_the_closed_form_for_negative_imbalance_and_one_for_others():
    lengths = np.array([-0.99, -0.4, 0.0, 0.7])
    root = np.sqrt(1 - lengths[:2] ** 2)
    expected = [*(2 * root / (1 + root)), 1, 1]
    np.testing.assert_allclose(experiment.least_tradeoff(lengths), expected, rtol=1e-4)


def test_placed_networks_have_the_width_of_the_formula():
    aux = np.array([[1.0, 0.0, -1.0, 1.0]])
    for setting in (experiment.Setting(0.3, 0.2, 0.5, -0.7), experiment.Setting(2.0, 0.1, 1.0, 0.2, "average")):
        weights = experiment.placed(aux, [setting])
        parts = (weights.u_plus, weights.v_plus[:, :, 0], weights.u_minus, weights.v_minus[:, :, 0])
        kappa, _, start = implicit_bias.pathway_invariants(*parts)
        case = (aux, np.sqrt(setting.c / 2), setting.gamma, setting.imbalance, setting.rescale, setting.pathways)
        np.testing.assert_allclose(kappa[:, 0], implicit_bias.finetuning_width(*case), rtol=1e-9)
        np.testing.assert_allclose(start[:, 0], implicit_bias.finetuning_start(*case), rtol=1e-9, atol=1e-12)


def test_many_settings_are_each_prepared_as_alone():
    aux = np.array([[1.0, 0.0, -1.0], [0.0, -1.0, 1.0]])
    settings = [experiment.Setting(0.5, 0.1, 0.3, 0.4, name) for name in experiment.PATHWAYS]
    together = experiment.placed(aux, settings)
    for k, setting in enumerate(settings):
        alone = experiment.placed(aux, [setting])
        for part in ("u_plus", "u_minus", "v_plus", "v_minus"):
            np.testing.assert_allclose(getattr(together, part)[:, k], getattr(alone, part)[:, 0], rtol=1e-9, atol=1e-12)
            assert getattr(together, part).shape[:2] == (2, 3)


def test_references():
    x, truth = sphere_inputs(30, 9, range(1))[0], np.zeros(30)
    truth[:2] = [1.0, -1.0]
    old, start = np.arange(30) < 12, np.linspace(-1, 1, 30)
    both = experiment.references(x, x @ truth, old, np.stack([start, -start]))
    assert all(betas.shape == (2, 30) for betas in both.values())
    found = {name: betas[0] for name, betas in both.items()}
    for beta in found.values():
        np.testing.assert_allclose(x @ beta, x @ truth, atol=1e-8)
    np.testing.assert_allclose(found["l1"], min_l1(x, x @ truth))
    assert np.all(found["l1 among old"][~old] == 0)
    assert np.abs(found["l2 on old"][~old]).max() < 1e-6
    # What is added to the start is in the row space, so that no smaller step fits.
    step = found["l2 around the start"] - start
    np.testing.assert_allclose(np.linalg.lstsq(x.T, step, rcond=None)[0] @ x, step, atol=1e-9)
