"""Shared layers on texts: the weights of Algorithm 2 for tasks on texts of their own, and how weights enter."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.real_language import shared_layers
from mtlbook_lib.data.opinions import DOMAINS
from mtlbook_lib.methods.benchmarks import compare_texts


def test_weights_are_the_parts_of_the_products_in_their_leading_direction():
    tasks = [shared_layers.text_task(name, 200, 1) for name in DOMAINS]
    products = []
    for task in tasks:
        rows = shared_layers._table()[[int(text) for text in task.train.first]]
        labels = task.train.labels - task.train.labels.mean()
        products.append(rows.T @ labels / labels.std())
    values, axes = np.linalg.eigh(np.transpose(products) @ np.array(products))
    wanted = np.abs(np.array(products) @ axes[:, -1])
    assert values[-1] > 2 * values[-2]
    assert shared_layers.label_weights(tasks) == pytest.approx(wanted / wanted.mean())


def test_equal_weights_change_nothing_and_others_do():
    tasks = {name: shared_layers.text_task(name, 60, 0) for name in ("tweets", "NYT")}
    given = tasks, shared_layers.Columns(8), ("shared",), shared_layers.TRAINING, 0
    plain, equal, other = (compare_texts(*given, weights).values["shared"] for weights in (None, [1, 1], [50, 0.02]))
    np.testing.assert_array_equal(plain, equal)
    assert np.abs(other - plain).max() > 0
