"""The experiments of the chapter on how training ends, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.how_training_ends import experiment


def test_the_best_is_chosen_on_other_seeds():
    errors = np.array([[1.0, 5.0], [2.0, 4.0]])
    found = experiment.Stopped(np.arange(2.0), errors, errors[::-1], np.zeros(2))
    assert found.best("path") == pytest.approx([2.0, 5.0])
    assert found.best("penalised") == pytest.approx([2.0, 5.0])


def test_noise_of_labels_has_its_size():
    _, clean, _ = experiment.task(0.0, 40)
    _, noisy, _ = experiment.task(0.5, 40)
    assert (noisy - clean).std() == pytest.approx(0.5 * clean.std(), rel=0.06)
