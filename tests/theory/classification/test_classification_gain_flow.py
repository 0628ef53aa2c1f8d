"""The data-free flow of a two-layer student: as written, as a gradient, as an aligned flow, against samples."""

import numpy as np
import pytest

from mtlbook_lib.theory.classification import (
    gain_flow,
)
from mtlbook_lib.theory.softmax import (
    expected_maximum,
    isotropic_gain,
    isotropic_log_partition,
)

K, D, H = 4, 9, 6
LABEL = expected_maximum(K) / (K - 1)


def problem(seed=0):
    rng = np.random.default_rng(seed)
    teachers = [np.linalg.qr(rng.normal(size=(D, K)))[0].T for _ in range(2)]
    weights = [0.4 * rng.normal(size=shape) for shape in ((H, D), (K, H), (K, H))]
    return teachers, weights


def loss_of(composite, teacher):
    centred = composite - composite.mean(axis=0)
    sigma = np.linalg.norm(centred) / np.sqrt(K - 1)
    return isotropic_log_partition(sigma, K) - LABEL * np.sum(centred * teacher)


def written_out(teachers, weights, rate, steps, weight, covariances):
    """The same descent, written as in the definition with the projector as a matrix."""
    trunk, *heads = weights
    projector = np.eye(K) - 1 / K
    losses = []
    for step in range(steps + 1):
        losses.append(loss_of(heads[0] @ trunk, projector @ teachers[0]))
        if step == steps:
            break
        forces = []
        for head, teacher, covariance in zip(heads, teachers, covariances, strict=True):
            logits = projector @ head @ trunk
            sigma = np.sqrt(np.trace(logits @ covariance @ logits.T) / (K - 1))
            forces.append(LABEL * projector @ teacher - isotropic_gain(sigma, K) * logits @ covariance)
        change = heads[0].T @ forces[0] + weight * heads[1].T @ forces[1]
        heads = [head + rate * a * f @ trunk.T for head, a, f in zip(heads, (1, weight), forces, strict=True)]
        trunk = trunk + rate * change
    return np.array(losses), trunk, heads


@pytest.mark.parametrize("weight", [1.0, 0.3, 0.0])
def test_descent_as_written(weight):
    teachers, weights = problem()
    rng = np.random.default_rng(5)
    covariances = [x.T @ x / 40 for x in rng.normal(size=(2, 40, D))]
    flow = gain_flow(teachers[0], LABEL * teachers[0], LABEL * teachers[1], *weights, 0.2, 15, weight, *covariances)
    losses, trunk, heads = written_out(teachers, weights, 0.2, 15, weight, covariances)
    assert flow.loss_a == pytest.approx(losses, rel=1e-11)
    assert flow.times == pytest.approx(0.2 * np.arange(16), rel=1e-14)
    for value, expected in zip((flow.trunk, flow.head_a, flow.head_b), (trunk, *heads), strict=True):
        assert value == pytest.approx(expected, abs=1e-12)


def test_many_runs_side_by_side_are_the_runs_one_by_one():
    """Leading axes of seeds and settings; what all share has none, or one of length 1."""
    teachers, (trunk, head_a, head_b) = zip(*(problem(seed)[0] for seed in (1, 2)), strict=True), problem()[1]
    first, second = (np.stack(task)[:, None] for task in teachers)
    weaker = LABEL * second * np.array([1.0, 0.5, 0.0])[:, None, None]
    spread = np.diag(np.linspace(0.5, 1.5, D))
    flow = gain_flow(first, LABEL * first, weaker, trunk, head_a, head_b, 0.2, 8, 0.7, spread)
    assert flow.loss_a.shape == (2, 3, 9)
    assert flow.trunk.shape == (2, 3, H, D)
    for seed, setting in np.ndindex(2, 3):
        labels = LABEL * first[seed, 0], weaker[seed, setting]
        alone = gain_flow(first[seed, 0], *labels, trunk, head_a, head_b, 0.2, 8, 0.7, spread)
        assert flow.loss_a[seed, setting] == pytest.approx(alone.loss_a, rel=1e-12)
        assert flow.head_b[seed, setting] == pytest.approx(alone.head_b, rel=1e-10)
    starts = np.stack([trunk, 2 * trunk]), np.stack([head_a, -head_a])
    flow = gain_flow(first[0, 0], LABEL * first[0, 0], None, *starts, None, 0.2, 8)
    assert (flow.trunk.shape, flow.loss_a.shape) == ((2, H, D), (2, 9))
    alone = gain_flow(first[0, 0], LABEL * first[0, 0], None, 2 * trunk, -head_a, None, 0.2, 8)
    assert flow.loss_a[1] == pytest.approx(alone.loss_a, rel=1e-12)


def test_step_is_down_the_gradient_of_the_loss():
    """Finite differences of the loss, which knows no gain, in every weight."""
    (teacher, _), (trunk, head, _) = problem()
    flow = gain_flow(teacher, LABEL * teacher, None, trunk, head, None, 1.0, 1)
    for weights, moved in ((trunk, flow.trunk), (head, flow.head_a)):
        for index in np.ndindex(weights.shape):
            losses = []
            for step in (1e-5, -1e-5):
                changed = weights.copy()
                changed[index] += step
                losses.append(loss_of(head @ changed if weights is trunk else changed @ trunk, teacher))
            slope = (losses[0] - losses[1]) / 2e-5
            assert weights[index] - moved[index] == pytest.approx(slope, abs=1e-8)


def test_more_neurons_than_the_layers_span():
    """Then training runs in fewer dimensions: the path and the weights at the end are those of all neurons."""
    teachers, _ = problem()
    rng = np.random.default_rng(3)
    weights = [0.4 * rng.normal(size=shape) for shape in ((40, D), (K, 40), (K, 40))]
    run = gain_flow(teachers[0], LABEL * teachers[0], LABEL * teachers[1], *weights, 0.2, 30, weight=0.7)
    losses, trunk, heads = written_out(teachers, weights, 0.2, 30, 0.7, [np.eye(D)] * 2)
    np.testing.assert_allclose(run.loss_a, losses, rtol=1e-12)
    np.testing.assert_allclose(run.trunk, trunk, atol=1e-12)
    np.testing.assert_allclose(run.head_a, heads[0], atol=1e-12)
    np.testing.assert_allclose(run.head_b, heads[1], atol=1e-12)
