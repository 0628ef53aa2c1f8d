"""Learning curves of aligned students, at tiny sizes."""

import pytest

from mtlbook_lib.chapters.part2.generalization_curves import experiment


def test_integration_and_sums_agree_in_either_precision(monkeypatch):
    monkeypatch.setenv("MTLBOOK_DTYPE", "float32")
    integrated, exact = experiment.integrated_and_exact(n_times=2)
    assert integrated.shape == exact.shape == (3, 2, 1, 2, 2)
    assert integrated == pytest.approx(exact, rel=1e-9)
