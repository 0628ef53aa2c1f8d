"""The figures of the chapter on ReLU networks."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.relu_networks import figures as plots


def test_a_geometric_mean_is_not_decided_by_one_seed():
    mean, error = plots.geometric_mean(np.array([[1e-4], [1e-2]]))
    assert mean == pytest.approx([1e-3])
    assert error == pytest.approx([1e-3 * np.log(10)])
