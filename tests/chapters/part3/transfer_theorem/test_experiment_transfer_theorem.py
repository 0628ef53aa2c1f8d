"""The transfer theorem, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.transfer_theorem import experiment
from mtlbook_lib.theory.linear_dynamics import mode_strength
from mtlbook_lib.theory.transfer import composite_modes

FIRST = "3 with 3, q = 0.5"


def test_curves_are_those_of_the_explicit_maps():
    a, b = experiment.draw(FIRST, 20, 2)
    found, rows, step = experiment.curves((a, b)), 10, 60
    for i in range(2):
        clean, data = a.clean[i, 0], np.concatenate([a.training[i, 0], b.training[i, 0]])
        for matrix, curve in ((data, found.joint), (data[:rows], found.alone)):
            u, s, v = np.linalg.svd(matrix, full_matrices=False)
            student = u * mode_strength(experiment.TIMES[step], s, experiment.EPS) @ v
            error = ((student[:rows] - clean) ** 2).sum() / (clean**2).sum()
            assert curve[i, step] == pytest.approx(error)


def test_a_turned_pair_keeps_what_the_theorem_names():
    pair = experiment.draw("4, 2 with 3", 20, 3)
    moved = experiment.turned(pair, with_noise=False)
    for one, other in zip(pair, moved, strict=True):
        before, after = (np.linalg.svd(each.clean, compute_uv=False) for each in (one, other))
        assert after == pytest.approx(before, abs=1e-9)
        assert other.noise is one.noise
    overlaps = [np.linalg.norm(a.clean @ b.clean.swapaxes(-1, -2), axis=(-2, -1)) for a, b in (pair, moved)]
    assert overlaps[1] == pytest.approx(overlaps[0])


def test_other_noise_has_the_same_variance():
    pair = experiment.draw(FIRST, 100, 4)
    for task in experiment.with_noise(pair, experiment.random_signs):
        assert np.unique(task.noise) == pytest.approx([-0.1, 0.1])
    heavy = experiment.student_t(np.random.default_rng(0), (200000,))
    assert np.quantile(heavy, 0.75) == pytest.approx(0.7649 / np.sqrt(3), rel=0.02)


def test_modes_in_the_plane():
    inputs, strengths, modes = experiment.in_plane(0.6, 1.4, 0.6)
    assert inputs.T @ inputs == pytest.approx((modes.T * strengths**2) @ modes)
    assert strengths == pytest.approx(composite_modes([0.6, 1.4], [[1, 0.6], [0.6, 1]])[0])
    assert np.all(modes @ [0.7, 1.0] > 0)
    assert np.all(experiment.in_plane(0.5, 3.0, 0.5)[2] @ [0.7, 1.0] > 0)  # the stronger one far from the first


def test_terms_of_a_projected_error_add_up():
    rng = np.random.default_rng(3)
    student, target = rng.standard_normal((6, 8)), rng.standard_normal((6, 2)) @ rng.standard_normal((2, 8))
    parts = experiment.projected_terms(student, target, 4)
    assert parts.squares.shape == parts.lengths.shape == (2,)
    total = parts.squares @ parts.lengths
    assert (parts.own + total - 2 * parts.products) / total == pytest.approx(parts.direct)
