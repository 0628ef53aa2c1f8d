"""Relatedness of noisy teachers against canonical correlations of drawn ones."""

import numpy as np
import pytest

from mtlbook_lib.theory.classification import noisy_relatedness, relatedness, teacher_overlap


def drawn(snr_a, snr_b, r, k, d, n_draws):
    """Root mean square of the canonical correlations, one for each draw."""
    rng, found = np.random.default_rng([k, d]), []
    for _ in range(n_draws):
        v = np.linalg.qr(rng.standard_normal((d, 2 * k)))[0]
        right = v[:, :k], r * v[:, :k] + np.sqrt(1 - r**2) * v[:, k:]
        left = [np.linalg.qr(rng.standard_normal((k, k)))[0] for _ in range(2)]
        noisy = [
            s * u @ b.T + rng.standard_normal((k, d)) / np.sqrt(d)
            for s, u, b in zip((snr_a, snr_b), left, right, strict=True)
        ]
        bases = [np.linalg.qr(teacher.T)[0] for teacher in noisy]
        found.append(np.sqrt(np.mean(np.linalg.svd(relatedness(*bases), compute_uv=False) ** 2)))
    return np.array(found)


@pytest.mark.parametrize(("snr_a", "snr_b", "r"), [(1.0, 1.0, 1.0), (3.0, 1.0, 0.5), (0.3, 3.0, 1.0), (3.0, 3.0, 0.0)])
def test_canonical_correlations_of_wide_teachers(snr_a, snr_b, r):
    found = drawn(snr_a, snr_b, r, 5, 500, 100)
    error = found.std(ddof=1) / 10
    assert abs(found.mean() - noisy_relatedness(snr_a, snr_b, r, 5, 500)) < 4 * error + 0.01 * found.mean()


def test_the_error_falls_with_the_aspect_ratio():
    misses = [drawn(1.0, 1.0, 1.0, 5, d, 200).mean() / noisy_relatedness(1.0, 1.0, 1.0, 5, d) - 1 for d in (50, 500)]
    assert abs(misses[1]) < 0.3 * abs(misses[0])


def test_limits():
    assert noisy_relatedness(1e9, 1e9, 0.3, 5, 50) == pytest.approx(0.3)
    assert noisy_relatedness(1e9, 1e9, 0.0, 5, 50) == pytest.approx(0.0, abs=1e-8)
    assert noisy_relatedness(1e-9, 1.0, 1.0, 5, 50) == pytest.approx(np.sqrt(5 / 50))
    visible = teacher_overlap(2.0) * teacher_overlap(0.5)
    assert noisy_relatedness(2.0, 0.5, 1.0, 5, 10**9) == pytest.approx(visible, rel=1e-6)
    grid = noisy_relatedness(np.ones(3)[:, None], 1.0, [0.0, 1.0], 5, 50)
    assert grid.shape == (3, 2)
