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
    assert kappa == pytest.approx(finetuning_width(base.beta, experiment.SETTINGS.alpha, 0.05), rel=1e-9)
    assert np.all(start * base.beta >= 0)


def test_penalty_curves():
    beta, aux = np.array([1e-3, 1.0]), np.array([0.01, 1.0])
    curves = experiment.penalty_curves(beta, aux)
    assert curves["group"] == pytest.approx(2 * np.hypot(beta, aux[:, None]) - 2 * aux[:, None])
    assert curves["printed"][1, 1] == pytest.approx(printed_penalty([1.0], [1.0], 1e-5))
    assert curves["exact"][1, 0] == pytest.approx(2 * 1e-6, rel=0.03)
    assert curves["exact"].shape == (2, 2)
