"""Thresholds against projections of Gaussian vectors on the cones, known values, and each other."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from mtlbook_lib.theory import learning_curves

Z = np.linspace(-10, 10, 20001)
MASS = np.exp(-(Z**2) / 2) / np.sqrt(2 * np.pi) * (Z[1] - Z[0])


def dimension(classes):
    """Least mean squared distance of a normal number from t times its interval of subgradients, as a dense sum."""

    def total(t):
        distances = [(np.maximum(t * low - Z, 0) + np.maximum(Z - t * high, 0)) ** 2 for _, low, high in classes]
        return sum(fraction * (MASS @ distance) for (fraction, _, _), distance in zip(classes, distances, strict=True))

    return minimize_scalar(total, bounds=(0, 6), method="bounded", options={"xatol": 1e-9}).fun


@pytest.mark.parametrize("scale", [0.01, 1.0, 1.85])
def test_thresholds_of_dense_and_of_very_sparse_tasks(scale):
    """Fractions that are large, whose best t is below 1, and so small that it is beyond 2."""
    new, same, wrong, unused = scale * 0.2, scale * 0.13, scale * 0.05, scale * 0.1
    expected = dimension([(same, 0, 0), (wrong, -2, -2), (unused, -2, 0), (new, 1, 1), (1 - scale * 0.48, -1, 1)])
    assert learning_curves.retained_threshold(same, wrong, unused, new) == pytest.approx(expected, rel=1e-8)
    expected = dimension([(same, 0, 0), (2 * new, 1, 1), (1 - same - 2 * new, -1, 1)])
    assert learning_curves.finetuning_threshold(same, 2 * new) == pytest.approx(expected, rel=1e-8)
    expected = dimension([(2 * new, 1, 1), (1 - 2 * new, -1, 1)])
    assert learning_curves.l1_threshold(2 * new) == pytest.approx(expected, rel=1e-8)
    slope = 3 / np.hypot(3, 1)
    expected = dimension([(same, slope, slope), (wrong, 0, 0), (new, 1, 1), (1 - same - wrong - new, -1, 1)])
    assert learning_curves.group_threshold(same, wrong, new, 3.0) == pytest.approx(expected, rel=1e-8)


def test_fractions_may_fill_everything_up_to_rounding():
    assert learning_curves.finetuning_threshold(0.7, 0.3 + 1e-13) == pytest.approx(1.0, rel=1e-12)
    assert learning_curves.group_threshold(0.2, 0.3, 0.5 + 1e-13, 1e-9) == pytest.approx(1.0, rel=1e-12)
    assert learning_curves.retained_threshold(0.25, 0.25, 0.0, 0.5 + 1e-13) == pytest.approx(1.0, rel=1e-12)
    assert learning_curves.retained_threshold(0.25, 0.0, 0.75, 0.0) == pytest.approx(0.625, rel=1e-12)
    with pytest.raises(ValueError, match=r"sum is at most 1; got 1\.?"):
        learning_curves.finetuning_threshold(0.7, 0.3 + 1e-9)


def test_classes_by_hand():
    weights, truth, beta_aux = learning_curves.overlap_classes(40, 12, 9, 5)
    np.testing.assert_allclose(weights, np.array([2.5, 2.5, 7, 4, 24]) / 40, rtol=1e-15)
    np.testing.assert_array_equal(truth, [1, -1, 0, 1, 0])
    np.testing.assert_array_equal(beta_aux, [1, 1, 1, 0, 0])


def test_classes_may_be_empty_and_full():
    for k_aux, k_main, overlap in ((0, 3, 0), (3, 0, 0), (3, 3, 3), (5, 3, 3), (3, 5, 3), (4, 6, 0), (0, 0, 0)):
        weights, _, _ = learning_curves.overlap_classes(10, k_aux, k_main, overlap)
        assert weights.sum() == pytest.approx(1, abs=1e-15)
        assert weights.min() >= 0
    for k_aux, k_main in ((5, 9), (9, 5)):
        with pytest.raises(ValueError, match="overlap must be at most k_aux and k_main"):
            learning_curves.overlap_classes(100, k_aux, k_main, 6)
    with pytest.raises(ValueError, match="dim must be at least k_aux"):
        learning_curves.overlap_classes(10, 6, 6, 1)
