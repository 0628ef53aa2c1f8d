"""Spectra agree with closed forms, keep the digits of small singular values, and stay on the device."""

import numpy as np
import pytest

from mtlbook_lib.simulation import spectra

RNG = np.random.default_rng(0)
SHAPES = [(3, 5), (5, 3), (4, 4), (1, 6), (2, 3, 4, 5), (7, 1, 1)]


def known_matrix(values, n_rows, n_columns):
    """A matrix with the given singular values."""
    u, v = (np.linalg.qr(RNG.standard_normal((n, len(values))))[0] for n in (n_rows, n_columns))
    return (u * values) @ v.T


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_order_and_reconstruction(shape):
    matrices = RNG.standard_normal(shape)
    spectrum = spectra.svd(matrices)
    k = min(shape[-2:])
    assert spectrum.left.shape == (*shape[:-1], k)
    assert spectrum.values.shape == (*shape[:-2], k)
    assert spectrum.right.shape == (*shape[:-2], shape[-1], k)
    rebuilt = (spectrum.left * spectrum.values[..., None, :]) @ spectrum.right.swapaxes(-1, -2)
    np.testing.assert_allclose(rebuilt, matrices, atol=1e-13)
    for vectors in (spectrum.left, spectrum.right):
        gram = vectors.swapaxes(-1, -2) @ vectors
        np.testing.assert_allclose(gram, np.broadcast_to(np.eye(k), gram.shape), atol=1e-13)
    assert np.all(np.diff(spectrum.values) <= 0)
    np.testing.assert_allclose(spectra.singular_values(matrices), spectrum.values, atol=1e-13)


def test_truncated_matrices_are_the_nearest_of_their_rank():
    matrices = RNG.standard_normal((3, 4, 6))
    spectrum = spectra.svd(matrices)
    for rank in range(5):
        near = spectrum.truncated(rank)
        assert np.linalg.matrix_rank(near).max() == rank
        left = ((matrices - near) ** 2).sum(axis=(-2, -1))
        assert left == pytest.approx((spectrum.values[:, rank:] ** 2).sum(axis=-1), abs=1e-12)
        assert near[1] == pytest.approx(spectra.svd(matrices[1]).truncated(rank), abs=1e-13)
    with pytest.raises(ValueError, match="rank must be at most the number of modes, 4; got 5"):
        spectrum.truncated(5)


def test_small_singular_values_keep_their_digits():
    """Roots of the eigenvalues of the Gram matrix would be wrong by 1e-8 here."""
    values = np.logspace(0, -15, 30)
    matrix = known_matrix(values, 30, 50)
    for measured in (spectra.singular_values(matrix), spectra.svd(matrix).values):
        assert np.abs(measured - values).max() < 1e-15
        assert np.abs(measured / values - 1)[values > 1e-8].max() < 1e-6


def test_top_mode_finds_a_planted_mode_and_its_overlaps():
    left, right = np.array([[0.6, 0.8, 0.0]]), np.array([[0.0, 1.0]])
    mode = spectra.top_mode(5.0 * left[..., None] * right[:, None, :], left, -right)
    assert mode.value == pytest.approx([5.0])
    assert mode.left_overlap == pytest.approx([1.0])
    assert mode.right_overlap == pytest.approx([1.0])
    tilted = spectra.top_mode(5.0 * left[..., None] * right[:, None, :], np.array([[1.0, 0.0, 0.0]]), right)
    assert tilted.left_overlap == pytest.approx([0.6])


@pytest.mark.parametrize("rows", [None, slice(2), slice(2, 6)])
def test_data_modes_give_the_error_of_any_student_made_of_them(rows):
    training = RNG.standard_normal((3, 2, 6, 5))
    teacher = RNG.standard_normal((3, 2, 6, 5))[..., rows or slice(None), :]
    modes, spectrum = spectra.data_modes(training, teacher, rows), spectra.svd(training)
    np.testing.assert_array_equal(modes.values, spectrum.values)
    x = RNG.uniform(0, 2, size=5)
    student = ((spectrum.left * x) @ spectrum.right.swapaxes(-1, -2))[..., rows or slice(None), :]
    error = ((student - teacher) ** 2).sum((-2, -1))
    terms = x**2 * modes.share - 2 * x * modes.captured
    np.testing.assert_allclose((teacher**2).sum((-2, -1)) + terms.sum(-1), error, rtol=1e-12)


@pytest.mark.parametrize(("shape", "count", "atol"), [((3, 12, 8), 2, 1e-9), ((5, 7), 5, 1e-8)])
def test_leading_modes_are_the_first_of_all_modes(shape, count, atol):
    """Also all of them, without leading axes, and with a teacher of all rows."""
    rng = np.random.default_rng(0)
    training, clean = rng.standard_normal(shape), rng.standard_normal((*shape[:-2], 5, shape[-1]))
    every, first = spectra.data_modes(training, clean, slice(5)), spectra.leading_data_modes(training, clean, count)
    for name in ("values", "share", "captured"):
        assert getattr(first, name) == pytest.approx(getattr(every, name)[..., :count], abs=atol)


def test_vanishing_singular_values_keep_unit_modes():
    """A square matrix may be singular to rounding: its least eigenvalue is then negative as often as positive."""
    factors = np.random.default_rng(1).standard_normal((2, 40, 12, 11))
    singular = 1e3 * factors[0] @ factors[1].mT
    modes = spectra.leading_data_modes(singular, singular[:, :7], 12)
    assert (modes.values[:, -1] < 1e-9 * modes.values[:, 0]).all()
    assert modes.share.max() <= 1 + 1e-12
    zero = spectra.leading_data_modes(np.diag([2.0, 0.0]), np.diag([2.0, 0.0])[:1], 2)
    assert zero.share.tolist() == [1.0, 0.0]


def test_relative_error_is_the_distance_of_the_map_over_the_energy():
    rng = np.random.default_rng(3)
    training, clean, x = rng.standard_normal((2, 7, 9)), rng.standard_normal((2, 3, 9)), rng.uniform(size=(2, 7))
    parts = spectra.svd(training)
    maps = (parts.left[:, :3] * x[:, None]) @ parts.right.swapaxes(-1, -2)
    written = ((maps - clean) ** 2).sum((-2, -1)) / (clean**2).sum((-2, -1))
    modes = spectra.data_modes(training, clean, slice(3))
    assert modes.relative_error(x) == pytest.approx(written)
    assert modes[1].relative_error(x[1]) == pytest.approx(written[1])
    left_out = 1 + modes[:, 2:5].added_distance(0.3) / (clean**2).sum((-2, -1))
    assert modes[:, 2:5].relative_error(0.3) == pytest.approx(left_out)
    with pytest.raises(ValueError, match="teacher must not be zero"):
        spectra.data_modes(training, 0 * clean, slice(3)).relative_error(x)
