"""The mean Jacobian's identities and closures, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.mean_jacobian import experiment
from mtlbook_lib.simulation import logits


def test_lone_component_peaks_at_the_norm_that_the_chapter_names():
    fine = np.linspace(1.4, 1.8, 41)
    lone = experiment.component_lines(fine)["alone"]
    assert fine[lone.argmax()] == pytest.approx(1.58, abs=0.011)
    assert lone.max() == pytest.approx(0.1075, abs=1e-4)


def test_closure_errors_do_not_depend_on_the_input_basis():
    w = np.random.default_rng(0).standard_normal((10, 12))
    q = np.linalg.qr(np.random.default_rng(1).standard_normal((12, 12)))[0]
    jacobians = logits.mean_jacobians([experiment.with_equal_logits(m) for m in (w, w @ q)], [0], 2000)[0]
    first, second = (experiment.closure_errors(m, j) for m, j in zip((w, w @ q), jacobians, strict=True))
    assert first == pytest.approx(second, rel=0.05)


def test_limit_cosines_are_those_of_unit_vectors():
    cosines = experiment.limit_cosines(500)
    assert np.all((cosines > 0) & (cosines <= 1))
    u = experiment.direction()
    assert cosines.mean() == pytest.approx(0.746, abs=0.015)
    assert (u.max() - u.min()) / np.sqrt(2) == pytest.approx(experiment.turned(u, np.array([1e4]))[0] @ u, abs=1e-3)
