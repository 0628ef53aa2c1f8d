"""Questions about digits have the right answers; splits are disjoint, white, and comparable between two sets."""

import numpy as np
import pytest

from mtlbook_lib.data import digit_tasks, real

# The questions, answered without the table: by arithmetic, and from the shapes of the figures.
DRAWN_WITH_A_LOOP = "0689"
DRAWN_WITH_STRAIGHT_STROKES = "147"
QUESTIONS = {
    "odd": lambda k: k % 2 == 1,
    "prime": lambda k: k > 1 and all(k % other for other in range(2, k)),
    "multiple of 3": lambda k: k % 3 == 0,
    "has a loop": lambda k: str(k) in DRAWN_WITH_A_LOOP,
    "straight strokes": lambda k: str(k) in DRAWN_WITH_STRAIGHT_STROKES,
    **{f"at least {least}": lambda k, least=least: k >= least for least in range(3, 8)},
    **{f"is {digit}": lambda k, digit=digit: k == digit for digit in range(10)},
}


def test_yes_no_targets_answer_the_question():
    targets = digit_tasks.yes_no_targets(np.arange(10))
    assert targets.shape == (20, 10, 1)
    assert list(digit_tasks.YES_NO) == list(QUESTIONS)
    for name, column in zip(digit_tasks.YES_NO, targets[..., 0], strict=True):
        assert column.tolist() == [float(QUESTIONS[name](k)) for k in range(10)], name


def test_groups_of_five_hold_what_their_names_say():
    targets = digit_tasks.group_targets(np.arange(10))
    asked = {"0 to 4": range(5), "5 to 9": range(5, 10), "even": range(0, 10, 2), "odd": range(1, 10, 2)}
    assert list(digit_tasks.FIVES) == list(asked)
    for (name, members), table in zip(asked.items(), targets, strict=True):
        expected = np.zeros((10, 5))
        expected[list(members), range(5)] = 1
        assert np.array_equal(table, expected), name


def test_group_targets_name_the_member():
    targets = digit_tasks.group_targets([3, 8, 0], {"low": (0, 3), "high": (8, 9)})
    assert targets.tolist() == [[[0, 1], [0, 0], [1, 0]], [[0, 0], [1, 0], [0, 0]]]
    assert digit_tasks.group_targets([1]).shape == (4, 1, 5)
    with pytest.raises(ValueError, match="equal size"):
        digit_tasks.group_targets([1], {"a": (1,), "b": (2, 3)})


def test_turn_is_a_quarter_turn_of_the_image():
    images = np.arange(128.0).reshape(2, 64)
    turned = digit_tasks.turn(images)
    assert np.array_equal(turned[1].reshape(8, 8), np.rot90(images[1].reshape(8, 8)))
    with pytest.raises(ValueError, match="64 pixels"):
        digit_tasks.turn(images[:, :63])


def test_split_is_disjoint_complete_and_white():
    sets = digit_tasks.digit_split(90, 120, seed=2, n_axes=30)
    first, second, turned = sets
    assert [part.inputs.shape for part in sets] == [(90, 30), (120, 30), (120, 30)]
    for part in sets:
        np.testing.assert_allclose(part.inputs.T @ part.inputs / len(part.inputs), np.eye(30), atol=1e-9)
        np.testing.assert_allclose(part.inputs.mean(axis=0), 0, atol=1e-9)
        assert part.new_inputs.shape == (1797 - 210, 30)
        assert np.array_equal(part.new_labels, first.new_labels)
    assert np.array_equal(second.labels, turned.labels)
    assert not np.allclose(second.inputs, turned.inputs)
    labels = np.concatenate([first.labels, second.labels, first.new_labels])
    assert np.array_equal(np.bincount(labels), np.bincount(real.digits().labels))


def test_stratified_sets_have_equal_shares():
    shares = np.bincount(real.digits().labels) / 1797
    stratified, plain = (digit_tasks.digit_split(100, 100, 3, stratified=flag) for flag in (True, False))
    gaps = [
        max(np.abs(np.bincount(part.labels, minlength=10) / 100 - shares).max() for part in sets[:2])
        for sets in (stratified, plain)
    ]
    assert gaps[0] <= 0.01 < gaps[1]
