"""Estimates from training data find the noise, the strengths and the similarity that made the data."""

import numpy as np
import pytest
from refusals import refused

from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.methods.task_estimate import estimate_task, least_squares, similarity, visible_modes, white_inputs

N, D, K = 400, 20, 3
RNG = np.random.default_rng(4)


def white(n, d, rng):
    rows = rng.standard_normal((n, d))
    q, _ = np.linalg.qr(rows - rows.mean(axis=0))
    return np.sqrt(n) * q


X = white(N, D, RNG)
MIX = np.array([[2.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.1, 0.2, 0.3]])
Y = X @ RNG.standard_normal((D, K)) + RNG.standard_normal((N, K)) @ MIX.T + 5.0
FIT = estimate_task(X, Y)


def test_residuals_have_unit_noise_and_are_orthogonal_to_the_inputs():
    np.testing.assert_allclose(FIT.residuals.T @ FIT.residuals / (N - D - 1), np.eye(K), atol=1e-10)
    np.testing.assert_allclose(X.T @ FIT.residuals, 0, atol=1e-8)


def test_data_are_least_squares_in_units_of_the_noise():
    direct = np.linalg.lstsq(X, Y - Y.mean(axis=0), rcond=None)[0].T
    np.testing.assert_allclose(FIT.data, np.sqrt(N / D) * FIT.noise_root @ direct, atol=1e-10)
    inverse = np.linalg.inv(FIT.noise_root)
    np.testing.assert_allclose(inverse @ inverse, MIX @ MIX.T, atol=0.5)


def test_label_energy_is_that_of_a_map_that_explains_everything():
    explained = np.square(FIT.data).sum()
    rest = (N - D - 1) * K / D
    assert FIT.label_energy == pytest.approx(explained + rest)


def test_leading_axes_are_tasks_of_their_own():
    together = estimate_task(X, np.stack([Y[:, :1], Y[:, 1:2], Y[:, 2:]]))
    for i in range(K):
        alone = estimate_task(X, Y[:, i : i + 1])
        for field in ("data", "noise_root", "residuals", "label_energy"):
            np.testing.assert_allclose(getattr(together, field)[i], getattr(alone, field), rtol=1e-10, atol=1e-12)


def test_units_of_the_labels_do_not_matter():
    other = estimate_task(X, Y @ np.diag([1.0, -3.0, 10.0]) + 7)
    np.testing.assert_allclose(np.linalg.norm(other.data), np.linalg.norm(FIT.data), rtol=1e-10)
    assert other.label_energy == pytest.approx(float(FIT.label_energy))


@pytest.mark.parametrize("shape", [(20, 80), (1, 40)])
def test_strengths_and_similarity_are_unbiased(shape):
    pair = related_teachers(*shape, [[3.0], [2.5]], pair_gram(0.7), range(60))
    found = []
    for seed in range(60):
        data = [task.training[seed, 0] for task in pair]
        found.append([*(visible_modes(part)[0][0] for part in data), abs(similarity(*data)[0, 0])])
    error = np.std(found, axis=0, ddof=1) / np.sqrt(60)
    assert np.abs(np.mean(found, axis=0) - [3.0, 2.5, 0.7]).max() < 4 * error.max()


def test_similarity_of_a_matrix_is_a_contraction():
    pair = related_teachers(10, 40, [[5.0, 4.0], [4.0, 3.0]], pair_gram(np.eye(2)[None], 2, 2), range(5))
    for seed in range(5):
        q = similarity(*(task.training[seed, 0] for task in pair))
        assert q.shape == (2, 2)
        assert np.linalg.norm(q, ord=2) <= 1 + 1e-12
        assert np.linalg.norm(q, ord=2) > 0.9


def test_pure_noise_shows_no_mode():
    noise = 0.5 * np.random.default_rng(0).standard_normal((10, 40)) / np.sqrt(40)
    strengths, right, overlaps = visible_modes(noise)
    assert strengths.shape == overlaps.shape == (0,)
    assert right.shape == (40, 0)
    assert similarity(noise, FIT.data @ np.eye(D, 40)).shape[0] == 0


def test_white_inputs_are_the_nearest_ones():
    rows = RNG.standard_normal((60, 5)) @ RNG.standard_normal((5, 5)) + 3.0
    centred, found = rows - rows.mean(axis=0), white_inputs(rows)
    np.testing.assert_allclose(found.T @ found / 60, np.eye(5), atol=1e-12)
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-12)
    # The nearest: the map from the centred rows is symmetric and positive.
    root = np.linalg.lstsq(centred, found, rcond=None)[0]
    np.testing.assert_allclose(root, root.T, atol=1e-10)
    assert np.linalg.eigvalsh(root).min() > 0
    np.testing.assert_allclose(white_inputs(found), found, atol=1e-10)
    with pytest.raises(ValueError, match="more rows than columns"):
        white_inputs(rows[:5])
    with pytest.raises(ValueError, match="linearly independent"):
        white_inputs(np.column_stack([rows, np.ones(60)]))


test_bad_arguments_are_refused = refused(
    estimate_task,
    {"inputs": X, "targets": Y},
    {
        "white and centred": [{"inputs": 2 * X}, {"inputs": np.column_stack([np.ones(N), X[:, 1:]])}],
        "more rows than columns": [{"inputs": X[:D], "targets": Y[:D]}],
        "one row per input": [{"targets": Y[:-1]}],
        "must vary": [{"targets": np.ones((N, 1))}],
        "fitted exactly": [{"targets": X[:, :1]}],
        "equally many columns": [lambda: similarity(FIT.data, 3 * np.eye(2, 5))],
    },
)


def test_the_map_of_other_rows_is_their_regression_in_the_units_of_these():
    rows, labels = RNG.standard_normal((300, D)) + 1.0, RNG.standard_normal((300, K))
    written = np.linalg.lstsq(np.column_stack([rows, np.ones(300)]), labels @ FIT.noise_root, rcond=None)[0][:D].T
    np.testing.assert_allclose(FIT.map_of(rows, labels), np.sqrt(N / D) * written, atol=1e-10)
    np.testing.assert_allclose(FIT.map_of(X, Y), FIT.data, atol=1e-10)
    with pytest.raises(ValueError, match=f"inputs and targets must have {D} and {K} columns"):
        FIT.map_of(rows, labels[:, :1])


def test_least_squares_of_several_tasks_are_those_of_each():
    rows, labels = RNG.standard_normal((30, 4)) + 2.0, RNG.standard_normal((2, 30, 3)) + 5.0
    found = least_squares(rows, labels)
    design = np.column_stack([rows, np.ones(30)])
    for task in range(2):
        np.testing.assert_allclose(found[task], np.linalg.lstsq(design, labels[task], rcond=None)[0][:4].T, atol=1e-10)
    with pytest.raises(ValueError, match="inputs must have linearly independent columns"):
        least_squares(rows[:4], labels[:, :4])
    with pytest.raises(ValueError, match=r"targets must have shape \(\.\.\., 30, k\)"):
        least_squares(rows, labels[:, :9])
