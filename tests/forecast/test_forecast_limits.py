"""Limits of tasks on both sides and at their place, parts of unusual tasks, and the comparison with an own model."""

import numpy as np
import pytest

from mtlbook_lib.forecast import JointRegressor, compare, rank_auxiliaries, recommend
from mtlbook_lib.forecast._kernel import Kernel, kernel_of
from mtlbook_lib.forecast._tasks import pair, task


def numbers(n, columns=2):
    rng = np.random.default_rng(n)
    return rng.standard_normal((n, columns)), rng.standard_normal(n)


@pytest.mark.parametrize(("rows", "accepted"), [(2, False), (3, True), (5000, True)])
def test_numbers_of_rows(rows, accepted):
    x, y = numbers(rows)
    if accepted:
        found = task("a", x, y)
        assert found.labels @ found.labels == pytest.approx(rows)
        np.testing.assert_allclose(y.mean() + found.scale * found.labels, y)
    else:
        with pytest.raises(ValueError, match=r"^x_a must have at least 3 rows"):
            task("a", x, y)


def test_labels_that_hardly_vary():
    x, y = numbers(6)
    small = task("b", x, 1e9 + np.round(y, 3))
    np.testing.assert_allclose(small.labels, (y - y.mean()) / y.std(), atol=5e-3)
    for constant in (np.zeros(6), np.full(6, 0.1), -np.ones(6)):
        with pytest.raises(ValueError, match=r"^y_b must vary"):
            task("b", x, constant)


def whole(n):
    """Columns and labels of whole numbers: their sums with large powers of two are exact."""
    rng = np.random.default_rng(n)
    x = rng.integers(-20, 21, (n, 3)).astype(float)
    return x, x @ [1.0, -1.0, 0.0] + rng.integers(-20, 21, n)


@pytest.mark.parametrize("place", ["column", "labels"])
def test_a_spread_of_a_trillionth_of_the_offset_is_no_constant(place):
    (x_a, y_a), (x_b, y_b) = whole(30), whole(60)
    found = recommend(x_a, y_a, x_b, y_b)
    inputs, labels = (np.array([2.0**44, 0, 0]), 0.0) if place == "column" else (np.zeros(3), 2.0**44)
    moved = recommend(x_a + inputs, y_a + labels, x_b + inputs, y_b + labels)
    assert found.sharing.nats > 1
    assert moved.sharing.nats == pytest.approx(found.sharing.nats, rel=1e-3)
    for name, (_, gain, _) in found.baselines.items():
        assert moved.baselines[name][1] == pytest.approx(gain, abs=1e-3)


@pytest.mark.parametrize("column", [np.full(90, 0.1), np.where(np.arange(90) % 2, 0.3, 0.1 + 0.2), np.full(90, 1e-170)])
def test_a_column_that_varies_by_rounding_alone_drops_out(column):
    (x_a, y_a), (x_b, y_b) = whole(30), whole(60)
    found = recommend(x_a, y_a, x_b, y_b)
    wider = recommend(np.column_stack([x_a, column[:30]]), y_a, np.column_stack([x_b, column[30:]]), y_b)
    assert wider.sharing.nats == pytest.approx(found.sharing.nats, rel=1e-9)
    with pytest.raises(ValueError, match=r"^X must (have a column that varies|be zero or at least)"):
        JointRegressor().fit(column[:30, None], y_a)


def test_one_column_that_varies_a_little_is_enough():
    x, y = numbers(6)
    x[:, 0], x[:, 1] = 3.0, 1e-3 * x[:, 1]
    assert np.array_equal(task("a", x, y).inputs, x)
    for empty in (np.empty((0, 2)), np.empty((6, 0)), np.full((6, 2), [0.1, 0.3 + 0.3])):
        with pytest.raises(ValueError, match=r"^x_a must have rows with at least one column that varies"):
            task("a", empty, y)


