"""The mean Jacobian's identities and closures, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.mean_jacobian import experiment
from mtlbook_lib.simulation import logits
from mtlbook_lib.theory.softmax import isotropic_gain


def test_both_sides_of_the_identities_agree():
    for identity in experiment.identities((1.0, 4.0), n_seeds=8, n_draws=4000):
        assert identity.measured.shape == identity.error.shape == (2, 5, 8)
        z = (identity.measured - identity.predicted) / identity.error
        assert np.abs(z).max() < 8
        assert z.std() < 2
        assert np.abs(identity.predicted).max() > 20 * identity.error.max()


def test_gains_are_those_of_the_integral():
    mean, error = experiment.gains((2, 20), np.array([0.5, 2.0]), n_seeds=8, n_draws=4000)
    exact = np.array([isotropic_gain([0.5, 2.0], k) for k in (2, 20)])
    assert np.all(np.abs(mean - exact) < 6 * error)


def test_components_follow_the_lines():
    norms = np.array([0.5, 3.0])
    lines = experiment.component_lines(norms)
    for name, values in experiment.components(norms, n_seeds=8, n_draws=4000).items():
        assert values.mean(axis=0) == pytest.approx(lines[name], abs=2e-3)
    assert lines["all"] == pytest.approx(0.9 * isotropic_gain(norms, 10))
    assert lines["alone"][0] > 0.09 > lines["all"][0]


def test_lone_component_peaks_at_the_norm_that_the_chapter_names():
    fine = np.linspace(1.4, 1.8, 41)
    lone = experiment.component_lines(fine)["alone"]
    assert fine[lone.argmax()] == pytest.approx(1.58, abs=0.011)
    assert lone.max() == pytest.approx(0.1075, abs=1e-4)


def test_traces_fall_and_directions_but_the_constant_are_seen():
    norms = np.array([0.5, 2.0, 8.0])
    assert np.all(np.diff(experiment.traces(norms, n_seeds=3, n_draws=3000)) < 0)
    second = experiment.second_eigenvalues(norms, n_seeds=3, n_draws=3000)
    assert second.shape == (3, 2, 3)
    assert np.all(second > 1e-3)


def test_closures_are_exact_without_correlations():
    """A teacher of rank ten without noise has independent logits of equal norm."""
    errors = experiment.closures([(20, 10, np.inf), (20, 1, np.inf)], 2.0, n_maps=2, n_draws=40_000)
    for name in ("diagonal", "vectors"):
        mean, _ = errors[name]
        assert mean[0] < 0.03
        assert mean[1] > 0.1
    assert errors["REM"][0][0] > 0.3


def test_equal_strengths_and_not_full_rank_keep_the_vectors():
    errors = experiment.spectrum_closures([[1.0] * 10, [10.0] + [1.0] * 9], 3.0)
    for name in ("diagonal", "vectors"):
        mean, _ = errors[name]
        assert mean[0] < 0.03
        assert mean[1] > 0.3


def test_closure_errors_do_not_depend_on_the_input_basis():
    w = np.random.default_rng(0).standard_normal((10, 12))
    q = np.linalg.qr(np.random.default_rng(1).standard_normal((12, 12)))[0]
    jacobians = logits.mean_jacobians([experiment.with_equal_logits(m) for m in (w, w @ q)], [0], 2000)[0]
    first, second = (experiment.closure_errors(m, j) for m, j in zip((w, w @ q), jacobians, strict=True))
    assert first == pytest.approx(second, rel=0.05)


def test_gain_of_isotropic_covariance():
    assert experiment.gain_of(4 * np.eye(6)) == pytest.approx(isotropic_gain(2.0, 6), rel=2e-3)


def test_rank_one_map_turns_to_its_extreme_classes():
    u = experiment.direction()
    assert u.sum() == pytest.approx(0, abs=1e-12)
    assert np.linalg.norm(u) == pytest.approx(1)
    images, labels = experiment.rank_one(u, np.array([0.1, 200.0]), n_seeds=4, n_draws=8000)
    exact = experiment.turned(u, np.array([0.1, 200.0]))
    assert images.mean(axis=0) == pytest.approx(exact, abs=0.02)
    assert exact[0] == pytest.approx(u, abs=1e-3)
    assert exact[1] == pytest.approx(np.eye(10)[-1] / np.sqrt(2) - np.eye(10)[0] / np.sqrt(2), abs=0.02)
    assert np.all(labels[:, 1:-1] == 0)
    assert labels[:, -1] == pytest.approx(np.full(4, 1 / np.sqrt(2 * np.pi)), abs=0.02)


def test_limit_cosines_are_those_of_unit_vectors():
    cosines = experiment.limit_cosines(500)
    assert np.all((cosines > 0) & (cosines <= 1))
    u = experiment.direction()
    assert cosines.mean() == pytest.approx(0.746, abs=0.015)
    assert (u.max() - u.min()) / np.sqrt(2) == pytest.approx(experiment.turned(u, np.array([1e4]))[0] @ u, abs=1e-3)


def test_null_directions_are_classes_that_never_win():
    null, never, inside = experiment.null_directions(n_maps=4)
    assert np.all(null - 1 == inside)
    assert np.all(never == inside)
