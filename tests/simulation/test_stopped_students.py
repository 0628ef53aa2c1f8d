"""Students with a shared trunk that rows held out stop, against torch's own Adam and gradients."""

import numpy as np
import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from mtlbook_lib.simulation.stopped_students import train_stopped

RNG = np.random.default_rng(3)
X = [RNG.standard_normal((3, n, 4)) for n in (8, 11)]
HELD = RNG.standard_normal((3, 5, 4))
TRUNK, SHIFTS = RNG.standard_normal((3, 6, 4)), 0.1 * RNG.standard_normal((3, 6))
NUMBERS = [RNG.standard_normal(x.shape[:2]) for x in (*X, HELD)]
CLASSES = [(y > 0).astype(float) for y in NUMBERS]


def call(**change):
    arguments = {
        "inputs": X, "labels": [CLASSES[0], NUMBERS[1]], "binary": [True, False], "held_inputs": HELD,
        "held_labels": CLASSES[2], "trunk": TRUNK, "shifts": SHIFTS, "rate": 0.01, "n_steps": 40, "every": 40,
    }  # fmt: skip
    return train_stopped(**{**arguments, **change})


def by_torch(binary, labels, rectified, frozen, n_steps):
    """The first network, by automatic gradients and torch's Adam."""
    layers = [torch.tensor(TRUNK[0]), torch.tensor(SHIFTS[0]), torch.zeros(6, 2, dtype=torch.float64)]
    offsets = []
    for kind, y in zip(binary, labels, strict=True):
        share = (y[0].sum() + 0.5) / (len(y[0]) + 1)
        offsets.append(np.log(share / (1 - share)) if kind else y[0].mean())
    layers.append(torch.tensor(offsets))
    for layer in layers:
        layer.requires_grad_()
    trained = layers[2:] if frozen else layers if rectified else [layers[0], *layers[2:]]
    adam = torch.optim.Adam(trained, lr=0.01)
    for _ in range(n_steps):
        adam.zero_grad()
        total = torch.zeros((), dtype=torch.float64)
        for place, (x, y, kind) in enumerate(zip(X, labels, binary, strict=True)):
            features = torch.tensor(x[0]) @ layers[0].T + layers[1]
            features = torch.relu(features) if rectified else features
            said, wanted = features @ layers[2][:, place] + layers[3][place], torch.tensor(y[0])
            total = total + (
                binary_cross_entropy_with_logits(said, wanted) if kind else 0.5 * ((said - wanted) ** 2).mean()
            )
        total.backward()
        adam.step()
    return [layer.detach().numpy() for layer in layers]


@pytest.mark.parametrize(("rectified", "frozen"), [(True, False), (False, False), (True, True)])
def test_training_is_adam_of_torch_on_the_sum_of_mean_losses(rectified, frozen):
    n_steps = 5
    expected = by_torch([True, False], [CLASSES[0], NUMBERS[1]], rectified, frozen, n_steps)
    found = call(rectified=rectified, frozen=frozen, n_steps=n_steps, every=n_steps, held_labels=likely_end(expected))
    for layer, wanted in zip((found.trunk, found.shifts, found.heads, found.offsets), expected, strict=True):
        assert layer[0] == pytest.approx(wanted, rel=1e-6, abs=1e-9)
    assert np.array_equal(found.trunk[0], TRUNK[0]) == frozen
    assert np.array_equal(found.shifts[0], SHIFTS[0]) == (frozen or not rectified)


def likely_end(layers):
    """Answers on the held-out rows that the end of training explains better than its start."""
    features = HELD[0] @ layers[0].T + layers[1]
    said = np.maximum(features, 0) @ layers[2][:, 0]
    return np.broadcast_to((said > 0).astype(float), HELD.shape[:2])


def test_a_student_that_is_stopped_at_once_is_a_constant():
    wrong = call(labels=[CLASSES[0], NUMBERS[1]], n_steps=1, every=10)
    assert np.ptp(wrong.outputs(HELD), axis=1) == pytest.approx(0.0, abs=1e-12)
    share = (CLASSES[0].sum(axis=1) + 0.5) / 9
    assert 1 / (1 + np.exp(-wrong.outputs(HELD)[:, 0])) == pytest.approx(share)


@pytest.mark.parametrize("binary", [[True, False], [False, True]])
def test_the_loss_that_stops_is_that_of_the_first_task(binary):
    """Every length of training is tried apart, as numbers or as classes."""
    labels = [CLASSES[i] if kind else NUMBERS[i] for i, kind in enumerate(binary)]
    given = {"labels": labels, "binary": binary, "rate": 0.08, "held_labels": CLASSES[2] if binary[0] else NUMBERS[2]}
    kept = call(**given, n_steps=60, every=10).outputs(HELD)

    def loss(said):
        if binary[0]:
            return (np.logaddexp(0, said) - given["held_labels"] * said).mean(axis=1)
        return np.square(said - given["held_labels"]).mean(axis=1)

    tried = [call(**given, n_steps=1, every=2).outputs(HELD)]
    tried += [call(**given, n_steps=n, every=n).outputs(HELD) for n in range(10, 70, 10)]
    losses = [loss(said) for said in tried]
    assert binary[0] or len(set(np.argmin(losses, axis=0))) > 1  # not all are stopped at once
    assert loss(kept) == pytest.approx(np.min(losses, axis=0))


def test_steps_after_the_last_checkpoint_are_lost():
    easy = {
        "labels": NUMBERS[:2],
        "binary": [False, False],
        "held_inputs": X[0][:, :5],
        "held_labels": NUMBERS[0][:, :5],
    }
    nine, five, ten = (call(**easy, n_steps=n, every=5).outputs(HELD) for n in (9, 5, 10))
    assert np.array_equal(nine, five)
    assert np.abs(ten - five).max() > 1e-4
