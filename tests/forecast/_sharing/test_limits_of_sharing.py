"""On which side of its limits a recommendation is."""

from dataclasses import replace

import numpy as np
import pytest

from mtlbook_lib.forecast import recommend
from mtlbook_lib.forecast._sharing import recommendation
from mtlbook_lib.forecast.policy import APART, shares


@pytest.mark.parametrize(("n_rows", "draws"), [(300, 50), (301, 20)])
def test_large_tables_are_drawn_less_often(n_rows, draws, monkeypatch):
    asked, drawn = [], ({"likely helps": 1.0}, (0.0, 0.1))
    monkeypatch.setattr(recommendation, "_drawn_again", lambda found, n, rng: asked.append(n) or drawn)
    rng = np.random.default_rng(0)
    recommend(*(rng.standard_normal(size) for size in ((20, 5), 20, (n_rows, 5), n_rows)))
    assert asked == [draws]


def test_what_is_expected_to_gain_nothing_is_not_shared():
    assert [shares(gain, 0.01) for gain in (-0.01, 0.0, 0.01)] == [False, False, True]
    way = next(iter(APART))
    assert [shares(gain, 0.01, way) for gain in (-0.011, -0.01, -0.009)] == [False, False, True]


@pytest.mark.parametrize(("n_a", "said"), [(39, "Caution: A has 39 rows; below 40, "), (40, "")])
def test_few_rows_of_the_target_are_a_caution(n_a, said):
    rng = np.random.default_rng(4)
    x_a, x_b, slopes = rng.standard_normal((n_a, 4)), rng.standard_normal((80, 4)), rng.standard_normal(4)
    told = recommend(x_a, x_a @ slopes + rng.standard_normal(n_a), x_b, x_b @ slopes + rng.standard_normal(80), draws=2)
    assert told.verdict == "likely helps"
    assert told.caution.startswith(said)
    assert bool(told.caution) == bool(said) == ("Caution" in str(told))
    assert told.to_dict()["caution"] == told.caution
    assert replace(told, verdict="cannot tell").caution == ""
