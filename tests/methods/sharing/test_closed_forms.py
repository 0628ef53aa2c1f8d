"""With linear layers the methods have to arrive where the theory of hard sharing says."""

import warnings

import numpy as np
import pytest
import torch

from mtlbook_lib.methods.sharing import (
    Alignment,
    SvdReweighting,
    Training,
    UncertaintyWeighting,
    shared,
    single_task,
    stack_tasks,
)
from mtlbook_lib.theory.hard_sharing import (
    shared_solution,
    single_task_solution,
    svd_task_weights,
    uncertainty_weights,
)

RNG = np.random.default_rng(5)
X = RNG.standard_normal((40, 4))
Y = X @ RNG.standard_normal((4, 3)) + 0.7 * RNG.standard_normal((40, 3))
WEIGHTS = np.array([1.0, 3.0, 0.5])
FULL = Training(rate=0.05, epochs=360, batch_size=None, validation=0.0)


def no_bias(n_features, n_outputs):
    return torch.nn.Linear(n_features, n_outputs, bias=False)


@pytest.fixture(scope="module")
def alone():
    """Three tasks, each trained alone."""
    return single_task(1, no_bias, training=FULL).fit(X, Y)


@pytest.fixture(scope="module")
def uncertain():
    """Three tasks with weights that follow their noise, and the warnings while they were trained."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = UncertaintyWeighting(2, no_bias, training=FULL).fit(X, Y)
    return model, [str(warning.message) for warning in caught]


def weighted_energy(model, weights):
    return float((weights * model.row_losses(X, Y).sum(axis=0)).sum())


@pytest.mark.parametrize("capacity", [1, 2, 3])
def test_shared_training_reaches_the_global_optimum(capacity):
    model = shared(capacity, no_bias, weights=WEIGHTS, training=FULL).fit(X, Y)
    loss = shared_solution([X] * 3, list(Y.T), capacity, WEIGHTS)[2]
    assert weighted_energy(model, WEIGHTS) == pytest.approx(loss, rel=1e-6)
    assert weighted_energy(model, WEIGHTS) >= loss * (1 - 1e-12)


def test_tasks_with_rows_of_their_own_reach_it_too():
    """40 and 80 rows: weights of means are weights of sums times the numbers of rows."""
    xs = [X, 2.0 * np.concatenate([X, X])]
    ys = [Y[:, 0], np.concatenate([Y[:, 1], Y[:, 2]])]
    model = shared(1, no_bias, weights=[40.0, 160.0], training=FULL).fit(*stack_tasks(xs, ys))
    loss = shared_solution(xs, ys, 1, [1.0, 2.0])[2]
    reached = np.nansum(model.row_losses(*stack_tasks(xs, ys)), axis=0) @ [1.0, 2.0]
    assert reached == pytest.approx(loss, rel=1e-6)


def test_single_tasks_are_least_squares(alone):
    solutions = np.stack([single_task_solution(X, y) for y in Y.T], axis=1)
    np.testing.assert_allclose(alone.predict(X), X @ solutions, atol=1e-6)


def test_sample_weights_are_those_of_weighted_least_squares():
    rows = RNG.uniform(0.2, 2.0, size=40)
    model = single_task(1, no_bias, training=FULL).fit(X, Y, sample_weight=rows)
    solution = single_task_solution(np.sqrt(rows)[:, None] * X, np.sqrt(rows) * Y[:, 0])
    np.testing.assert_allclose(model.predict(X)[:, 0], X @ solution, atol=1e-6)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_svd_weights_are_those_of_the_theory_for_standardised_labels(rank):
    model = SvdReweighting(rank, training=Training(epochs=1)).fit(X, 5.0 + Y * [1.0, 100.0, 0.1])
    expected = svd_task_weights(X, (Y - Y.mean(axis=0)) / Y.std(axis=0), rank)
    np.testing.assert_allclose(model.weights_, expected / expected.mean(), rtol=1e-9)
    assert model.weights_.mean() == pytest.approx(1.0)


def test_uncertainty_weights_settle_where_theory_says(uncertain):
    model, warned = uncertain
    assert warned == []  # no task is fitted exactly
    losses = model.row_losses(X, Y).mean(axis=0)
    np.testing.assert_allclose(model.weights_ * losses, (model.weights_ * losses)[0], rtol=1e-4)
    np.testing.assert_allclose(model.weights_ / model.weights_.sum(), uncertainty_weights(X, Y, 2), rtol=1e-4)


def test_a_task_that_is_fitted_exactly_is_named_and_leaves_weight_to_the_others():
    exact = np.column_stack([X @ [1.0, 0.0, 0.0, 0.0], Y[:, 1:]])
    with pytest.warns(UserWarning, match="task 0 is fitted almost exactly"):
        model = UncertaintyWeighting(3, no_bias, least=1e-3, training=FULL).fit(X, exact)
    bound = 1 / (1e-3 * exact[:, 0].var())
    losses = model.row_losses(X, exact).mean(axis=0)
    assert model.weights_[0] / model.weights_[1] == pytest.approx(bound * losses[1], rel=1e-2)


def test_alignment_of_one_layer_is_descent_of_the_own_loss_from_the_shared_solution():
    """One linear layer by plain descent, the head held."""
    base = shared(1, no_bias, training=FULL)
    steps = Training(optimizer="sgd", rate=0.02, epochs=30, batch_size=None, validation=0.0)
    model = Alignment(base, train_heads=False, training=steps).fit(X, Y)
    layer, predicted = model.model_.network_.encoder[1].weight.detach().numpy()[0], model.predict(X)
    for i, head in enumerate(float(one.weight.detach()) for one in model.model_.network_.heads):
        own = single_task_solution(X, Y[:, i])
        step = np.eye(4) - 2 / len(X) * 0.02 * layer @ layer * head**2 * X.T @ X
        expected = own + np.linalg.matrix_power(step, 30) @ (layer * head - own)
        np.testing.assert_allclose(predicted[:, i], X @ expected, atol=1e-9)


def test_alignment_trained_to_the_end_forgets_the_source():
    steps = Training(optimizer="sgd", rate=0.1, epochs=600, batch_size=None, validation=0.0)
    model = Alignment(shared(1, no_bias, training=FULL), training=steps).fit(X, Y[:, :2])
    own = np.stack([single_task_solution(X, y) for y in Y.T[:2]], axis=1)
    np.testing.assert_allclose(model.predict(X), X @ own, atol=1e-4)
    assert not any(weight.requires_grad for weight in model.model_.network_.encoder.parameters())


def test_what_the_source_taught_survives_where_the_target_has_no_data():
    """Fewer rows than inputs: the null space keeps the shared solution, the rest is fitted."""
    few = X[:3]
    xs, ys = [X, few], [Y[:, 0], Y[:3, 1]]
    steps = Training(optimizer="sgd", rate=0.1, epochs=1500, batch_size=None, validation=0.0)
    model = Alignment(shared(1, no_bias, training=FULL), train_heads=False, training=steps)
    model.fit(*stack_tasks(xs, ys))
    layer = model.model_.network_.encoder[1].weight.detach().numpy()[0]
    start = layer * float(model.model_.network_.heads[1].weight.detach())
    null = np.eye(4) - np.linalg.pinv(few) @ few
    expected = single_task_solution(few, ys[1]) + null @ start
    np.testing.assert_allclose(model.predict(np.eye(4))[:, 1], expected, atol=1e-4)
