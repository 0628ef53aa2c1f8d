"""Which model a name stands for, and the weights of tasks with images from features before training."""

import numpy as np
import pytest
import torch
from torch import nn

from mtlbook_lib.methods.benchmarks.images import _model, _weights
from mtlbook_lib.theory.hard_sharing import svd_task_weights

RNG = np.random.default_rng(8)
TABLE = torch.tensor(RNG.standard_normal((20, 4)))


class Looked(nn.Module):
    """Rows of a table: features that no draw decides."""

    def forward(self, numbers):
        return TABLE[numbers]


def test_names_are_those_of_the_models():
    names = {name: type(_model(name, Looked, None, None, 0)).__name__ for name in ("alone", "Kendall", "shared")}
    assert names == {"alone": "SingleTask", "Kendall": "UncertaintyWeighting", "shared": "HardSharing"}


def test_weights_are_of_centred_features_and_scaled_labels_and_one_on_average():
    labels = (RNG.random((20, 3)) < [0.5, 0.2, 0.8]).astype(float)
    features = TABLE.numpy() - TABLE.numpy().mean(axis=0)
    wanted = svd_task_weights(features, (labels - labels.mean(axis=0)) / labels.std(axis=0), 2)
    found = _weights(Looked, np.arange(20), labels, 2, None, 0)
    assert found == pytest.approx(wanted / wanted.mean())
