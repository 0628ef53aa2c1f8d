"""Maps of the digit tasks: shapes, made-up labels, what the pool takes, and estimates of known teachers."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.real_tasks import experiment
from mtlbook_lib.statistics import mean_and_error


@pytest.fixture(scope="module")
def sets():
    return experiment.digit_maps(90, 120, n_splits=3)


def test_taught_labels_have_the_held_out_map_behind_them():
    """Averaged over splits, the data of linear teachers are their maps, with noise of unit energy."""
    sets = experiment.teacher_maps(150, 150, n_splits=25)
    mean, error = mean_and_error(experiment.noise_energy(sets["A"]))
    assert abs(mean - 1) < 4 * error + 0.02
    gap, spread = mean_and_error((sets["A"].data - sets["A"].new).mean(axis=(1, 2, 3)))
    assert abs(gap) < 4 * spread
    size, error = mean_and_error(((sets["A"].data - sets["A"].new) ** 2).mean(axis=(1, 2, 3)) * 40)
    assert abs(size - 1) < 4 * error + 0.02


def test_flips_of_one_half_leave_no_strength():
    whole, half = (experiment.flipped_maps(share, n_splits=2) for share in (0.0, 0.5))
    np.testing.assert_array_equal(whole["A"].data, half["A"].data)
    assert (whole["B"].data ** 2).sum() / 40 > 3 * (half["B"].data ** 2).sum() / 40
    turned = experiment.flipped_maps(1.0, n_splits=2)
    np.testing.assert_allclose(turned["B"].data, -whole["B"].data, atol=1e-10)


def test_inner_products_and_cosines_are_those_of_the_rows(sets):
    a, b = sets["A"], sets["B"]
    assert experiment.inner(a, b)[1, 2, 5] == pytest.approx(a.data[1, 2, 0] @ b.data[1, 5, 0])
    estimated, held_out = experiment.cosines(a, b)
    w_a, w_b = a.new[1, 2, 0], b.new[1, 5, 0]
    assert held_out[1, 2, 5] == pytest.approx(w_a @ w_b / np.linalg.norm(w_a) / np.linalg.norm(w_b))
    assert np.abs(estimated).max() <= 1
    assert np.median(np.diagonal(held_out, axis1=1, axis2=2)) > 0.8


def test_residuals_correlate_with_themselves(sets):
    rho = experiment.residual_correlation(sets["A"])
    np.testing.assert_allclose(np.diagonal(rho, axis1=1, axis2=2), 1.0)
    assert np.abs(rho).max() <= 1 + 1e-12


def test_drawing_from_one_pool_lowers_the_inner_product_of_a_task_with_itself():
    """The mean gap of twenty tasks is the one that the pool explains, and is not zero."""
    mean, _, pool = experiment.inner_gaps(sets := experiment.digit_maps(400, 400, n_splits=25))
    assert pool.shape == mean.shape == (2, 2, 20)
    assert np.all(pool[1] == 0)
    np.testing.assert_allclose(pool[0, 0], -400 / 997)
    gaps = experiment.inner(sets["A"], sets["B"]) - experiment.inner(sets["A"], sets["B"], "new")
    gap, error = mean_and_error(experiment.same_pairs(gaps).mean(axis=1))
    assert gap == pytest.approx(mean[0, 0].mean())
    assert experiment.different_pairs(gaps).mean() == pytest.approx(mean[0, 1].mean())
    assert abs(gap + 400 / 997) < 4 * error
    assert gap < -4 * error


def test_similarity_of_whitened_twins():
    assert experiment.same_task_cosine(10**6, 10**6) == pytest.approx(1 - 40 / 4e6, rel=1e-6)
    assert experiment.same_task_cosine(100, 400) == experiment.same_task_cosine(400, 100)
    # Mean singular value of explicit noise of the aspect d/n.
    noise = np.random.default_rng(0).standard_normal((20, 40, 100)) / 10
    roots = np.linalg.svd(noise, compute_uv=False).mean()
    assert experiment.same_task_cosine(100, 100) == pytest.approx(roots**2, rel=0.01)
