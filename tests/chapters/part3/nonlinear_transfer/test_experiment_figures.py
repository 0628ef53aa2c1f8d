"""Fig. 12 and its variations at two seeds: shapes, identities, and effects that are large."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.nonlinear_transfer import experiment


@pytest.fixture(scope="module")
def figure():
    return experiment.figure_twelve(n_seeds=2)


def test_what_is_learned_adds_up_to_the_gain_of_the_student(figure):
    found = experiment.learned_alone(n_seeds=2)
    curves = figure[experiment.WEAK, 1.0].alone
    best = curves[:, 0, curves.mean(axis=0)[0].argmin()]
    np.testing.assert_allclose(found.mean + found.rest, 1 - best, atol=1e-5)
    assert np.all((found.energy > 0.2) & (found.energy < 0.4))
