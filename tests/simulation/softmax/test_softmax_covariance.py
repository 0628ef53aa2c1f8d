"""Covariances of labels and of softmax outputs with the inputs, and the squared gradient: against the other route."""

import numpy as np
import pytest
import torch
from _classification_tasks import N_CLASSES, loss_by_hand, single, students, two_tasks

from mtlbook_lib.data.classification import label_covariance
from mtlbook_lib.simulation import softmax


def test_both_covariances_make_the_gradient_in_the_map():
    (task, _), _ = two_tasks()
    flat = students(depth=1, n_tasks=1, n_settings=3)
    (gradient,) = softmax.loss_gradient(flat, [task])
    (maps,) = flat.arrays
    misfit = label_covariance(task, N_CLASSES) - softmax.softmax_covariance(maps, task.inputs)
    np.testing.assert_allclose(-misfit, gradient.numpy(), rtol=1e-12, atol=1e-14)


def test_the_softmax_covariance_of_one_seed_and_setting_is_that_of_the_batch():
    (task, _), _ = two_tasks()
    (maps,) = students(depth=1, n_tasks=1, n_settings=3, scale=2.0).arrays
    batch = softmax.softmax_covariance(maps, task.inputs)
    for seed, setting in np.ndindex(2, 3):
        odds = np.exp(maps[seed, setting] @ task.inputs[seed])
        alone = (odds / odds.sum(axis=0)) @ task.inputs[seed].T / task.inputs.shape[2]
        np.testing.assert_allclose(batch[seed, setting], alone, rtol=1e-12, atol=1e-15)


def test_the_label_covariance_adds_up_over_examples():
    (task, _), _ = two_tasks()
    found = label_covariance(task, N_CLASSES)
    for seed, setting, k in np.ndindex(2, 3, N_CLASSES):
        mine = task.inputs[seed][:, task.labels[seed, setting] == k]
        np.testing.assert_allclose(found[seed, setting, k], mine.sum(axis=1) / task.inputs.shape[2], atol=1e-15)


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_the_squared_gradient_is_that_of_automatic_differentiation(n_tasks):
    tasks = two_tasks()[0][:n_tasks]
    net = students(n_tasks=n_tasks, n_settings=3)
    found = softmax.squared_gradient(tasks)(net)
    for seed, setting in np.ndindex(2, 3):
        leaves = [layer[seed, setting].clone().requires_grad_() for layer in net.layers]
        examples = single(tasks, seed, setting)
        loss = sum(loss_by_hand(leaves, n_tasks, False, j, examples[j]) for j in range(n_tasks))
        squares = sum(part.square().sum() for part in torch.autograd.grad(loss, leaves))
        assert float(found[seed, setting]) == pytest.approx(float(squares), rel=1e-12)
