"""Random labels: the factor by counting, its limits, and what it refuses."""

import numpy as np
import pytest

from mtlbook_lib.theory.hard_sharing import random_label_factor


@pytest.mark.parametrize(("prevalence", "share"), [(0.5, 0.2), (0.03, 0.2), (0.7, 0.9)])
def test_factor_from_the_joint_law_of_true_and_drawn_labels(prevalence, share):
    """The correlation of the two labels, from the chances of the four pairs."""
    p, s = prevalence, share
    chances = {(1, 1): p * (1 - s / 2), (1, 0): p * s / 2, (0, 1): (1 - p) * s / 2, (0, 0): (1 - p) * (1 - s / 2)}
    mean = [sum(pair[i] * chance for pair, chance in chances.items()) for i in (0, 1)]
    moment = {(i, j): sum((pair[i] - mean[i]) * (pair[j] - mean[j]) * chance for pair, chance in chances.items())
              for i in (0, 1) for j in (0, 1)}  # fmt: skip
    expected = moment[0, 1] / np.sqrt(moment[0, 0] * moment[1, 1])
    assert random_label_factor(p, s) == pytest.approx(expected, rel=1e-12)


def test_limits_and_arrays():
    assert random_label_factor(0.5, 0.2) == pytest.approx(0.8)
    assert random_label_factor(0.1, 0.0) == pytest.approx(1.0)
    assert random_label_factor(0.1, 1.0) == 0.0
    assert random_label_factor(0.1, 0.3) == pytest.approx(random_label_factor(0.9, 0.3))
    assert np.diff(random_label_factor(np.linspace(0.01, 0.5, 20), 0.2)).min() > 0
    assert random_label_factor([0.1, 0.2], [[0.1], [0.5], [0.9]]).shape == (3, 2)


@pytest.mark.parametrize(
    ("prevalence", "share", "message"),
    [(0.0, 0.2, "prevalence must lie above 0"), (1.5, 0.2, "prevalence must"), (0.5, 1.2, "share must")],
)
def test_refusals(prevalence, share, message):
    with pytest.raises(ValueError, match=message):
        random_label_factor(prevalence, share)
