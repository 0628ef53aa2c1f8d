"""Pairs of ReLU teachers: what they share, how their units are turned, and their labels."""

import numpy as np
import pytest

from mtlbook_lib.data.two_tasks.relu_teachers import relu_teachers

SEEDS = range(30)


def test_shared_correlated_and_new_units_in_this_order():
    aux, main = relu_teachers(8, 6, 5, 2, 2, 0.9, SEEDS)
    assert aux.units.shape == (30, 6, 8)
    assert main.units.shape == (30, 5, 8)
    cosines = (main.units[:, :4] * aux.units[:, :4]).sum(axis=-1)
    assert cosines[:, :2] == pytest.approx(np.ones((30, 2)))
    assert cosines[:, 2:] == pytest.approx(np.full((30, 2), 0.9))
    new = main.units[:, 4:] @ aux.units.swapaxes(-1, -2)
    assert np.abs(new).max() < 0.99
    assert np.sqrt((new**2).mean()) == pytest.approx(8**-0.5, abs=0.08)


def test_labels_are_sums_over_units():
    _, main = relu_teachers(4, 3, 3, 1, 1, 0.5, [0, 5])
    x = np.random.default_rng(0).standard_normal((2, 7, 4))
    for i in range(2):
        pairs = list(zip(main.signs[i], main.units[i], strict=True))
        assert main.labels(x)[i] == pytest.approx([sum(a * max(u @ row, 0) for a, u in pairs) for row in x[i]])
    with pytest.raises(ValueError, match="inputs"):
        main.labels(x[:1])
