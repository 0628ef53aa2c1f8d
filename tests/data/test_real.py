"""Real data keep their shape, whitening its statistics, splits their classes; shuffled labels are noise."""

import numpy as np
import pytest

from mtlbook_lib.data import real

RNG = np.random.default_rng(0)
# Correlated columns of very different units, one constant and one a multiple of another.
ROWS = RNG.standard_normal((60, 4)) @ RNG.standard_normal((4, 4)) * [1.0, 10.0, 1e-3, 1.0] + 5.0
ROWS = np.hstack([ROWS, np.full((60, 1), 0.1), 2 * ROWS[:, :1]])


@pytest.fixture(scope="module", params=[real.digits, real.breast_cancer], ids=["digits", "breast cancer"])
def task(request):
    return request.param()


def test_data_sets(task):
    n, d, k = {"digits": (1797, 64, 10), "breast cancer": (569, 30, 2)}[task.name]
    assert task.inputs.shape == (n, d)
    assert task.targets.shape == (n, k)
    assert np.array_equal(task.targets.argmax(axis=1), task.labels)
    assert np.array_equal(np.unique(task.targets), [0.0, 1.0])
    assert np.array_equal(task.targets.sum(axis=1), np.ones(n))


def test_split_is_disjoint_complete_and_stratified(task):
    train, test = real.split(task, 0.25, seed=3)
    both = np.vstack([np.hstack([part.inputs, part.targets, part.labels[:, None]]) for part in (train, test)])
    whole = np.hstack([task.inputs, task.targets, task.labels[:, None]])
    assert np.array_equal(both[np.lexsort(both.T)], whole[np.lexsort(whole.T)])
    counts = [np.bincount(part.labels) for part in (task, test)]
    assert np.abs(counts[1] - 0.25 * counts[0]).max() <= 0.5
    again, other = real.split(task, 0.25, seed=3)[1], real.split(task, 0.25, seed=4)[1]
    assert np.array_equal(again.inputs, test.inputs)
    assert not np.array_equal(other.inputs, test.inputs)


