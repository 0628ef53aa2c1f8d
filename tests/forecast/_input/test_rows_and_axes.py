"""What is done with rows before anything is computed: which are left out, and in which units they are."""

import numpy as np
import pytest

from mtlbook_lib.forecast import group_tasks
from mtlbook_lib.forecast._input import rows as input_rows
from mtlbook_lib.forecast._input.columns import standardised
from mtlbook_lib.forecast._tasks import one_against_rest, pair, task, without_repeats


def test_of_equal_rows_the_first_stays(related):
    x_a, y_a, x_b, y_b = related
    longer_a, longer_b = ((np.vstack([x, x[:1]]), np.append(y, y[0])) for x, y in ((x_a, y_a), (x_b, y_b)))
    a, b, _ = without_repeats(*pair(*longer_a, *longer_b), False, "drop")
    assert np.array_equal(a.inputs, x_a)
    assert np.array_equal(b.inputs, x_b)


def test_one_row_is_found_among_many_whose_marks_lie_on_both_sides_of_its_own():
    many = np.arange(80.0).reshape(40, 2)
    found = input_rows.repeats_of(many[7:8], np.zeros(1), many, np.zeros(40), False)
    assert found.shared.tolist() == [[7, 0]]


def test_what_is_left_needs_three_rows_that_differ():
    rows = task("a", [[0.0], [1.0], [2.0], [3.0]], [0.0, 1e-3, 0.0, 1e-3])
    assert len(rows.without(np.array([3])).labels) == 3
    for dropped in ([0, 2, 3], [2, 3], [1, 3]):  # one row, two that differ, and two that do not
        with pytest.raises(ValueError, match="repeats must not be 'drop' here"):
            rows.without(np.array(dropped))
    with pytest.raises(ValueError, match="3 rows are left"):
        task("a", np.arange(4.0)[:, None], [0.0, 0.0, 0.0, 1.0]).without(np.array([3]))


def test_one_class_against_the_rest_needs_both():
    assert one_against_rest("y", [1, 2, 3], 2).tolist() == [False, True, False]
    for labels in ([2, 2], [1, 3]):
        with pytest.raises(ValueError, match="positive must be a class of some rows of y, and not of all"):
            one_against_rest("y", labels, 2)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_columns_that_vary_by_rounding_become_zero(sign):
    large = sign * 1e9 * (1 + 1e-15 * np.arange(4.0))
    table = np.column_stack([large, 1e-20 * np.arange(4.0), 1e-3 + 1e-9 * np.arange(4.0)])
    for rows in standardised([table, table]):
        assert np.all(rows[:, 0] == 0)
        assert rows[:, 1:].std(axis=0) == pytest.approx([1, 1])


def test_a_part_has_no_row_twice(related):
    _, b = pair(*related)
    part = b.part(30)
    assert len(np.unique(part.inputs, axis=0)) == len(part.labels) == 30
    assert (part.labels.mean(), part.labels.std()) == pytest.approx((0, 1))
    assert set(part.numbers) <= set(b.numbers)


def test_columns_of_another_name_are_told_with_the_first_task(related):
    pandas = pytest.importorskip("pandas")
    x_a, y_a, x_b, y_b = related
    tasks = [(pandas.DataFrame(x, columns=list(names)), y) for x, y, names in ((x_a, y_a, "pqrs"), (x_b, y_b, "pqrt"))]
    with pytest.raises(ValueError, match=r"tasks, two: one and two must have the same columns. two lacks 's'"):
        group_tasks(tasks, ["one", "two"])
