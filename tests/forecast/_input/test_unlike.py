"""Columns in another unit or with other levels are named, and others hardly ever."""

import numpy as np
import pytest

from mtlbook_lib.forecast import JointClassifier, JointRegressor, recommend
from mtlbook_lib.forecast._input.unlike import notes_of, unlike

NAMES = ("celsius", "kg", "income", "sex = M", "sex = male")


def tables(seed, n=(40, 200)):
    """Temperatures, weights, incomes, and a category that both tables call alike."""
    rng = np.random.default_rng(seed)
    made = []
    for rows in n:
        numbers = 20 + 10 * rng.standard_normal(rows), 70 + 12 * rng.standard_normal(rows), rng.lognormal(size=rows)
        made.append(np.stack([*numbers, rng.integers(0, 2, rows), np.zeros(rows)], axis=1))
    return made


@pytest.mark.parametrize("n", [(20, 80), (40, 200), (200, 40)])
def test_units_and_levels_are_found_in_nearly_all_draws_and_where_there_are_none_in_hardly_any(n):
    found = []
    for seed in range(100):
        a, b = tables(seed, n)
        other = b.copy()
        other[:, 0], other[:, 1], other[:, 3:] = 32 + 1.8 * b[:, 0], b[:, 1] / 0.4536, b[:, [4, 3]]
        found.append([np.concatenate([unlike(a, rows)[0][:3], unlike(a, rows)[1][3:]]) for rows in (other, b)])
    other, same = np.mean(found, axis=0)
    assert other[[0, 1, 3, 4]].min() > 0.97
    assert same.max() < 0.08
    assert same[[0, 1, 3, 4]].max() < 0.03


def test_they_are_named_by_every_door():
    a, b = tables(0)
    y = [rows[:, 1] + rows[:, 0] for rows in (a, b)]
    b[:, 0] = 32 + 1.8 * b[:, 0]
    b[:, 3:] = b[:, [4, 3]]
    assert notes_of(a, b, NAMES, "A", "B") == (
        "celsius: B looks like another unit.",
        "sex = M, sex = male: A and B have few values in common.",
    )
    both, task = np.concatenate([a, b]), np.repeat(["few", "many"], [40, 200])
    labels = np.concatenate(y)
    regressor = JointRegressor(target="few").fit(both, labels, task)
    classifier = JointClassifier(target="few").fit(both, labels > np.median(labels), task)
    for model in (regressor, classifier):
        assert model.notes_[0] == "column 0: 'many' looks like another unit."
        assert model.summary().endswith("column 3, column 4: 'few' and 'many' have few values in common.")
    assert str(recommend(a, y[0], b, y[1])).endswith("column 3, column 4: A and B have few values in common.")
