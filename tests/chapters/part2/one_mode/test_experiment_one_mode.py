"""The experiments of the chapter on one mode, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.one_mode import experiment

TIMES = np.array([0.5, 1.0])


def test_identities_do_not_depend_on_the_precision_of_the_book(monkeypatch):
    double = experiment.deep_growth(TIMES, depths=(3,))[0]
    monkeypatch.setenv("MTLBOOK_DTYPE", "float32")
    assert experiment.off_diagonal(TIMES, depths=(2,), n_seeds=1) == pytest.approx(0, abs=1e-10)
    assert experiment.imbalance_drift(0.5, depths=(2, 3), n_seeds=2) == pytest.approx(0, abs=1e-9)
    single = experiment.deep_growth(TIMES, depths=(3,))[0]
    assert single.strength == pytest.approx(double.strength, rel=1e-12)
    assert single.depth == 3
