"""Real yes-or-no tasks on the same inputs: which labels are random, which rows are held out, what a ridge adds."""

import numpy as np
import pytest

from mtlbook_lib.data.noisy_tasks import SIX, noisy_tasks
from mtlbook_lib.data.real import breast_cancer


def test_a_share_of_labels_is_random_and_the_rest_is_kept():
    splits = noisy_tasks("at least 5", [0.0, 0.5, 1.0], 80, range(20))
    signs = np.sign(splits.labels)
    flipped = (signs != signs[..., :1]).mean(axis=(0, 1))
    assert flipped[0] == 0.0
    assert flipped[1] == pytest.approx(0.25, abs=0.03)
    assert flipped[2] == pytest.approx(0.5, abs=0.04)
    assert np.unique(splits.new_labels).tolist() == [0.0, 1.0]
    assert splits.labels.mean(axis=1) == pytest.approx(0.0, abs=1e-12)
    assert splits.labels.std(axis=1) == pytest.approx(1.0)


def test_inputs_are_standardised_on_the_training_rows_and_constant_pixels_dropped():
    splits = noisy_tasks("odd", [0.0, 0.2], 80, range(3))
    spread = splits.inputs.std(axis=1)
    assert np.all(np.isclose(spread, 1.0) | (spread == 0.0))
    assert np.all(splits.new_inputs[:, :, 0] == 0.0)  # the first pixel is blank in all images


def test_each_split_has_its_own_shares_and_a_batch_is_a_loop():
    shares = np.array([[0.0, 0.3], [0.6, 0.0]])
    both = noisy_tasks("odd", shares, 60, [3, 8])
    for i, seed in enumerate((3, 8)):
        one = noisy_tasks("odd", shares[i], 60, [seed])
        for name in ("inputs", "labels", "new_inputs", "new_labels"):
            assert np.array_equal(getattr(both, name)[i], getattr(one, name)[0])


def test_questions_are_asked_in_turn_or_as_told():
    told = noisy_tasks("six tasks", [0.0, 0.0], 100, [0], columns=[3, 1])
    whole = noisy_tasks("six tasks", np.zeros(6), 100, [0])
    assert np.array_equal(told.new_labels, whole.new_labels[..., [3, 1]])
    assert whole.new_labels.sum() == pytest.approx(1697 * sum(map(len, SIX.values())) / 10, rel=0.05)
    cells = noisy_tasks("breast cancer", np.zeros(3), 100, [0])
    assert np.array_equal(cells.labels, np.repeat(cells.labels[..., :1], 3, axis=-1))
    assert cells.new_inputs.shape == (1, len(breast_cancer().labels) - 100, 30)


def test_a_ridge_adds_to_the_squares_of_the_inputs_alone():
    split = noisy_tasks("odd", [0.0, 0.5], 80, range(2))
    x, y = split.with_ridge(3.0)
    assert x.shape == (2, 66, 64)
    squares = split.inputs.swapaxes(-1, -2) @ split.inputs + 3.0 * np.eye(64)
    assert x.swapaxes(-1, -2) @ x == pytest.approx(squares, abs=1e-9)
    assert x.swapaxes(-1, -2) @ y == pytest.approx(split.inputs.swapaxes(-1, -2) @ split.labels, abs=1e-9)
