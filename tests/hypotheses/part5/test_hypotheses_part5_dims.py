"""Part V, many inputs: with its hypotheses a theorem's conclusion is seen; without one of them it is not."""

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing


def pooling_helps(gap, n1, n2, d=20, sigma=(1.0, 1.0), cov=None, ratio=1.0):
    """Whether it does by the deterministic equivalent, and whether it should by the chapter's inequality."""
    cov = np.eye(d) if cov is None else cov
    theta = np.zeros(d)
    theta[0] = np.sqrt(gap)
    risk = hard_sharing.asymptotic_risk(cov, np.eye(d), n1, n2, theta, np.zeros(d), *sigma, ratio)[0]
    n = n1 + n2
    h = 1 - (n2 + d) / n + 2 * d * n2 / n**2
    alone = sigma[1] ** 2 * d / (n2 - d) if n2 > d else np.inf
    return risk < alone, gap * h < sigma[1] ** 2 * d / (n2 - d)


GAPS = np.geomspace(0.05, 20, 30)


@pytest.mark.parametrize(
    ("changes", "agree"),
    [
        ({"n1": 60, "n2": 50}, True),
        ({"n1": 60, "n2": 30}, True),
        ({"n1": 60, "n2": 50, "sigma": (3.0, 1.0)}, False),
        ({"n1": 60, "n2": 50, "cov": np.diag(np.r_[5.0, np.full(19, 0.5)])}, False),
        ({"n1": 60, "n2": 50, "ratio": 0.5}, False),
        ({"n1": 60, "n2": 15}, False),  # alone the target's risk has no bound
    ],
)
def test_prop_dims_phase__equal_noise_one_covariance_ratio_one_and_enough_examples(changes, agree):
    found = [pooling_helps(gap, **changes) for gap in GAPS]
    disagree = sum(is_so != said for is_so, said in found)
    assert (disagree == 0) == agree
    assert agree or disagree >= 3


def pooled(rng, d, n1, n2, delta, sigma=(1.0, 1.0), draw=None, count=20_000):
    """The mean risk of pooling two tasks, over inputs and noise, with white test inputs."""
    draw = draw or (lambda size: rng.normal(size=size))
    x1, x2 = draw((count, n1, d)), draw((count, n2, d))
    y1 = x1 @ delta + sigma[0] * rng.normal(size=(count, n1))
    y2 = sigma[1] * rng.normal(size=(count, n2))
    m = x1.swapaxes(1, 2) @ x1 + x2.swapaxes(1, 2) @ x2
    b = np.einsum("cnd,cn->cd", x1, y1) + np.einsum("cnd,cn->cd", x2, y2)
    return np.mean(np.sum(np.linalg.solve(m, b[..., None])[..., 0] ** 2, axis=1))


def test_prop_dims_phase__normal_inputs():
    """Rows of two sizes are white, too, but a target of its own then has few rows that count: pooling helps it."""
    rng, d, n2 = np.random.default_rng(4), 10, 40

    def unequal(size):
        return rng.normal(size=size) * np.sqrt(np.where(rng.random((*size[:2], 1)) < 0.1, 9.1, 0.1))

    delta = np.eye(d)[0]
    for draw, helps in ((None, False), (unequal, True)):
        alone, with_source = (pooled(rng, d, n1, n2, delta, draw=draw, count=3000) for n1 in (0, n2))
        assert (with_source < alone) == helps
        assert abs(with_source / alone - 1) > 0.1
    assert 1 - (n2 + d) / (2 * n2) + 2 * d * n2 / (2 * n2) ** 2 > d / (n2 - d)  # by the law pooling harms


def law_of_pooling(d, n1, n2, gap):
    n = n1 + n2
    both, minor = n1 * (n1 + 2) / (n * (n + 2)), n1 * (n1 - 1) / (n * (n - 1))
    beta = (both - minor) / 3
    return gap * (both - beta + beta * (n * d - 2) / (n - d - 1)) + d / (n - d - 1)


def test_prop_dims_same__noise_apart_from_the_inputs():
    """Each label's noise is its first input: independent standard normal numbers, and a fit that is off by one."""
    rng = np.random.default_rng(16)
    x1, x2 = rng.normal(size=(20_000, 8, 3)), rng.normal(size=(20_000, 6, 3))
    x = np.concatenate([x1, x2], axis=1)
    for noise, met in ((rng.normal(size=(20_000, 14)), True), (x[:, :, 0], False)):
        fits = np.einsum("cdn,cn->cd", np.linalg.pinv(x), noise)  # both models are zero
        risk = np.mean(np.sum(fits**2, axis=1))
        assert (abs(risk - law_of_pooling(3, 8, 6, 0.0)) < 0.02) == met
        assert met or risk > 0.99


def test_prop_dims_same__normal_inputs_and_equal_noise():
    rng = np.random.default_rng(10)
    delta = np.array([1.0, 0.0, 0.0])
    law = law_of_pooling(3, 8, 6, 1.0)
    assert pooled(rng, 3, 8, 6, delta) == pytest.approx(law, abs=0.02)
    assert pooled(rng, 3, 8, 6, delta, sigma=(0.2, 1.4)) < law - 0.03  # the same mean variance of both
    heavy = pooled(rng, 3, 8, 6, delta, draw=lambda size: rng.standard_t(3, size=size) / np.sqrt(3))
    assert abs(heavy - law) > 0.05


