"""The ridge of several tasks against its own definition, and against fits without the row."""

import numpy as np
import pytest
from scipy.optimize import minimize

from mtlbook_lib.methods.shared_ridge import shared_ridge


def drawn():
    """22 rows of one task and 31 of another, whose coefficients are alike."""
    rng = np.random.default_rng(3)
    x = np.vstack([rng.standard_normal((22, 4)), 1.5 * rng.standard_normal((31, 4)) + 0.3])
    task = np.repeat([0, 1], [22, 31])
    slopes = np.array([[2.0, -1.0, 0.6, 0.0], [1.0, -0.5, 0.3, 0.4]])
    return x, 3 * (task == 0) + (x * slopes[task]).sum(axis=1) + 3.0 * rng.standard_normal(53), task


@pytest.mark.parametrize("own", [0.0, 0.4])
def test_ridge_is_the_minimum_of_what_its_docstring_says(own):
    x, y, task = drawn()
    model = shared_ridge(x, y, task, own)
    parts, spread = [task == place for place in (0, 1)], x.std(axis=0)
    aims = [y[part] / y[part].std() for part in parts]

    def loss(free):
        shared, *rest = free[:4], free[4:8], free[8:12]
        slopes = [shared + (part if own else 0) for part in rest]
        errors = [aim - b - x[part] / spread @ slope
                  for aim, b, part, slope in zip(aims, free[12:], parts, slopes, strict=True)]  # fmt: skip
        size = shared @ shared + (sum(part @ part for part in rest) / own if own else 0)
        return sum(error @ error for error in errors) + model.penalty * size

    best = minimize(loss, np.zeros(14), method="BFGS", options={"gtol": 1e-9}).x
    for place, part in enumerate(parts):
        slope = best[:4] + (best[4 + 4 * place : 8 + 4 * place] if own else 0)
        np.testing.assert_allclose(model.slopes[place], slope / spread * y[part].std(), atol=2e-5)
        assert model.intercepts[place] == pytest.approx(best[12 + place] * y[part].std(), abs=2e-5)


def test_penalty_is_that_of_least_error_on_rows_left_out():
    """One task, all rows but one at a time: the closed form agrees with fitting again, centred on the kept rows."""
    x, y, task = drawn()
    x, y = x[task == 0], y[task == 0]
    model = shared_ridge(x, y)
    errors = {}
    for factor in (0.2, 1.0, 5.0):
        z, aim = (x - x.mean(axis=0)) / x.std(axis=0), (y - y.mean()) / y.std()
        found = []
        for row in range(len(y)):
            kept = np.arange(len(y)) != row
            mean, level = z[kept].mean(axis=0), aim[kept].mean()
            gram = (z[kept] - mean).T @ (z[kept] - mean) + factor * model.penalty * np.eye(4)
            slope = np.linalg.solve(gram, (z[kept] - mean).T @ (aim[kept] - level))
            found.append((aim[row] - level - (z[row] - mean) @ slope) ** 2)
        errors[factor] = np.mean(found)
    assert min(errors, key=errors.get) == 1.0


@pytest.mark.parametrize("own", [0.0, 0.3])
def test_left_out_errors_are_those_of_fits_without_the_row(own):
    x, y, task = drawn()
    x = x / x.std(axis=0)
    for place in (0, 1):  # labels in common units, so that leaving a row out does not change them
        y[task == place] /= y[task == place].std()
    model = shared_ridge(x, y, task, own)
    indicators = np.eye(2)[task]
    own_columns = [np.sqrt(own) * indicators[:, [t]] * x for t in (0, 1)] if own else []
    design = np.hstack([x, *own_columns, indicators])
    penalty = np.diag([model.penalty] * (design.shape[1] - 2) + [0.0] * 2)
    for row in range(0, 53, 9):
        kept = np.arange(53) != row
        slopes = np.linalg.solve(design[kept].T @ design[kept] + penalty, design[kept].T @ y[kept])
        assert model.left_out[row] == pytest.approx(y[row] - design[row] @ slopes, rel=1e-7)


def test_predictions_are_those_of_the_coefficients_and_the_best_share_is_taken():
    x, y, task = drawn()
    model = shared_ridge(x, y, task)
    assert model.own in (0.0, 0.1, 0.3, 1.0)
    assert model.error == min(shared_ridge(x, y, task, own).error for own in (0.0, 0.1, 0.3, 1.0))
    np.testing.assert_allclose(model.predict(x[:3], 1), x[:3] @ model.slopes[1] + model.intercepts[1])


def test_a_constant_column_drops_out():
    x, y, task = drawn()
    wider = np.column_stack([x, np.full(53, 0.1)])
    model = shared_ridge(wider, y, task)
    np.testing.assert_allclose(model.slopes[:, :4], shared_ridge(x, y, task).slopes)
    assert np.array_equal(model.slopes[:, 4], [0, 0])


@pytest.mark.parametrize("task", [[0] * 52, [0.0] * 53, [1] * 53, [-1] + [0] * 52, [0, 2] * 26 + [0]])
def test_tasks_are_whole_numbers_from_zero_on(task):
    x, y, _ = drawn()
    with pytest.raises(ValueError, match="task must have a whole number"):
        shared_ridge(x, y, task)
