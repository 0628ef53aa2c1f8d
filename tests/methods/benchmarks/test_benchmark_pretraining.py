"""Two classes beside the others: each order of training, what is rescaled, and networks with normalisation."""

import numpy as np
import pytest
import torch
from refusals import refused
from torch import nn

from mtlbook_lib.data.benchmarks import Pictures
from mtlbook_lib.data.two_tasks.image_classes import split_classes
from mtlbook_lib.methods.benchmarks import (
    Finetuning,
    Scores,
    compare_pretraining,
    rescaled,
    residual_network,
)
from mtlbook_lib.methods.benchmarks.pretraining import Loop, Task, _Data
from mtlbook_lib.methods.sharing import Training

RNG = np.random.default_rng(3)
TRAINING = Training(rate=1e-2, epochs=80, batch_size=16, dtype="float32")


def pictures(n_per_class):
    """Four classes of 8 × 8 pixels: which quarter is bright."""
    labels = RNG.permutation(np.repeat(np.arange(4), n_per_class))
    images = RNG.integers(0, 90, (len(labels), 3, 8, 8), dtype=np.uint8)
    for image, label in zip(images, labels, strict=True):
        image[:, 4 * (label // 2) :, 4 * (label % 2) :][:, :4, :4] += 120
    return Pictures(images, labels, ("a", "b", "c", "d"))


TRAIN, TEST = pictures(20), pictures(10)


def plain():
    return nn.Sequential(nn.Flatten(), nn.Linear(192, 12), nn.ReLU())


def normalised():
    return nn.Sequential(nn.Conv2d(3, 6, 3, 2, 1, bias=False), nn.BatchNorm2d(6), nn.ReLU(), nn.Flatten())


def compared(network, **options):
    given = {"examples": (4, 12), "n_auxiliary": 30, "tolerance": 0.05, "training": TRAINING, **options}
    return compare_pretraining(TRAIN, TEST, network, (2, 0), **given)


@pytest.mark.parametrize("network", [plain, normalised])
def test_every_order_learns_an_easy_task(network):
    scores = compared(network, finetuning=Finetuning((0.5,), head=0.1))
    assert scores.tasks == ("n = 4", "n = 12")
    assert list(scores.values) == ["alone", "together", "probed", "finetuned", "finetuned × 0.5"]
    assert all(values.shape == (1, 2) for values in scores.values.values())
    assert max(values[0, 1] for values in scores.values.values()) < 0.2


def test_heads_of_one_task_start_alike_in_every_order(monkeypatch):
    starts, fit = {}, Loop.fit

    def noted(loop, trunk, heads, tasks, told, *speed):
        starts[told.partition(" with")[0]] = [head.weight.detach().clone() for head in heads]
        fit(loop, trunk, heads, tasks, told, *speed)

    monkeypatch.setattr(Loop, "fit", noted)
    compared(plain, examples=(4,))
    (alone,), (pretrained,), (probed,), (tuned,) = (starts[n] for n in ("alone", "pretraining", "probed", "finetuned"))
    main, auxiliary = starts["together"]
    assert torch.equal(alone, main)
    assert torch.equal(pretrained, auxiliary)
    assert torch.equal(probed, tuned)
    assert not torch.equal(alone, probed)
    assert not torch.equal(alone, pretrained[: len(alone)])


def test_the_speed_is_one_where_none_is_given():
    ends = []
    for speed in ([], [1.0], [0.5]):
        loop = Loop(Training(optimizer="sgd", rate=1e-2, epochs=1).check(), 9.0, 0)
        head = loop.fresh(lambda: nn.Linear(3, 2))
        loop.fit(nn.Identity(), [head], [Task(torch.eye(3, dtype=loop.dtype), torch.tensor([0, 1, 1]))], "one", *speed)
        ends.append(head.weight.detach())
    assert torch.equal(ends[0], ends[1])
    assert not torch.equal(ends[1], ends[2])


@pytest.mark.parametrize(("size", "steps"), [(None, [8]), (4, [4, 4])])
def test_an_epoch_is_a_pass_over_the_larger_task(size, steps):
    loop, seen = Loop(Training(epochs=1, batch_size=size).check(), 9.0, 0), []
    heads = [loop.fresh(lambda: nn.Linear(3, 2)) for _ in range(2)]
    heads[1].register_forward_hook(lambda _, rows, __: seen.append(len(rows[0])))
    tasks = [Task(torch.ones(n, 3, dtype=loop.dtype), torch.zeros(n, dtype=torch.int64)) for n in (3, 8)]
    loop.fit(nn.Identity(), heads, tasks, "two")
    assert seen == steps


def test_colours_are_those_of_the_auxiliary_images():
    """Its mean and spread, in the test images too; one that never changes has a spread of 1e-6."""
    split = split_classes(TRAIN.labels, (2, 0), 12, 30, 0)
    flat = Pictures(TRAIN.images.copy(), TRAIN.labels, TRAIN.classes)
    flat.images[:, 1] = 7
    data = _Data(Loop(TRAINING.check(), 0.05, 0), flat, TEST, split, [2, 0])
    seen = data.auxiliary.inputs.numpy()
    assert seen[:, [0, 2]].mean(axis=(0, 2, 3)) == pytest.approx([0, 0], abs=1e-5)
    assert seen[:, [0, 2]].std(axis=(0, 2, 3)) == pytest.approx([1, 1], rel=1e-4)
    there = np.isin(TEST.labels, [2, 0])
    assert data.test[:, 1].numpy() == pytest.approx((TEST.images[there, 1] - 7.0) * 1e6, rel=1e-5)
    assert data.n_classes == len(np.unique(data.auxiliary.labels)) == 2
    assert data.truth.tolist() == (TEST.labels[there] == 0).astype(int).tolist()


def test_a_seed_gives_the_same_scores_and_another_gives_others():
    one, again, other = (compared(plain, examples=(2, 4), tolerance=5.0, seed=s) for s in (1, 1, 2))
    assert isinstance(one, Scores)
    for method in one.values:
        assert np.array_equal(one.values[method], again.values[method])
    assert any(not np.array_equal(one.values[m], other.values[m]) for m in one.values)


def test_a_network_that_did_not_get_to_the_tolerance_is_named():
    short = Training(rate=1e-4, epochs=2, batch_size=16, dtype="float32")
    with pytest.warns(UserWarning, match="alone with 4 examples: training ended after 2 epochs at a loss of"):
        compared(plain, methods=("alone",), examples=(4,), training=short)


def test_rescaling_filters_leaves_a_normalised_network():
    network, images = (
        residual_network(4)().train(),
        torch.randn(6, 3, 32, 32, generator=torch.Generator().manual_seed(0)),
    )
    before = network(images)
    assert rescaled(network, 0.5, "filters").train()(images).detach() == pytest.approx(
        before.detach(), rel=0.02, abs=1e-3
    )
    whole = rescaled(network, 0.5).train()(images)
    assert (whole.sum() / before.sum()).item() == pytest.approx(0.5, rel=0.02)


def test_rescaling_copies():
    network = plain()
    kept = network[1].weight.detach().clone()
    scaled = rescaled(network, 2.0, "filters")
    assert torch.equal(network[1].weight, kept)
    assert torch.equal(scaled[1].weight, 2 * kept)
    assert torch.equal(scaled[1].bias, network[1].bias)


def test_the_residual_network_is_resnet_18():
    network = residual_network()()
    # 11,220,132 parameters of ResNet-18 for 32 × 32 pixels and 100 classes, less its last layer.
    assert sum(weights.numel() for weights in network.parameters()) == 11_220_132 - 51_300
    assert sum(isinstance(module, nn.Conv2d) and module.kernel_size == (3, 3) for module in network.modules()) == 17
    sides = []
    for module in network:
        module.register_forward_hook(lambda *given: sides.append(given[2].shape[-1]))
    with torch.no_grad():
        assert network.eval()(torch.zeros(1, 3, 32, 32)).shape == (1, 512)
    assert sides[:11] == [32, 32, 32, 32, 32, 16, 16, 8, 8, 4, 4]


test_what_does_not_fit_is_named = refused(
    compared,
    {"network": plain},
    {
        "methods must hold one or more of alone, together, probed, finetuned": [{"methods": ()}],
        "each once": [{"methods": ("alone", "alone")}],
        "examples must be one or more even numbers": [{"examples": (3,)}],
        "n_main must be even and at most 38": [{"examples": (40,)}],
    },
)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"factors": (0.0,)}, ValueError, "factors must be greater than 0"),
        ({"factors": (np.nan,)}, ValueError, "factors must be finite"),
        ({"factors": "half"}, TypeError, "factors must be real numbers"),
        ({"scaled": "some"}, ValueError, "scaled must be one of"),
        ({"head": -1.0}, ValueError, "head must be greater than 0"),
    ],
)
def test_settings_of_finetuning_are_checked_as_they_are_made(settings, error, message):
    with pytest.raises(error, match=message):
        Finetuning(**settings)
