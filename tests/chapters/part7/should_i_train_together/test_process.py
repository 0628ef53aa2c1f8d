"""The rival that decides for one correlation, by one covariance of all labels, written out."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from mtlbook_lib.chapters.part7.should_i_train_together.joint_model.process import (
    CORRELATIONS,
    NOISES,
    kernel,
    process,
)


def single(gram, y):
    """Noise and scale of highest evidence."""
    fits = []
    for noise in NOISES:
        cov = gram + 1 + noise * np.eye(len(y))
        scale = y @ np.linalg.solve(cov, y) / len(y)
        fits.append((multivariate_normal.logpdf(y, cov=scale * cov), noise, scale))
    return max(fits)[1:]


@pytest.mark.parametrize("likeness", [1.0, -0.8])
def test_it_is_the_conditional_mean_at_the_correlation_of_most_evidence(likeness):
    rng = np.random.default_rng(3)
    x_a, x_b, new, u = (rng.standard_normal(shape) for shape in ((22, 4), (31, 4), (6, 4), 4))
    y_a, y_b = 3 + 2 * x_a @ u + rng.standard_normal(22), likeness * x_b @ u + rng.standard_normal(31)
    rows, labels = np.concatenate([x_a, x_b]), [(y - y.mean()) / y.std() for y in (y_a, y_b)]
    gram, own = kernel(rows, rows, rows), np.arange(53) < 22
    fits = [single(gram[np.ix_(of, of)], y) for of, y in zip((own, ~own), labels, strict=True)]
    noise, scale = (np.where(own, *pair) for pair in zip(*fits, strict=True))
    same = own[:, None] == own

    def covariance(rho):
        return (np.where(same, gram + 1, rho * gram) + np.diag(noise)) * np.sqrt(np.outer(scale, scale))

    both = np.concatenate(labels)
    rho = max(CORRELATIONS, key=lambda rho: multivariate_normal.logpdf(both, cov=covariance(rho)))
    cross = np.where(own, kernel(new, rows, rows) + 1, rho * kernel(new, rows, rows)) * np.sqrt(scale[0] * scale)
    wanted = y_a.mean() + y_a.std() * cross @ np.linalg.solve(covariance(rho), both)
    assert abs(rho) > 0.5
    np.testing.assert_allclose(process((x_a, y_a), (x_b, y_b), new), wanted, rtol=1e-8)
