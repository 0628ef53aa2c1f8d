"""The worth of a mode against draws of noise, against the known square case, and on both sides of its threshold."""

import numpy as np
import pytest

from mtlbook_lib.theory import spiked, truncation


def test_square_matrices_have_the_hard_threshold_of_four_over_root_three():
    edge = truncation.useful_singular_value(1.0)
    assert edge**2 == pytest.approx(3.0)
    assert spiked.noisy_singular_value(edge, 1.0) == pytest.approx(4 / np.sqrt(3))


@pytest.mark.parametrize("aspect", [1e-6, 0.1, 0.7, 3.0])
def test_a_mode_at_the_threshold_is_worth_nothing_and_others_are_on_their_side(aspect):
    edge = truncation.useful_singular_value(aspect)
    assert edge > spiked.threshold(aspect)
    gains = [s**2 - truncation.truncation_error([s], 1, aspect) for s in (0.9 * edge, edge, 1.1 * edge)]
    assert gains[1] == pytest.approx(0.0, abs=1e-9)
    assert gains[0] < -1e-3 < 1e-3 < gains[2]


def test_visible_modes_cost_what_the_docstring_says_and_hidden_ones_their_noise_too():
    a = 0.3
    assert truncation.truncation_error([2.0, 1.0], 2, a) == pytest.approx(2 * (1 + a) + 3 * a * (1 / 4 + 1))
    assert truncation.truncation_error([0.5], 2, a) == pytest.approx(0.25 + 2 * (1 + np.sqrt(a)) ** 2)
    assert truncation.truncation_error([], 0, a) == 0.0
