"""What is done with rows before anything is computed: which are left out, and the axes of two tables together."""

import numpy as np
import pytest

from mtlbook_lib.forecast import _linear, group_tasks
from mtlbook_lib.forecast._input import rows as input_rows
from mtlbook_lib.forecast._input.columns import standardise
from mtlbook_lib.forecast._input.directions import relations, seen_axes
from mtlbook_lib.forecast._sharing.ridge import units_of
from mtlbook_lib.forecast._tasks import one_against_rest, pair, task, without_repeats


def test_of_equal_rows_the_first_stays(related):
    x_a, y_a, x_b, y_b = related
    longer_a, longer_b = ((np.vstack([x, x[:1]]), np.append(y, y[0])) for x, y in ((x_a, y_a), (x_b, y_b)))
    a, b, _ = without_repeats(*pair(*longer_a, *longer_b), False, "drop")
    assert np.array_equal(a.inputs, x_a)
    assert np.array_equal(b.inputs, x_b)


def test_equal_fingerprints_do_not_make_equal_rows(monkeypatch):
    monkeypatch.setattr(input_rows, "_fingerprints", lambda x: np.zeros(len(x), dtype=np.uint64))
    rows = np.column_stack([np.arange(6.0), np.ones(6)])
    assert not input_rows.repeats_of(rows, np.ones(6), rows + np.array([10, 0]), np.ones(6), False)


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
    tables = [np.column_stack([large, 1e-20 * np.arange(4.0), 1e-3 + 1e-9 * np.arange(4.0)]) for _ in range(2)]
    standardise(tables)
    for rows in tables:
        assert np.all(rows[:, 0] == 0)
        assert rows[:, 1:].std(axis=0) == pytest.approx([1, 1])


def test_a_column_of_one_number_has_no_units():
    rows = np.column_stack([np.full(7, 0.1), np.arange(7.0)])
    assert rows[:, 0].std() > 0  # by rounding alone
    assert units_of(rows).tolist() == [np.inf, 2.0]


def test_small_spreads_are_no_constants():
    rng = np.random.default_rng(0)
    rows = np.column_stack([np.full(6, 2.0), np.r_[0.0, 1 + 1e-9 * rng.standard_normal(5)], rng.standard_normal(6)])
    assert relations(rows, None) == "constant: 0"
    rows[:, 1] = 1 + 1e-9 * rng.standard_normal(6)
    assert relations(rows, None) == "constant: 0"
    rows[:, 0] = 1e12 * (1 + 1e-16 * np.r_[0, 1, 0, 1, 0, 1])
    assert relations(rows - [0, 1, 0], None) == "constant: 0"


def test_as_few_rows_as_columns_tell_no_relations():
    rows = np.column_stack([[0.0, 1.0, 5.0], [0.0, 2.0, 10.0]])
    assert relations(rows, None) == ""
    assert relations(np.vstack([rows, [1.0, 2.0]]), ("p", "q")) == "hang together: 'p', 'q'"


def test_columns_that_hang_together_are_told_apart_from_others():
    a, b, c, d = np.random.default_rng(1).standard_normal((4, 30))
    assert relations(np.column_stack([a, b, a + b, c, d, c - 2 * d]), None) == (
        "hang together: 0, 1, 2; hang together: 3, 4, 5"
    )
    assert relations(np.column_stack([a, b, a + b, c, d, a + c - d]), None) == "hang together: 0, 1, 2, 3, 4, 5"


def test_axes_without_spread_in_either_table_are_left_out():
    first, second = np.diag([3.0, 2.0, 0.0]), np.diag([1.0, 6e-8, 5.0])
    assert np.abs(seen_axes(np.eye(3), [first, second])).tolist() == [[1.0], [0.0], [0.0]]
    assert seen_axes(np.eye(3), [0 * first, second]).shape == (3, 0)


def test_the_root_of_a_scatter(related):
    scatter = related[0].T @ related[0]
    root = _linear._root(scatter)
    np.testing.assert_allclose(root.T @ root, scatter, rtol=1e-12, atol=1e-12)


def test_a_part_has_no_row_twice(related):
    _, b = pair(*related)
    part = b.part(30)
    assert len(np.unique(part.inputs, axis=0)) == len(part.labels) == 30
    assert (part.labels.mean(), part.labels.std()) == pytest.approx((0, 1))


def test_axes_from_sums_are_those_of_all_rows(related):
    x_a, _, x_b, _ = related
    tables = [x_a, x_b + 3]
    sums = []
    for rows in tables:
        centred = rows - rows.mean(axis=0)
        sums.append(_linear.Sums(len(rows), rows.mean(axis=0), centred.T @ centred, np.zeros(4)))
    cosines = _linear._axes_of_sums(sums, 3).T @ _linear._principal_axes(np.vstack(tables), 3)
    np.testing.assert_allclose(np.abs(cosines), np.eye(3), atol=1e-9)


@pytest.mark.parametrize(("n", "words"), [(1, "leaves out 1 direction along"), (2, "leaves out 2 directions along")])
def test_the_note_counts_directions(related, n, words):
    assert words in _linear._note(*pair(*related), n)


def test_columns_of_another_name_are_told_with_the_first_task(related):
    pandas = pytest.importorskip("pandas")
    x_a, y_a, x_b, y_b = related
    tasks = [(pandas.DataFrame(x, columns=list(names)), y) for x, y, names in ((x_a, y_a, "pqrs"), (x_b, y_b, "pqrt"))]
    with pytest.raises(ValueError, match=r"tasks, two: one and two must have the same columns. two lacks 's'"):
        group_tasks(tasks, ["one", "two"])
