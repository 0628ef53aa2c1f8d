"""The gradients written out against automatic differentiation of one network at a time."""

import numpy as np
import pytest
import torch
from _classification_tasks import SEEDS, loss_by_hand, single, students, two_tasks

from mtlbook_lib._random import stream
from mtlbook_lib.simulation import softmax
from mtlbook_lib.simulation.softmax.problems import Minibatches, Task

WEIGHTS = [np.array([1.0, 0.3, 2.0]), 0.7]
STUDENTS = [(1, False), (2, False), (3, False), (5, False), (2, True), (3, True), (4, True)]


def gradients_by_autograd(start, tasks, factors):
    """Gradients of the weighted sum of mean losses, (layer, seed, setting)."""
    n_tasks = len(tasks)
    found = [torch.zeros(2, 3, *layer.shape[2:], dtype=layer.dtype) for layer in start.layers]
    for seed, setting in np.ndindex(2, 3):
        leaves = [layer[seed, 0].clone().requires_grad_() for layer in start.layers]
        data = single(tasks, seed, setting)
        losses = [loss_by_hand(leaves, n_tasks, start.rectified, j, data[j]) for j in range(n_tasks)]
        sum(factor[setting] * loss for factor, loss in zip(factors, losses, strict=True)).backward()
        for into, leaf in zip(found, leaves, strict=True):
            into[seed, setting] = leaf.grad
    return found


@pytest.mark.parametrize(("depth", "rectified"), STUDENTS)
@pytest.mark.parametrize("loss", ["mean", "sum"])
def test_gradients_are_those_of_autograd(depth, rectified, loss):
    tasks, _ = two_tasks()
    start = students(depth, scale=1.2, rectified=rectified)
    ratio = 1.0 if loss == "mean" else 14 / 20
    factors = [np.broadcast_to(w, 3) * r for w, r in zip(WEIGHTS, (1.0, ratio), strict=True)]
    ours = softmax.loss_gradient(start, tasks, WEIGHTS, loss)
    for one, other in zip(ours, gradients_by_autograd(start, tasks, factors), strict=True):
        np.testing.assert_allclose(one.cpu(), other, rtol=0, atol=1e-14)


def test_one_step_goes_against_the_gradient():
    tasks, _ = two_tasks()
    start = students()
    gradient = softmax.loss_gradient(start, tasks, WEIGHTS)
    after = softmax.descend(start, tasks, 0.1, 1, task_weights=WEIGHTS).layers
    for before, slope, layer in zip(start.layers, gradient, after, strict=True):
        np.testing.assert_allclose(layer, (before - 0.1 * slope).cpu(), rtol=0, atol=1e-15)


def test_sum_is_the_mean_with_weights_in_the_ratio_of_the_numbers():
    tasks, _ = two_tasks()
    total = softmax.descend(students(), tasks, 0.2, 30, loss="sum").layers
    weighted = softmax.descend(students(), tasks, 0.2, 30, task_weights=[1.0, 14 / 20]).layers
    plain = softmax.descend(students(), tasks, 0.2, 30).layers
    for one, other, without in zip(total, weighted, plain, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-13)
        assert np.abs(one - without).max() > 1e-3


@pytest.mark.parametrize("rectified", [False, True])
def test_an_epoch_of_minibatches_has_the_full_gradient_on_average(rectified):
    """At the same weights: with a vanishing rate, the steps of an epoch add up to as many steps with all examples."""
    tasks, _ = two_tasks(20, 20)
    start, rate = students(rectified=rectified), 1e-7
    gradient = softmax.loss_gradient(start, tasks)
    layers = softmax.descend(start, tasks, rate, 5, batch_size=4, batch_seeds=SEEDS).layers
    for before, slope, after in zip(start.layers, gradient, layers, strict=True):
        np.testing.assert_allclose((before.numpy(force=True) - after) / (5 * rate), slope.cpu(), rtol=0, atol=1e-6)


def test_minibatches_are_epochs_cut_in_pieces():
    """The orders of an epoch belong to (seed, task); what one call leaves over is the next one's."""
    tasks = [Task(torch.zeros(2, 9, n), torch.zeros(2, 3, n), torch.ones(1, 3, 1, 1)) for n in (20, 14)]
    batches = Minibatches(6, SEEDS, tasks)
    first, second = batches.next(4), batches.next(5)
    for task, n in enumerate((20, 14)):
        assert batches.share(task) == 6 / n
        found = torch.cat([first[task], second[task]])
        assert found.shape == (9, 2, 6)
        for place, seed in enumerate(SEEDS):
            draws = stream(seed, "minibatches", task)
            order = np.concatenate([draws.permutation(n) for _ in range(4)])[:54]
            assert np.array_equal(found[:, place].flatten(), order)
