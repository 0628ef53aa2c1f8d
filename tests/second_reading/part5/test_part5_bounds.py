"""Part V, angles and bounds, cosine and ReLU: numbers of the register by code that shares nothing with the library."""

import numpy as np
import pytest
from scipy.stats import spearmanr

RNG = np.random.default_rng(31)


@pytest.mark.claims("angles-theorem2", "angles-theorem2-error")
def test_theorem_2_breaks_at_24000_inputs_and_not_at_1200():
    """Rows √d e_j; as the target's labels vanish the shared direction is the source's least squares."""
    c, delta, errors = 72**-0.5, 0.1, []
    for d in (1200, 24_000):
        m = int(d * np.log(d / delta))
        sigma = np.sqrt(c**4 * m / np.log(1 / delta))
        drawn = RNG.integers(d, size=m)
        labels = 1 + sigma * RNG.standard_normal(m)
        number = np.bincount(drawn, minlength=d)
        fit = np.bincount(drawn, weights=labels, minlength=d) / np.maximum(number, 1)
        cosine = fit.sum() / np.sqrt(d) / np.linalg.norm(fit)
        errors.append(np.sqrt(1 - cosine**2))
    assert errors[0] < 0.4
    assert errors[1] == pytest.approx(0.83, abs=0.015)
    assert errors[1] > 6 * c


@pytest.mark.claims("angles-sharp")
def test_angles_in_the_plane_shrink_by_the_condition_number_at_most():
    turns, angle, kappa = np.linspace(0, np.pi, 40001), 0.6, 10.0
    image = [np.arctan2(np.sin(t) / kappa, np.cos(t)) for t in (turns, turns + angle)]
    shrunk = (image[1] - image[0]) % (2 * np.pi)
    assert np.tan(shrunk.min() / 2) == pytest.approx(np.tan(angle / 2) / kappa, rel=1e-6)


@pytest.mark.claims("angles-guarantee")
def test_whole_noise_is_never_below_the_error_alone_for_white_inputs():
    x = np.linalg.qr(RNG.standard_normal((60, 12)))[0] * 7
    theta, noise = RNG.standard_normal(12), RNG.standard_normal((500, 60))
    alone = np.linalg.norm(noise @ x / 49, axis=1)
    assert np.all(alone <= np.linalg.norm(noise, axis=1) / np.linalg.norm(x @ theta) * np.linalg.norm(theta))


@pytest.mark.claims("cosine-closed")
def test_rank_correlation_of_the_bisector():
    truth = RNG.standard_normal((200_000, 2))
    rho = np.sqrt((1 + 0.5) / 2)
    found = spearmanr(truth[:, 0], rho * truth[:, 0] + np.sqrt(1 - rho**2) * truth[:, 1]).statistic
    assert found == pytest.approx(0.8553, abs=0.002)


@pytest.mark.claims("fig7-negative")
def test_opposite_rectified_features_have_rank_correlation_minus_six_sevenths():
    z = RNG.standard_normal(200_000)
    assert spearmanr(np.maximum(z, 0), np.maximum(-z, 0)).statistic == pytest.approx(-6 / 7, abs=0.003)


@pytest.mark.claims("relu-norm")
def test_squared_norm_of_rectified_features_leaves_the_printed_interval_too_often():
    squares = (np.maximum(RNG.standard_normal((4000, 1000)), 0) ** 2).sum(axis=1)
    share = np.mean(np.abs(squares - 500) > np.sqrt(500 * np.log(20)))
    assert share == pytest.approx(0.27, abs=0.03)
    assert np.mean(np.abs(np.sqrt(squares) - np.sqrt(500)) > np.sqrt(2 * np.log(40))) < 0.02


@pytest.mark.claims("relu-back")
def test_one_minus_cosine_is_at_most_twice_one_minus_the_mean_product():
    x = RNG.standard_normal((400_000, 2))
    for angle in (0.5, 1.5, 3.0):
        product = 2 * np.mean(np.maximum(x[:, 0], 0) * np.maximum(x @ [np.cos(angle), np.sin(angle)], 0))
        ratio = (1 - np.cos(angle)) / (1 - product)
        assert 1 < ratio < 2.01
