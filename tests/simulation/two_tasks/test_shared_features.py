"""Training of shared features: gradients, known solutions, and independence of seeds and settings."""

import numpy as np
import pytest
import torch

from mtlbook_lib.simulation.two_tasks import shared_features
from mtlbook_lib.simulation.two_tasks.shared_features import train_features

RNG = np.random.default_rng(2)
XS = [RNG.standard_normal((2, 40, 4)), RNG.standard_normal((2, 30, 4))]
YS = [RNG.standard_normal((2, 3, 40)), RNG.standard_normal((2, 3, 30))]


def network_loss(layers, xs, ys, relu, logistic):
    shared, heads, offsets = layers
    total = 0
    for task, (x, y) in enumerate(zip(xs, ys, strict=True)):
        features = torch.einsum("smd,sdcr->smcr", x, shared.unflatten(2, tuple(heads.shape[2:])))
        features = torch.relu(features) if relu else features
        outputs = torch.einsum("smcr,scr->smc", features, heads[:, task]) + offsets[:, task, None]
        if logistic:
            part = torch.nn.functional.binary_cross_entropy_with_logits(outputs, y, reduction="none")
        else:
            part = (outputs - y) ** 2
        total = total + part.mean(dim=1).sum()
    return total


@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("logistic", [False, True])
def test_gradients_are_those_of_the_loss(relu, logistic):
    xs = [torch.tensor(x) for x in XS]
    ys = [torch.tensor((y > 0) * 1.0 if logistic else y).swapaxes(1, 2) for y in YS]
    shapes = [(2, 4, 6), (2, 2, 3, 2), (2, 2, 3)]
    layers = [torch.tensor(RNG.standard_normal(shape), requires_grad=True) for shape in shapes]
    network_loss(layers, xs, ys, relu, logistic).backward()
    shared, *rest = [layer.detach() for layer in layers]
    found = shared_features._gradients(xs, [y.mT for y in ys], shared.mT, *rest, relu, logistic)
    assert torch.allclose(found[0].mT, layers[0].grad)
    assert torch.allclose(found[1], layers[1].grad)
    if logistic:
        assert torch.allclose(found[2], layers[2].grad)
    else:
        assert not found[2].any()


def test_one_linear_task_is_least_squares():
    fit = train_features(XS[:1], YS[:1], 1, [0, 1], 4000, False, rate=0.01)
    for seed in range(2):
        for setting in range(3):
            best = np.linalg.lstsq(XS[0][seed], YS[0][seed, setting])[0]
            found = fit.shared[seed, setting, :, 0] * fit.heads[seed, setting, 0, 0]
            assert found == pytest.approx(best, abs=1e-3)


def test_starts_are_drawn_with_variance_one_over_inputs_and_heads_are_one():
    xs, ys = [np.ones((300, 1, 4))], [np.ones((300, 1, 1))]
    fit = train_features(xs, ys, 3, range(300), 1, False, rate=1e-30)
    assert np.all(fit.heads == 1)
    assert (fit.shared**2).mean() == pytest.approx(1 / 4, rel=6 * np.sqrt(2 / 3600))


def test_outputs_are_those_of_the_definition():
    fit = train_features(XS, [(y > 0) * 1.0 for y in YS], 2, [3, 4], 40, True, "logistic")
    for s, c in np.ndindex(2, 3):
        wanted = np.maximum(XS[1][s] @ fit.shared[s, c], 0) @ fit.heads[s, c, 1] + fit.offsets[s, c, 1]
        assert fit.outputs(XS[1], 1)[s, c] == pytest.approx(wanted)
