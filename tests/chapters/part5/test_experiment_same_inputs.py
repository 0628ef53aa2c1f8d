"""Tasks on the same inputs, in as many dimensions as there are tasks: the same models and weights as in all."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5._same_inputs import in_label_space
from mtlbook_lib.theory.hard_sharing import shared_models, uncertainty_weights


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_models_and_weights_are_those_of_all_inputs(rank):
    rng = np.random.default_rng(rank)
    x, y = rng.normal(size=(2, 30, 6)), rng.normal(size=(2, 30, 3))
    inputs, labels, lift = in_label_space(x, y)
    assert inputs.shape == labels.shape == (2, 6, 3)
    weights = np.array([[1.0, 2.0, 0.3], [0.2, 1.0, 5.0]])
    np.testing.assert_allclose(lift @ shared_models(inputs, labels, rank, weights), shared_models(x, y, rank, weights))
    np.testing.assert_allclose(uncertainty_weights(inputs, labels, rank), uncertainty_weights(x, y, rank), rtol=1e-8)