def test_labels_of_mixed_kinds_are_no_classes():
    x, y = numbers(4)
    with pytest.raises(TypeError, match=r"^y_a must be real numbers"):
        task("a", x, np.array(["yes", 1.0, "yes", 1.0], dtype=object))
    with pytest.raises(ValueError, match=r"^y_b must be numbers or two classes; got 3"):
        pair(x, y, x, ["red", "green", "blue", "red"])
    assert np.array_equal(np.sign(task("a", x, ["no", "yes", "yes", "no"]).labels), [-1, 1, 1, -1])


def test_kernel_of_opposite_rows_and_of_the_centre_itself():
    """Opposite rows have no curved part, parallel ones twice the linear one, and the centre has none at all."""
    rows = 0.1 * np.random.default_rng(0).standard_normal((300, 3))
    kernel = Kernel(np.zeros(3), 0.7)
    lengths = np.square(rows).sum(axis=1)
    for row, length in zip(rows, lengths, strict=True):
        same = np.array([row, -3 * row, 3 * row, 0 * row])
        np.testing.assert_allclose(kernel(row[None], same)[0], np.array([2, -3, 6, 0]) * length / 1.4, rtol=1e-7)
    assert np.array_equal(kernel(np.zeros((1, 3)), np.zeros((2, 3))), np.zeros((1, 2)))
    around = np.vstack([rows, -rows, 0 * rows[:1]]) + 2.0
    assert np.diag(kernel_of(around)(around, around)).mean() == pytest.approx(1.0)


def mean_alone(x, y):
    return lambda new: np.full((len(new), *y.shape[1:]), y.mean(axis=0))


def nothing(x_a, y_a, x_b, y_b):
    return lambda new: np.zeros((len(new), *y_a.shape[1:]))


def test_defaults_of_the_comparison():
    x, y = numbers(9)
    first = compare(mean_alone, nothing, x, y, x, y)
    again = compare(mean_alone, nothing, x, y, x, y, repeats=4, folds=4, seed=0)
    assert np.array_equal(first.repeats, again.repeats)


def test_two_rows_two_folds_and_two_outputs():
    """Each row is predicted by the other, and the loss is summed over the outputs."""
    x, y = np.array([[0.0], [1.0]]), np.array([[0.0, 1.0], [3.0, 5.0]])
    found = compare(mean_alone, nothing, x, y, x, y, folds=2)
    assert found.alone == 9 + 16
    assert found.together == pytest.approx((1 + 34) / 2)
    assert found.standard_error == pytest.approx(abs((25 - 1) - (25 - 34)) / 2)


@pytest.mark.parametrize(
    ("x", "y"), [(1.0, np.ones(3)), (np.ones(3), 1.0), (np.ones(3), np.ones(2)), (np.ones(1), np.ones(1))]
)
def test_rows_of_the_comparison_must_match(x, y):
    with pytest.raises(ValueError, match=r"^x_b and y_b must have as many rows, at least 2"):
        compare(mean_alone, nothing, *numbers(9), x, y)


@pytest.mark.parametrize("wrong", [1, 2])
def test_each_student_needs_a_loss_for_each_row(wrong):
    calls = []

    def loss(predictions, labels):
        calls.append(1)
        found = np.square(predictions - labels)
        return found[1:] if len(calls) == wrong else found

    x, y = numbers(9)
    with pytest.raises(ValueError, match=r"^loss must give one number a row"):
        compare(mean_alone, nothing, x, y, x, y, loss=loss)


def test_partners_need_a_name_and_two_parts_each():
    x, y = numbers(16)
    with pytest.raises(ValueError, match=r"^others must have at least one task, and names one for each; got 2, 1"):
        rank_auxiliaries(x, y, [(x, y), (x, y)], names=["one"])
    with pytest.raises(ValueError, match=r"^others must hold pairs \(x_b, y_b\); task 2 is none"):
        rank_auxiliaries(x, y, [(x, y), (x, y, y)], repeats="keep")
    with pytest.raises(ValueError, match=r"^others must hold pairs \(x_b, y_b\); task 1 is none"):
        rank_auxiliaries(x, y, [np.array([x[:, 0], y])])
