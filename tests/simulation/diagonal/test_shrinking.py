"""The least weights with given coefficients: same coefficients, no smaller norm nearby, and balance."""

import numpy as np
import pytest
from _diagonal_tasks import random_start

from mtlbook_lib.simulation.diagonal import shrunk, start_from

START = random_start(2, shape=(2, 1), dim=3)


def test_coefficients_stay_and_the_norm_shrinks():
    found = shrunk(START)
    assert found.beta == pytest.approx(START.beta, rel=1e-9, abs=1e-12)
    assert np.all(found.squared_norm < START.squared_norm - 0.01)
    again = shrunk(found)
    assert again.squared_norm == pytest.approx(found.squared_norm, rel=1e-9)


def test_the_least_weights_are_balanced():
    """Scaling a first layer by 1 + h and its readouts by 1/(1 + h) keeps the coefficients: no gain at first order."""
    found = shrunk(START)
    first = found.u_plus**2 + found.u_minus**2
    assert first == pytest.approx((found.v_plus**2 + found.v_minus**2).sum(axis=2), rel=1e-5)
    # One task: twice the absolute coefficient, the smallest value of u² + v² at given uv.
    one = random_start(1, shape=(1, 1), dim=4)
    assert shrunk(one).squared_norm == pytest.approx(2 * np.abs(one.beta).sum(axis=(2, 3)), rel=1e-9)


def test_a_search_that_does_not_end(monkeypatch):
    """Also where some inputs have no weights at all, at which nothing moves."""
    monkeypatch.setattr("mtlbook_lib.simulation.diagonal.shrinking._FLAT", 5.0)
    unused = start_from(*(np.concatenate([part, 0 * part], axis=-1)
                          for part in (START.u_plus, START.u_minus, START.v_plus, START.v_minus)))  # fmt: skip
    for start in (START, unused):
        with pytest.raises(RuntimeError, match="did not end"):
            shrunk(start)
