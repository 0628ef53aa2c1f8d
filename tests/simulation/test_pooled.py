"""Pooled least squares: the fit of stacked rows, and the best shared direction at its own ratio."""

import numpy as np
import pytest

from mtlbook_lib.simulation.pooled import pooled_models, weighted_ridge_models

RNG = np.random.default_rng(5)
XS = [RNG.standard_normal((n, 3)) for n in (8, 6)]
YS = [RNG.standard_normal(n) + x @ [1.0, 0.5, -1.0] for n, x in zip((8, 6), XS, strict=True)]
MOMENTS = [part for x, y in zip(XS, YS, strict=True) for part in (x.T @ x, x.T @ y)]


@pytest.mark.parametrize("ratio", [0.3, 1.0, -2.0])
def test_fit_is_that_of_stacked_rows(ratio):
    model, explained = pooled_models(*MOMENTS, ratio)
    rows, labels = np.vstack([XS[0] / ratio, XS[1]]), np.concatenate(YS)
    wanted, loss = np.linalg.lstsq(rows, labels)[:2]
    np.testing.assert_allclose(model, wanted)
    assert labels @ labels - explained == pytest.approx(loss[0])


@pytest.mark.parametrize("weight", [0.0, 0.1, 3.0])
def test_weighted_ridge_is_least_squares_with_rows_for_the_ridge(weight):
    rows = np.vstack([np.sqrt(weight) * XS[0], XS[1], np.sqrt(2.0) * np.eye(3)])
    labels = np.concatenate([np.sqrt(weight) * YS[0], YS[1], np.zeros(3)])
    found = weighted_ridge_models(*MOMENTS, [weight, 1.0], 2.0)
    np.testing.assert_allclose(found[0], np.linalg.lstsq(rows, labels)[0])
    assert found.shape == (2, 3)


@pytest.mark.parametrize(("ratio", "alone"), [(1e12, 1), (1e-50, 0), (1e-30, 0), (-1e-50, 0)])
def test_a_large_ratio_leaves_the_source_out_and_a_small_one_the_target(ratio, alone):
    model, _ = pooled_models(*MOMENTS, ratio)
    np.testing.assert_allclose(model / (1 if alone else ratio), np.linalg.lstsq(XS[alone], YS[alone])[0])
