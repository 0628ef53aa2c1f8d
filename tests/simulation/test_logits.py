"""Drawn logits: means of the draws themselves."""

import numpy as np
import pytest
from scipy.special import logsumexp, softmax

from mtlbook_lib._random import stream
from mtlbook_lib.simulation import logits

RNG = np.random.default_rng(2)


def test_means_are_those_of_the_draws_themselves():
    draws = stream(3, "logits").standard_normal((600, 4))
    found = logits.isotropic_means([0.4, 1.7], 4, [3], 600)
    for place, norm in enumerate((0.4, 1.7)):
        p = softmax(norm * draws, axis=1)
        assert found.log_partition[0, place] == pytest.approx(logsumexp(norm * draws, axis=1).mean())
        assert found.participation[0, place] == pytest.approx((p**2).sum(axis=1).mean())
        assert found.slope[0, place] == pytest.approx(((p * draws).sum(axis=1) - draws.mean(axis=1)).mean())


def test_means_of_maps_are_those_of_the_inputs_themselves():
    inputs, maps = stream(3, "logits").standard_normal((600, 2)), RNG.standard_normal((2, 5, 2))
    found = logits.map_means(maps, [3], 600)
    assert logits.mean_jacobians(maps, [3], 600) == pytest.approx(found.jacobian)
    for place, w in enumerate(maps):
        p, y = softmax(inputs @ w.T, axis=1), np.eye(5)[(inputs @ w.T).argmax(axis=1)]
        assert found.jacobian[0, place] == pytest.approx(np.diag(p.mean(axis=0)) - p.T @ p / 600)
        assert found.softmax[0, place] == pytest.approx(p.T @ inputs / 600)
        assert found.labels[0, place] == pytest.approx(y.T @ inputs / 600)


def test_agreement_is_that_of_the_draws_themselves():
    draws = stream(3, "logits").standard_normal((600, 6))
    other = 0.6 * draws[:, :3] + 0.8 * draws[:, 3:]
    assert logits.agreement(0.6, 3, [3], 600) == np.mean(draws[:, :3].argmax(axis=1) == other.argmax(axis=1))


def test_overlap_is_the_cosine_of_centred_maps():
    a, b = RNG.standard_normal((2, 3, 2))
    one, other = a - a.mean(axis=0), b - b.mean(axis=0)
    assert logits.overlap(a, b) == pytest.approx(np.sum(one * other) / np.linalg.norm(one) / np.linalg.norm(other))
    assert logits.overlap(1e-3 * a + 1.0, b - np.arange(2)) == pytest.approx(logits.overlap(a, b))
