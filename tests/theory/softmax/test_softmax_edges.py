"""What the softmax functions do at the edges of what they accept: nearly equal, nearly collinear, huge, singular."""

import numpy as np
import pytest
from scipy.stats import norm, qmc

from mtlbook_lib.theory.softmax import (
    label_laplacian,
    lowrank_class_probabilities,
    lowrank_label_laplacian,
    mean_jacobian,
)
from mtlbook_lib.theory.softmax.covariances import normal_points


def seeded():
    return np.random.default_rng(3)


SIMPLEX = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])


@pytest.mark.parametrize("height", [1e-4, 3e-7, 1e-10])
def test_flat_triangle(height):
    """In the plane a class wins on its exterior angle; 1e-10 of the length is on the line, and never wins."""
    rows = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 2 * height]])
    exterior = 2 * np.arctan(2 * height) if height > 1e-9 else 0.0
    expected = np.array([np.pi - exterior / 2, np.pi - exterior / 2, exterior]) / (2 * np.pi)
    for scale in (1.0, 1e-100, 1e100):
        assert lowrank_class_probabilities(scale * rows) == pytest.approx(expected, rel=1e-7, abs=0)


@pytest.mark.parametrize("height", [1e-3, 2e-7, 0.0, -1e-3])
def test_class_over_the_middle_of_a_face(height):
    """It wins on a cone around the face's normal whose section is a triangle, of an area in proportion to height²."""
    rows = np.vstack([SIMPLEX, SIMPLEX[:3].mean(axis=0) * (1 + 3 * height)])
    side = np.linalg.norm(SIMPLEX[0] - SIMPLEX[1])
    # The three constraints (a_j - a_i)·ξ <= 0 of a height h bound the section by lines at h/r, r the circumradius.
    inradius = max(height, 0.0) * np.sqrt(3) / (side / np.sqrt(3))
    probability = lowrank_class_probabilities(rows)
    assert probability[4] == pytest.approx(3 * np.sqrt(3) * inradius**2 / (4 * np.pi), rel=5e-3, abs=0)
    assert np.array_equal(probability > 0, np.diag(lowrank_label_laplacian(rows)) > 1e-15)
    assert probability.sum() == pytest.approx(1.0, abs=1e-14)


def test_almost_equal_classes_are_told_apart():
    """Three classes tie in pairs with a chance of 1/2; below a ten-millionth of the distance they are the same."""
    rows = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2e-6]])
    density = 1 / (np.sqrt(2 * np.pi) * 2e-6)
    assert lowrank_label_laplacian(rows)[0, 2] == pytest.approx(-density / 2, rel=1e-12)
    value, error = label_laplacian(rows @ rows.T, seeded(), 4, 2)
    assert value[0, 2] == pytest.approx(-density / 2, rel=1e-3)
    assert error[0, 2] < 1e-9 * density
    rows[2, 1] = 0.9e-7
    with pytest.raises(ValueError, match=r"^factor must give different logits to all classes.*classes 0 and 2"):
        lowrank_label_laplacian(rows)


@pytest.mark.parametrize("function", [mean_jacobian, label_laplacian])
@pytest.mark.parametrize("size", [1.0, 1e6])
def test_rounding_of_a_covariance_is_forgiven(function, size):
    for bad, message in (([0, 1], "symmetric"), ([2, 2], "positive semidefinite")):
        cov = size * np.diag([1.0, 0.5, 0.0])
        cov[tuple(bad)] -= 0.9e-10 * size
        function(cov, seeded(), 2, 2)
        cov[tuple(bad)] -= 0.3e-10 * size
        with pytest.raises(ValueError, match=f"^cov must be {message}"):
            function(cov, seeded(), 2, 2)


@pytest.mark.parametrize("function", [mean_jacobian, label_laplacian])
def test_error_is_that_of_the_mean_of_the_replicates(function):
    """Two values are their mean plus and minus its error; the third one follows from the mean of three."""
    cov = np.diag([1.0, 4.0, 9.0, 2.0])
    (two, error), (three, expected) = (function(cov, seeded(), 5, replicates) for replicates in (2, 3))
    values = [two - error, two + error, 3 * three - 2 * two]
    assert expected == pytest.approx(np.std(values, axis=0, ddof=1) / np.sqrt(3), rel=1e-7, abs=1e-15)


def test_a_point_on_the_edge_of_the_cube_is_finite(monkeypatch):
    """Without scrambling the first Sobol point is 0; half the distance to the next possible one stands for it."""
    monkeypatch.setattr(
        qmc, "Sobol", lambda dimension, scramble, seed, sobol=qmc.Sobol: sobol(dimension, scramble=False)
    )
    points = normal_points(3, seeded(), 2)
    assert points[0] == pytest.approx(np.full(3, norm.ppf(2.0**-31)), rel=1e-12)
    assert points[1] == pytest.approx(np.zeros(3), abs=1e-15)
    assert points.shape == (4, 3)