def test_standardised_columns_have_mean_0_and_variance_1_and_constant_ones_are_dropped():
    rows = real.standardise(ROWS)
    assert rows.shape == (60, 5)
    np.testing.assert_allclose(rows.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(rows.std(axis=0), 1.0, rtol=1e-12)
    np.testing.assert_allclose(rows[:, 0], rows[:, 4], atol=1e-12)


def test_whitened_rows_are_white_on_the_subspace_they_span():
    rows = real.whiten(real.standardise(ROWS))
    assert rows.shape == (60, 4)
    np.testing.assert_allclose(rows.T @ rows, 60 * np.eye(4), atol=1e-10)
    np.testing.assert_allclose(rows.mean(axis=0), 0.0, atol=1e-12)
    # Fewer rows than columns: n centred rows span n - 1 directions.
    few = real.whiten(RNG.standard_normal((5, 9)))
    np.testing.assert_allclose(few.T @ few, 5 * np.eye(4), atol=1e-12)


@pytest.mark.parametrize("fit", [real.standardiser, real.whitener])
def test_a_transform_fitted_on_training_rows_applies_to_others(fit):
    transform = fit(ROWS[:40])
    applied = transform.apply(ROWS)
    np.testing.assert_allclose(applied[:40], transform.apply(ROWS[:40]), atol=1e-10)
    # Affine: the mean of two rows goes to the mean of their images.
    np.testing.assert_allclose(transform.apply((ROWS[50] + ROWS[51]) / 2), (applied[50] + applied[51]) / 2, atol=1e-8)
    assert np.abs(applied[40:].mean(axis=0)).max() > 1e-3, "the statistics must be those of the training rows"
    assert transform.apply(np.stack([ROWS, ROWS])).shape == (2, *applied.shape)


def test_whitening_does_not_depend_on_the_sign_of_the_axes():
    rows = real.whitener(RNG.standard_normal((30, 3)))
    strongest = np.take_along_axis(rows.matrix, np.abs(rows.matrix).argmax(axis=0)[None], axis=0)
    assert np.all(strongest > 0)


def test_covariance_singular_values_are_scaled_canonical_correlations():
    """For a single target the canonical correlation is the multiple correlation of least squares."""
    x, y = RNG.standard_normal((50, 3)), RNG.standard_normal((50, 1))
    covariance = real.input_label_covariance(real.whiten(x), real.whiten(y))
    centred = x - x.mean(axis=0)
    residual = (y - y.mean()) - centred @ np.linalg.lstsq(centred, y - y.mean(), rcond=None)[0]
    correlation = np.sqrt(1 - np.sum(residual**2) / np.sum((y - y.mean()) ** 2))
    np.testing.assert_allclose(np.linalg.norm(covariance), np.sqrt(50 / 3) * correlation, rtol=1e-12)


def test_shuffled_labels_are_noise_of_variance_one_over_columns(task):
    inputs, targets = real.whiten(real.standardise(task.inputs)), real.whiten(task.targets)
    n, d = inputs.shape
    true = real.input_label_covariance(inputs, targets)
    shuffled = real.input_label_covariance(inputs, targets[real.row_permutations(n, range(200))])
    assert shuffled.shape == (200, *true.shape)
    size = (shuffled**2).mean(axis=(1, 2)) * d
    assert abs(size.mean() - n / (n - 1)) < 4 * size.std() / np.sqrt(200)
    means = shuffled.mean(axis=0) * np.sqrt(200 * d)
    assert np.abs(means).max() < 5
    assert np.linalg.norm(true, 2) > 2 * np.linalg.norm(shuffled, 2, axis=(1, 2)).max()


def test_rounding_does_not_decide_the_sign_of_an_axis():
    """Two classes of equal size have an axis whose two largest entries are equal up to a rounding error."""
    labels = np.repeat([0, 1, 2], [5, 5, 8])
    rows = np.eye(3)[labels]
    whitened = real.whiten(rows)
    for nudge in (1e-15, -1e-15):
        for entry in np.ndindex(3, 3):
            moved = rows.copy()
            moved[labels == entry[0], entry[1]] += nudge
            assert real.whiten(moved) == pytest.approx(whitened, abs=1e-9)


def test_symmetric_whitener_leaves_white_rows_alone_and_applies_to_others():
    rows = np.random.default_rng(0).standard_normal((50, 4)) @ np.diag([1.0, 2.0, 3.0, 4.0]) + 5.0
    transform = real.symmetric_whitener(rows)
    white = transform.apply(rows)
    np.testing.assert_allclose(white.T @ white / 50, np.eye(4), atol=1e-12)
    np.testing.assert_allclose(transform.matrix, transform.matrix.T, atol=1e-12)
    np.testing.assert_allclose(transform.apply(rows.mean(axis=0)), 0.0, atol=1e-12)
    np.testing.assert_allclose(real.symmetric_whitener(white).matrix, np.eye(4), atol=1e-10)


def nearly_dependent(share, n=60):
    """Three orthogonal, centred columns; the last has this share of the first one's standard deviation."""
    rows = np.random.default_rng(1).standard_normal((n, 3))
    basis = np.linalg.qr(rows - rows.mean(axis=0))[0]
    return basis * [1.0, 0.5, share]


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_the_whitener_drops_axes_by_their_share_of_the_strongest(scale):
    """Neither units nor the number of rows decide which axes count as degenerate."""
    for n in (6, 60, 600):
        kept = [real.whiten(scale * nearly_dependent(share, n), tolerance=1e-3).shape[1] for share in (2e-3, 5e-4)]
        assert kept == [3, 2]
    assert real.whiten(scale * nearly_dependent(1e-9)).shape[1] == 3
    assert real.whiten(scale * nearly_dependent(1e-11)).shape[1] == 2
    np.testing.assert_allclose(
        real.whiten(scale * nearly_dependent(0.1)), real.whiten(nearly_dependent(0.1)), atol=1e-10
    )


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_the_symmetric_whitener_refuses_columns_by_their_share_of_the_strongest(scale):
    for n in (6, 60, 600):
        good, bad = (scale * nearly_dependent(share, n) for share in (2e-3, 5e-4))
        white = real.symmetric_whitener(good, tolerance=1e-3).apply(good)
        np.testing.assert_allclose(white.T @ white / n, np.eye(3), atol=1e-8)
        with pytest.raises(ValueError, match="linearly independent"):
            real.symmetric_whitener(bad, tolerance=1e-3)
    assert real.symmetric_whitener(scale * nearly_dependent(1e-7)).matrix.shape == (3, 3)
    with pytest.raises(ValueError, match="linearly independent"):
        real.symmetric_whitener(scale * nearly_dependent(1e-9))
