"""Labels drawn by the largest logit: Laplacians and class probabilities."""

import numpy as np
import pytest
from scipy.stats import norm

from mtlbook_lib.theory.softmax import (
    label_laplacian,
    lowrank_class_probabilities,
    lowrank_label_laplacian,
)

PLANE = np.random.default_rng(1).normal(size=(7, 2))
SPACE = np.random.default_rng(2).normal(size=(10, 3))
FEW = np.random.default_rng(3).normal(size=(3, 3))
FACTORS = {"plane": PLANE, "space": SPACE, "few": FEW, "pair": SPACE[:2], "pair in the plane": PLANE[:2]}


@pytest.fixture(params=FACTORS, ids=list(FACTORS))
def factor(request):
    return FACTORS[request.param]


def test_scale_rotation_and_shift(factor):
    rotation = np.linalg.qr(np.random.default_rng(6).normal(size=(factor.shape[1],) * 2))[0]
    moved = 50.0 * (factor @ rotation + 3.0)
    assert 50.0 * lowrank_label_laplacian(moved) == pytest.approx(lowrank_label_laplacian(factor), abs=1e-11)
    assert lowrank_class_probabilities(moved) == pytest.approx(lowrank_class_probabilities(factor), abs=1e-11)


def test_classes_on_a_line_stay_on_it_in_every_unit():
    """The fourth lies between two others and never wins, the fifth beyond one of them, which then never does."""
    corners = np.array([[0.0, 0.0], [0.3, 0.7], [0.9, 0.1]])
    between, beyond = 0.63 * corners[0] + 0.37 * corners[1], -0.3 * corners[1] + 1.3 * corners[2]
    rows = np.vstack([corners, between, beyond])
    probability = lowrank_class_probabilities(rows)
    assert np.all(probability[[2, 3]] == 0)
    assert probability[[0, 1, 4]] == pytest.approx(lowrank_class_probabilities(rows[[0, 1, 4]]), abs=1e-12)
    few = lowrank_label_laplacian(rows[[0, 1, 4]])
    for unit in (1e-6, 1.0, 3.0, 1e6):
        assert lowrank_class_probabilities(unit * rows) == pytest.approx(probability, abs=1e-12)
        laplacian = unit * lowrank_label_laplacian(unit * rows)
        assert laplacian[np.ix_([0, 1, 4], [0, 1, 4])] == pytest.approx(few, abs=1e-11)


def test_regular_solids_have_equal_classes():
    cube = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    assert lowrank_class_probabilities(cube) == pytest.approx(np.full(8, 1 / 8), abs=1e-14)
    octahedron = np.vstack([np.eye(3), -np.eye(3)])
    assert lowrank_class_probabilities(octahedron) == pytest.approx(np.full(6, 1 / 6), abs=1e-14)
    # A cube's faces are ties of four classes: only edges separate two classes.
    edges = np.linalg.norm(cube[:, None] - cube, axis=2) == 2
    assert np.array_equal(lowrank_label_laplacian(cube) < -1e-12, edges)


def test_polygon_and_inner_class():
    angles = 2 * np.pi * np.arange(5) / 5
    polygon = np.vstack([np.stack([np.cos(angles), np.sin(angles)], axis=1), [[0.1, 0.2]]])
    assert lowrank_class_probabilities(polygon) == pytest.approx([0.2] * 5 + [0.0], abs=1e-14)
    laplacian = lowrank_label_laplacian(polygon)
    assert not np.any(laplacian[5])
    side = 2 * np.sin(np.pi / 5)
    assert laplacian[0, 1] == pytest.approx(-1 / (2 * np.sqrt(2 * np.pi) * side), rel=1e-13)


def test_rank_one_has_two_classes():
    """Logits along one line: E[y xᵀ] is (2 pi)^(-1/2) times the top class less the bottom one."""
    line = np.outer([0.3, 2.0, -1.0, 0.9], [0.6, 0.8])
    covariance = lowrank_label_laplacian(line) @ line
    expected = np.outer([0, 1, -1, 0], [0.6, 0.8]) / np.sqrt(2 * np.pi)
    assert covariance == pytest.approx(expected, abs=1e-14)
    assert lowrank_class_probabilities(line) == pytest.approx([0, 0.5, 0.5, 0], abs=1e-14)
    value, _ = label_laplacian(line @ line.T, np.random.default_rng(0))
    assert value == pytest.approx(lowrank_label_laplacian(line), abs=1e-12)


def test_three_classes_by_their_closed_form():
    """With three classes the third stays below with a probability of 1/2: its difference has mean 0."""
    cov = np.array([[2.0, 0.3, -0.1], [0.3, 1.0, 0.4], [-0.1, 0.4, 0.7]])
    value, error = label_laplacian(cov, np.random.default_rng(8))
    variance = cov[0, 0] + cov[1, 1] - 2 * cov[0, 1]
    assert value[0, 1] == pytest.approx(-norm.pdf(0) / np.sqrt(variance) / 2, abs=1e-13)
    assert np.all(error < 1e-13)
