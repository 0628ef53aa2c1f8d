"""The experiments of the chapter on pretraining and finetuning, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.pretraining_finetuning import experiment
from mtlbook_lib.theory.implicit_bias import finetuning_width, printed_penalty


@pytest.fixture(scope="module")
def base():
    return experiment.pretrained(1e-9, n_seeds=2)


def test_pretraining_stops_where_it_is_told(base):
    assert 0.5e-9 <= base.loss <= 1e-9
    assert np.abs(base.beta[np.abs(base.beta) > 0.5]) == pytest.approx(1, abs=1e-3)
    assert np.all((np.abs(base.beta) > 0.5).sum(axis=1) == 40)


def test_widths_of_ideal_layers_are_those_of_the_formula(base):
    kappa, start = experiment.invariants(base.fits.weights.with_readout(0.05))
    assert kappa == pytest.approx(finetuning_width(base.beta, experiment.ALPHA, 0.05), rel=1e-9)
    assert np.all(start * base.beta >= 0)


def test_networks_are_at_the_exact_minimiser_only(base):
    run = experiment.finetuned(base, 0.1, 20, 40)
    assert run.distance["exact"].max() < 1e-3
    assert min(run.distance["printed"].min(), run.distance["no start"].min()) > 0.02
    assert run.residual["exact"].max() < 1e-8 < 0.02 < run.residual["printed"].min()
    assert run.error["network"] == pytest.approx(run.error["exact"], rel=1e-2)
    assert np.all(run.to_ideal > 0)


def test_copied_pathways_make_the_printed_form_exact(base):
    run = experiment.finetuned(base, 0.1, 20, 40, copied=True)
    assert run.distance["printed"].max() < 1e-3
    assert run.distance["printed"] == pytest.approx(run.distance["exact"], rel=1e-3)


def test_better_pretraining_is_nearer_to_the_ideal(base):
    far = experiment.finetuned(base, 1e-3, 0, 40).to_ideal
    near = experiment.finetuned(experiment.pretrained(1e-14, n_seeds=2), 1e-3, 0, 40).to_ideal
    assert np.all(near < 0.5 * far)


def test_descent_decides_as_the_flow_does():
    found = experiment.descended(0.1, n_seeds=1)
    assert found["exact"][0].max() < 0.005 < 0.1 < found["printed"][0].min()
    assert found["exact"][1].max() < 0.005 < 0.1 < found["printed"][1].min()


def test_probing(base):
    assert experiment.probed(base, 0.1, 20, 40).max() < 1e-4
    assert experiment.probed_alone(range(2), 30).max() < 1e-4


@pytest.mark.parametrize(("copied", "small"), [(False, 4.0), (True, 2.0)])
def test_slopes_of_the_penalty(copied, small):
    aux = np.array([0.5, 2.0])
    assert experiment.penalty_slope(aux, 1e-3, copied) * aux / 1e-3 == pytest.approx([small, small], rel=1e-3)
    # Beyond the pretrained coefficient the slope is twice the logarithm of 2 beta over the width.
    width = aux if copied else aux / 2
    assert experiment.penalty_slope(aux, 50.0, copied) == pytest.approx(2 * np.log(100.0 / width), rel=1e-3)


def test_penalty_curves():
    beta, aux = np.array([1e-3, 1.0]), np.array([0.01, 1.0])
    curves = experiment.penalty_curves(beta, aux)
    assert curves["group"] == pytest.approx(2 * np.hypot(beta, aux[:, None]) - 2 * aux[:, None])
    assert curves["printed"][1, 1] == pytest.approx(printed_penalty([1.0], [1.0], 1e-5))
    assert curves["exact"][1, 0] == pytest.approx(2 * 1e-6, rel=0.03)
    assert curves["exact"].shape == (2, 2)


def test_the_plane():
    view, printed = experiment.plane(np.array([0.01, 5.0]))
    assert view.trained == pytest.approx(view.best, abs=1e-5)
    assert np.abs(view.trained - printed).max() > 0.01
    assert view.trained[1, 1] > view.trained[0, 1]
    assert view.penalty.shape == (2, 150, 120)
    # Both networks lie inside what is drawn, with as much room on either side of 0.5.
    assert all(axis[0] + axis[-1] == pytest.approx(1.0) for axis in view.axes)
