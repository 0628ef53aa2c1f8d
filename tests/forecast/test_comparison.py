"""Repeated cross-validation of the reader's own student."""

import numpy as np
import pytest

from mtlbook_lib.forecast import compare


def mean_alone(x, y):
    return lambda new: np.full(len(new), y.mean())


def truth_together(x_a, y_a, x_b, y_b):
    return lambda new: new[:, 0]


def test_difference_of_a_mean_and_the_truth(related):
    x, x_b, y_b = related[0], related[2], related[3]
    y = x[:, 0]
    found = compare(mean_alone, truth_together, x, y, x_b, y_b, repeats=6, folds=11, seed=2)
    assert found.together == 0
    assert found.difference == pytest.approx(found.alone)
    assert found.repeats.shape == (6,)
    assert found.difference == pytest.approx(found.repeats.mean())
    assert 0 < found.standard_error < found.difference


def test_with_a_fold_for_each_row_the_loss_has_a_closed_form(related):
    """Leaving one row out of a mean scales its distance by n / (n - 1), in every repeat."""
    x, y, x_b, y_b = related
    found = compare(mean_alone, truth_together, x, y, x_b, y_b, folds=22)
    wanted = (y - y.mean()) ** 2 * (22 / 21) ** 2 - (y - x[:, 0]) ** 2
    np.testing.assert_allclose(found.repeats, wanted.mean(), rtol=1e-12)
    assert found.standard_error == pytest.approx(wanted.std(ddof=1) / np.sqrt(22))


def test_both_students_see_the_same_rows_and_never_those_left_out(related):
    x, y, x_b, y_b = related
    seen = []

    def alone(rows, labels):
        seen.append(rows)
        return lambda new: np.full(len(new), 0.0)

    def joint(rows, labels, other, other_labels):
        assert len(other) == 31 == len(other_labels)
        assert np.array_equal(rows, seen[-1])

        def predict(new):
            assert not (rows[:, None] == new).all(axis=2).any()
            return np.zeros(len(new))

        return predict

    assert compare(alone, joint, x, y, x_b, y_b, folds=5).difference == 0
    assert len(seen) == 20


def test_folds_depend_on_the_seed_alone(related):
    x, y, x_b, y_b = related
    first, again, other = (compare(mean_alone, truth_together, x, y, x_b, y_b, seed=s) for s in (0, 0, 1))
    assert np.array_equal(first.repeats, again.repeats)
    assert not np.array_equal(first.repeats, other.repeats)


def test_own_loss(related):
    x, y, x_b, y_b = related
    found = compare(mean_alone, truth_together, x, y, x_b, y_b, loss=lambda p, t: np.abs(p - t))
    assert found.together == pytest.approx(np.abs(x[:, 0] - y).mean())


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"y_a": np.zeros(3)}, ValueError, "x_a and y_a must have as many rows"),
        ({"folds": 23}, ValueError, "folds must be at most the 22 rows"),
        ({"fit_joint": lambda *_: lambda new: new}, ValueError, "must predict shape"),
    ],
)
def test_bad_input_is_named(related, change, error, message):
    x_a, y_a, x_b, y_b = related
    arguments = {"fit_alone": mean_alone, "fit_joint": truth_together, "x_a": x_a, "y_a": y_a, "x_b": x_b, "y_b": y_b}
    with pytest.raises(error, match=message):
        compare(**(arguments | change))


def test_an_estimator_is_fitted_to_a_alone_and_to_the_rows_of_both(related, mean_model):
    found = compare(mean_model, *related, repeats=4)
    wanted = compare(mean_alone, lambda x, y, x_b, y_b: mean_alone(x, np.append(y, y_b)), *related, repeats=4)
    assert found.difference == wanted.difference
    assert found.alone == wanted.alone
    assert not hasattr(mean_model, "mean")  # copies are fitted, not the user's own
    with pytest.raises(TypeError, match="fit and predict"):
        compare(type("Half", (), {"fit": None})(), *related)


def test_a_function_with_a_method_fit_is_a_function_where_both_are_given(related):
    def alone(x, y):
        return mean_alone(x, y)

    alone.fit = None
    found, wanted = (compare(one, truth_together, *related) for one in (alone, mean_alone))
    assert found.difference == wanted.difference


def test_estimators_of_scikit_learn_are_taken(related):
    linear_model = pytest.importorskip("sklearn.linear_model")
    found = compare(linear_model.RidgeCV(), *related)
    assert found.difference != 0
    assert found.standard_error > 0
