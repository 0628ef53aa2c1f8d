"""Hard sharing solved, at tiny sizes."""

import pytest

from mtlbook_lib.chapters.part5.sharing_solved import experiment


def test_problems_in_other_axes_are_always_the_same_ones(monkeypatch):
    monkeypatch.setenv("MTLBOOK_PROFILE", "quick")
    own = experiment.trained(2, "rotated")
    monkeypatch.setenv("MTLBOOK_SEEDS", "1")
    assert experiment.in_other_axes().fits.loss == pytest.approx(own.fits.loss)
    assert experiment.trained(2, "rotated").fits.loss != pytest.approx(own.fits.loss)
