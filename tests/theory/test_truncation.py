"""The worth of a mode against draws of noise, against the known square case, and on both sides of its threshold."""

import numpy as np
import pytest

from mtlbook_lib.theory import spiked, truncation


def drawn_errors(s, n_kept, n_rows, n_cols, n_draws):
    """Squared error of truncated draws, (draw,), with a signal on the first axes, by numpy alone."""
    rng, signal = np.random.default_rng(3), np.zeros((n_rows, n_cols))
    signal[np.arange(len(s)), np.arange(len(s))] = s
    left, values, right = np.linalg.svd(
        signal + rng.standard_normal((n_draws, n_rows, n_cols)) / np.sqrt(n_cols), full_matrices=False
    )
    kept = (left[..., :n_kept] * values[:, None, :n_kept]) @ right[:, :n_kept]
    return ((kept - signal) ** 2).sum(axis=(1, 2))


@pytest.mark.parametrize("aspect", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("n_kept", [0, 1, 2])
def test_the_error_is_that_of_draws(aspect, n_kept):
    s, n_cols = [3.0, 1.8], 200
    errors = drawn_errors(s, n_kept, int(aspect * n_cols), n_cols, 60)
    error = errors.std(ddof=1) / np.sqrt(len(errors))
    assert errors.mean() == pytest.approx(truncation.truncation_error(s, n_kept, aspect), abs=4 * error + 8 / n_cols)


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


def test_few_tasks_pay_from_one_unit_on():
    assert truncation.useful_singular_value(1e-9) == pytest.approx(1.0)
    assert truncation.truncation_error([2.0], 1, 1e-9) == pytest.approx(1.0)


def test_visible_modes_cost_what_the_docstring_says_and_hidden_ones_their_noise_too():
    a = 0.3
    assert truncation.truncation_error([2.0, 1.0], 2, a) == pytest.approx(2 * (1 + a) + 3 * a * (1 / 4 + 1))
    assert truncation.truncation_error([0.5], 2, a) == pytest.approx(0.25 + 2 * (1 + np.sqrt(a)) ** 2)
    assert truncation.truncation_error([], 0, a) == 0.0
