"""What is done with rows before anything is computed: which are left out, and the axes of two tables together."""

import numpy as np
import pytest

from mtlbook_lib.forecast import _linear, group_tasks
from mtlbook_lib.forecast._tasks import pair, without_repeats


def test_of_equal_rows_the_first_stays(related):
    x_a, y_a, x_b, y_b = related
    a, _, _ = without_repeats(*pair(np.vstack([x_a, x_a[:1]]), np.append(y_a, y_a[0]), x_b, y_b), False, "drop")
    assert np.array_equal(a.inputs, x_a)


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