@pytest.mark.parametrize("case", ["met", "independent", "mean_zero"])
def test_prop_dims_pooled__independent_noise_of_mean_zero(case):
    rng = np.random.default_rng(11)
    x1, x2, delta = rng.normal(size=(6, 2)), rng.normal(size=(5, 2)), np.array([1.0, -0.5])
    m = np.linalg.inv(x1.T @ x1 + x2.T @ x2)
    bias = m @ x1.T @ x1 @ delta
    law = bias @ bias + np.trace(m)
    noise = rng.normal(size=(20_000, 11))
    if case == "independent":
        noise = rng.normal(size=(20_000, 1)) * np.sign(np.concatenate([x1[:, 0], x2[:, 0]]))  # one draw for all
    elif case == "mean_zero":
        noise = np.sqrt(0.5) * (noise + np.concatenate([np.sign(x1[:, 0]), np.sign(x2[:, 0])]))
    clean = np.concatenate([x1 @ delta, np.zeros(5)])
    found = (clean + noise) @ np.concatenate([x1, x2]) @ m
    risk = np.mean(np.sum(found**2, axis=1))
    assert (abs(risk / law - 1) < 0.03) == (case == "met")
    assert case == "met" or abs(risk / law - 1) > 0.08


def test_prop_dims_pooled__new_inputs_of_mean_zero():
    rng = np.random.default_rng(14)
    x1, x2, delta = rng.normal(size=(6, 2)), rng.normal(size=(5, 2)), np.array([1.0, -0.5])
    bias, variance = hard_sharing.pooled_bias_variance(
        x1.T @ x1, x2.T @ x2, delta, np.zeros(2), 0.5, 0.5, 1.0, np.eye(2)
    )
    rows = np.concatenate([x1, x2])
    labels = np.concatenate([x1 @ delta, np.zeros(5)]) + 0.5 * rng.normal(size=(40_000, 11))
    fits = labels @ np.linalg.pinv(rows).T
    for mean, met in ((np.zeros(2), True), (np.array([1.0, -1.0]), False)):
        risk = np.mean(np.sum((rng.normal(size=(40_000, 2)) + mean) * fits, axis=1) ** 2)
        assert (abs(risk / (bias + variance) - 1) < 0.05) == met
        assert met or risk > 1.3 * (bias + variance)


def test_prop_dims_phase__a_distance_in_the_metric_of_the_inputs():
    cov, d, n1, n2 = np.diag(np.r_[5.0, np.full(19, 0.5)]), 20, 60, 50
    h = 1 - (n2 + d) / (n1 + n2) + 2 * d * n2 / (n1 + n2) ** 2
    plain, metric = [], []
    for gap in GAPS:
        delta = np.r_[np.sqrt(gap), np.zeros(d - 1)]
        risk = hard_sharing.asymptotic_risk(cov, cov, n1, n2, delta, 0 * delta, 1.0, 1.0, 1.0)[0]
        helps, alone = risk < d / (n2 - d), d / (n2 - d)
        plain.append(helps != (gap * h < alone))
        metric.append(helps != (delta @ cov @ delta * h < alone))
    assert sum(metric) == 0
    assert sum(plain) >= 5  # of 30


def test_eq_dims_beta__a_source_with_fewer_examples_than_inputs():
    """U and W are independent for any sizes with n1 + n2 >= d; the entries of U have the printed moments."""
    rng = np.random.default_rng(12)
    n1, n2, d = 2, 7, 4
    x = rng.normal(size=(40_000, n1 + n2, d))
    w = x.swapaxes(1, 2) @ x
    values, vectors = np.linalg.eigh(w)
    root = vectors / np.sqrt(values)[:, None] @ vectors.swapaxes(1, 2)
    half = x[:, :n1] @ root
    u = half.swapaxes(1, 2) @ half
    n = n1 + n2
    beta = n1 * n2 / (n * (n + 2) * (n - 1))
    assert np.mean(u[:, 0, 1] ** 2) == pytest.approx(beta, rel=0.03)
    assert np.mean(u[:, 0, 0] ** 2) == pytest.approx(n1 * (n1 + 2) / (n * (n + 2)), rel=0.03)
    assert np.mean(u[:, 0, 0] * u[:, 1, 1] - u[:, 0, 1] ** 2) == pytest.approx(n1 * (n1 - 1) / (n * (n - 1)), rel=0.05)
    assert abs(np.corrcoef(u[:, 0, 0], w[:, 0, 0])[0, 1]) < 0.02
    first = x[:, :n1].swapaxes(1, 2) @ x[:, :n1]  # not divided by W it does depend on W
    assert np.corrcoef(first[:, 0, 0], w[:, 0, 0])[0, 1] > 0.3


def test_eq_dims_beta__traces_of_a_white_wishart_matrix():
    rng = np.random.default_rng(13)
    n, d = 12, 3
    x = rng.normal(size=(60_000, n, d))

    def product(rows):
        w = rows.swapaxes(1, 2) @ rows
        return np.mean(np.trace(w, axis1=1, axis2=2) * np.trace(np.linalg.inv(w), axis1=1, axis2=2))

    law = d * (n * d - 2) / (n - d - 1)
    assert product(x) == pytest.approx(law, rel=0.01)
    assert product(x * np.array([3.0, 1.0, 1.0])) > 1.2 * law


def test_eq_dims_many__equal_sizes_and_models_of_equal_norm():
    """The second eigenvalue of the signal's Gram matrix, in closed form."""

    def second(n1, n2, norm1, norm2, cosine):
        cross = np.sqrt(n1 * n2) * norm1 * norm2 * cosine
        return np.linalg.eigvalsh([[n1 * norm1**2, cross], [cross, n2 * norm2**2]])[0]

    law = 50 * 2.0 * (1 - 0.6)  # of 50 examples each and mean squared norm 2
    assert second(50, 50, np.sqrt(2), np.sqrt(2), -0.6) == pytest.approx(law)
    assert second(50, 50, np.sqrt(3), 1.0, 0.6) < 0.9 * law
    assert second(80, 20, np.sqrt(2), np.sqrt(2), 0.6) < 0.9 * law
