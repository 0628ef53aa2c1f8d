"""The figures of the chapter on real tasks, on tiny inputs."""

from types import SimpleNamespace

import numpy as np

from mtlbook_lib.chapters.part3.real_tasks import figures as plots


def test_partners_that_tie_are_told_alike():
    """Rounding chose which of two to name."""
    tied = np.zeros((2, 3, 3))
    alts = set()
    for rounding in (1e-17, -1e-17):
        tied[:, 0, 1] = rounding
        alts.add(plots.partner_frames("abc", np.eye(3), SimpleNamespace(predicted=tied, measured=tied))[1]("a"))
    assert len({alt.replace("-0.0", "0.0") for alt in alts}) == 1
