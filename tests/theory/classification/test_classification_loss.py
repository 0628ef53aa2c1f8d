"""Generalisation loss on isotropic logits: its least value, the scale at which it is reached, label agreement."""

import pytest
from scipy.optimize import minimize_scalar

from mtlbook_lib.theory.classification import (
    generalization_loss,
    label_agreement,
    optimal_loss,
    optimal_scale,
)
from mtlbook_lib.theory.softmax import expected_maximum, isotropic_gain, isotropic_log_partition


def test_loss_is_log_partition_less_alignment():
    for scale, overlap in ((0.0, 0.3), (0.7, -1.0), (4.0, 0.2), (70.0, 1.0)):
        expected = isotropic_log_partition(scale, 10) - scale * overlap * expected_maximum(10)
        assert generalization_loss(scale, overlap, 10) == pytest.approx(expected, rel=1e-11, abs=1e-13)


@pytest.mark.parametrize("k", [2, 10, 1000])
@pytest.mark.parametrize("overlap", [0.05, 0.4, 0.6, 0.95, 0.999])
def test_optimum_by_direct_minimisation(overlap, k):
    found = minimize_scalar(
        lambda c: generalization_loss(c, overlap, k), bounds=(0, 60), method="bounded", options={"xatol": 1e-8}
    )
    assert optimal_loss(overlap, k) == pytest.approx(found.fun, rel=1e-12)
    assert optimal_scale(overlap, k) == pytest.approx(found.x, rel=1e-5)


@pytest.mark.parametrize("overlap", [1e-9, 0.3, 0.4999, 0.5, 0.9, 0.9999])
def test_scale_solves_its_equation(overlap):
    scale = optimal_scale(overlap, 10)
    assert 9 * scale * isotropic_gain(scale, 10) == pytest.approx(overlap * expected_maximum(10), rel=1e-12, abs=0)


@pytest.mark.parametrize("k", [2, 3, 10, 1000, 10**6])
def test_agreement_of_nearly_equal_labels(k):
    # Two labels differ where the logits' order does: the chance is sqrt(2 (1 - rho)) times a constant, for any k.
    near = [1 - label_agreement(1 - gap, k) for gap in (4e-10, 1e-10)]
    assert near[0] / near[1] == pytest.approx(2.0, rel=1e-4)
    assert label_agreement([0.999999999, 1.0], k) == pytest.approx([1.0, 1.0], abs=1e-3)
    assert label_agreement(-1.0, k) == 0.0
