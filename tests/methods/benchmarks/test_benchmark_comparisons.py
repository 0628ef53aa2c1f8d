"""All methods on tiny tasks and tiny encoders, the table of scores, and refusals."""

import json

import numpy as np
import pytest
import torch
from torch import nn

from mtlbook_lib.data.benchmarks import FINDINGS, MissingData, Texts, TextTask, XRays, with_random_labels
from mtlbook_lib.methods.benchmarks import (
    METHODS,
    WEIGHTINGS,
    DenseNet,
    Scores,
    WordEncoder,
    compare_images,
    compare_texts,
    concatenate,
    small_network,
    transfer_texts,
    vocabulary,
)
from mtlbook_lib.methods.sharing import Training

Image = pytest.importorskip("PIL.Image")
TRAINING = Training(epochs=20, batch_size=8, rate=3e-2, dtype="float32")
SHORT = Training(epochs=1, batch_size=16, rate=1e-3, dtype="float32")
pytestmark = pytest.mark.filterwarnings("ignore:task . is fitted almost exactly")


def sentences(n, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    words = np.array(["good", "bad", "x", "y", "z"])
    first = tuple(f"{words[rng.integers(2, 5)]} {words[y]} {words[rng.integers(2, 5)]}" for y in labels)
    return Texts(first, ("",) * n, labels, ("0", "1"))


@pytest.fixture
def tasks():
    second = TextTask(sentences(24, 3), sentences(30, 4), "matthews")
    return {"a": TextTask(sentences(40, 1), sentences(30, 2)), "b": second}


@pytest.fixture
def encoder(tasks):
    words = vocabulary([task.train for task in tasks.values()])
    rng = np.random.default_rng(0)
    return WordEncoder(words, {word: rng.standard_normal(6) for word in words}, "mlp", 6, 6)


@pytest.fixture
def xrays(tmp_path):
    """Two findings, each a bright half; the rest of the findings never occur."""
    rng, found = np.random.default_rng(0), []
    for i in range(120):
        labels = np.zeros(14)
        labels[[0, 3]] = rng.integers(0, 2, 2)
        image = rng.integers(0, 60, (8, 8)) + 90 * int(labels[0]) * (np.arange(8) < 4)
        image += 90 * int(labels[3]) * (np.arange(8) >= 4)[:, None] * (np.arange(8) >= 4)
        Image.fromarray(image.astype(np.uint8)).save(tmp_path / f"{i}.png")
        found.append((str(tmp_path / f"{i}.png"), labels))
    files, labels = zip(*found, strict=True)
    whole = XRays(files, np.array(labels))
    return whole.rows(np.arange(70)), whole.rows(np.arange(70, 120))


def test_every_method_learns_and_is_scored_by_task(tasks, encoder):
    scores = compare_texts(tasks, encoder, training=TRAINING)
    assert tuple(scores.values) == METHODS
    assert scores.measures == ("accuracy", "matthews")
    assert all(table.shape == (1, 2) for table in scores.values.values())
    assert min(table.min() for table in scores.values.values()) > 0.8


def test_seeds_repeat_and_test_labels_do_not_matter_for_training(tasks, encoder):
    one = compare_texts(tasks, encoder, ["shared"], TRAINING, seed=3)
    again = compare_texts(tasks, encoder, ["shared"], TRAINING, seed=3)
    assert np.array_equal(one.values["shared"], again.values["shared"])
    turned = {
        name: TextTask(t.train, Texts(t.test.first, t.test.second, 1 - t.test.labels, t.test.classes))
        for name, t in tasks.items()
    }
    opposite = compare_texts(turned, encoder, ["shared"], TRAINING, seed=3)
    assert opposite.values["shared"][0, 0] == pytest.approx(1 - one.values["shared"][0, 0])


def test_transfer_scores_the_other_tasks(tasks, encoder):
    scores = transfer_texts(tasks, "a", encoder, TRAINING)
    assert scores.tasks == ("b",)
    assert list(scores.values) == ["alone", "fine-tuned", "fine-tuned, Algorithm 1"]
    hardly = transfer_texts(tasks, "a", encoder, SHORT)
    assert all(np.isfinite(table).all() for table in hardly.values.values())


def test_images_by_every_weighting(xrays):
    named = [FINDINGS[0], FINDINGS[3]]
    scores = compare_images(*xrays, small_network(8), findings=named, side=8, training=TRAINING)
    assert tuple(scores.values) == WEIGHTINGS
    assert scores.measures == ("AUC", "AUC")
    assert min(table.min() for table in scores.values.values()) > 0.8


def test_noise_reaches_the_training_labels_of_the_named_finding_alone(xrays, monkeypatch):
    def turned(labels, task, seed):
        return np.where(np.arange(labels.shape[1]) == task, 1 - labels, labels)

    monkeypatch.setattr("mtlbook_lib.methods.benchmarks.images.with_random_labels", turned)
    named = [FINDINGS[0], FINDINGS[3]]
    scores = compare_images(
        *xrays, small_network(8), ["shared"], named, noisy=named[1], side=8, training=TRAINING
    ).values["shared"][0]  # fmt: skip
    assert scores[0] > 0.8
    assert scores[1] < 0.2


def test_each_layer_of_the_small_network_halves_the_image():
    layers = small_network(8)()
    assert layers[:2](torch.zeros(2, 3, 16, 16)).shape == (2, 16, 8, 8)
    assert layers[:4](torch.zeros(2, 3, 16, 16)).shape == (2, 8, 4, 4)
    assert layers(torch.zeros(2, 3, 16, 16)).shape == (2, 8)


def test_networks_see_images_as_torchvision_scales_them(xrays):
    seen = []

    class Looking(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 2)

        def forward(self, x):
            seen.append(x.detach())
            return self.layer(x.mean(dim=(2, 3)))

    compare_images(*xrays, Looking, ["shared"], [FINDINGS[0], FINDINGS[3]], side=8, training=Training(epochs=1))
    image = np.asarray(Image.open(xrays[0].files[0])) / 255
    mean, deviation = np.array([[0.485, 0.456, 0.406], [0.229, 0.224, 0.225]])[..., None, None]
    expected = (image - mean) / deviation
    np.testing.assert_allclose(seen[0][0].numpy(), expected, rtol=1e-5, atol=1e-6)


def test_random_labels_touch_a_fifth_of_one_column():
    labels = np.zeros((1000, 3))
    found = with_random_labels(labels, 1, seed=0)
    assert not labels.any()
    assert not found[:, [0, 2]].any()
    assert 70 < found[:, 1].sum() < 130
    assert with_random_labels(labels, 2, seed=0)[:, 2].any()
    with pytest.raises(ValueError, match="task must be a column of labels, of which there are 3; got 3"):
        with_random_labels(labels, 3, seed=0)


def test_scores_are_a_table_with_errors_over_seeds():
    parts = [Scores(("a", "b"), ("accuracy", "AUC"), {"one": np.array([[x, 0.5]]), "two": np.array([[x + 0.1, 0.5]])})
             for x in (0.6, 0.8)]  # fmt: skip
    both = concatenate(parts)
    mean, error = both.mean_and_error("one")
    assert mean == pytest.approx([0.7, 0.5, 0.6])
    assert error == pytest.approx([0.1, 0.0, 0.05])
    lines = str(both).splitlines()
    assert lines[0].split() == ["method", "a", "b", "average"]
    assert lines[2].split("  ")[-1] == "60.0 ± 5.0"
    assert str(parts[0]).splitlines()[2].split() == ["one", "60.0", "50.0", "55.0"]
    assert json.loads(json.dumps(both.to_dict()))["scores"]["one"] == [[0.6, 0.5], [0.8, 0.5]]


def test_text_refusals(tasks, encoder):
    with pytest.raises(ValueError, match="methods must hold one or more of alone"):
        compare_texts(tasks, encoder, [])
    with pytest.raises(ValueError, match="methods must be one of 'alone', 'shared', 'Kendall'"):
        compare_texts(tasks, encoder, ["PCGrad"])
    for weights, message in (([1.0], "one entry for each of the 2 tasks; got "), ([1.0, 0.0], "greater than 0")):
        with pytest.raises(ValueError, match=f"weights must .*{message}"):
            compare_texts(tasks, encoder, ["shared"], SHORT, weights=weights)
    with pytest.raises(ValueError, match="tasks must map names to TextTasks"):
        compare_texts({}, encoder)
    with pytest.raises(TypeError, match="encoder must have rows, make and layer"):
        compare_texts(tasks, 3)
    with pytest.raises(ValueError, match="tasks must hold a task besides the source"):
        transfer_texts({"a": tasks["a"]}, "a", encoder)


def test_image_refusals(xrays, tmp_path, monkeypatch):
    network = small_network(4)
    with pytest.raises(ValueError, match="train must have images with and without each finding; Hernia is 0 in all 70"):
        compare_images(*xrays, network, findings=["Hernia"])
    with pytest.raises(ValueError, match=r"findings must hold one or more of .* each once"):
        compare_images(*xrays, network, findings=["Hernia", "Hernia"])
    monkeypatch.delenv("MTLBOOK_DENSENET", raising=False)
    with pytest.raises(MissingData, match=r"no path was given and MTLBOOK_DENSENET is not set.*densenet121"):
        DenseNet(None)
    with pytest.raises(MissingData, match=": file not found"):
        DenseNet(tmp_path)
