"""Laws of descent: arms that share draws, a batch is a loop, what flow conserves, precision, device, faults."""

import numpy as np
import pytest
import torch
from _classification_tasks import N_CLASSES, N_FEATURES, N_HIDDEN, SEEDS, students, two_tasks
from _flow_tasks import DevicesAreNamed

from mtlbook_lib.data.classification import labelled, snr_teachers
from mtlbook_lib.simulation import softmax
from mtlbook_lib.statistics import mean_and_error


@pytest.mark.parametrize("options", [{}, {"batch_size": 5, "batch_seeds": SEEDS}, {"loss": "sum"}])
@pytest.mark.parametrize("rectified", [False, True])
def test_an_auxiliary_task_without_weight_changes_nothing(options, rectified):
    tasks, test = two_tasks()
    start = students(rectified=rectified)
    observe = {"test_loss": softmax.cross_entropy(test)}
    joint = softmax.descend(start, tasks, 0.2, 40, task_weights=[1.0, 0.0], observe=observe, **options)
    alone = softmax.descend(start.alone(), tasks[:1], 0.2, 40, observe=observe, **options)
    # Up to rounding: products of other shapes may add their terms in another order.
    np.testing.assert_allclose(joint.values["test_loss"], alone.values["test_loss"], rtol=0, atol=1e-13)
    for one, other in zip(joint.layers[:2], alone.layers, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-13)
    assert np.array_equal(joint.layers[2], np.broadcast_to(start.heads[1].cpu(), joint.layers[2].shape))


@pytest.mark.parametrize("rectified", [False, True])
@pytest.mark.parametrize("options", [{}, {"batch_size": 5}])
def test_batch_equals_loop(monkeypatch, rectified, options):
    tasks, test = two_tasks()
    start, weights = students(3, rectified=rectified), [1.0, np.array([0.5, 1.0, 2.0])]
    seeds = {"batch_seeds": SEEDS} if options else {}
    whole = softmax.descend(start, tasks, 0.2, 25, task_weights=weights, **options, **seeds)
    monkeypatch.setattr("mtlbook_lib.simulation.softmax.problems._GROUP_BYTES", 1)
    split = softmax.descend(start, tasks, 0.2, 25, task_weights=weights, **options, **seeds)
    loss = softmax.cross_entropy(test)(softmax.Students.of(split.layers, 2, rectified))
    assert loss.shape == (2, 3)
    for s, g in np.ndindex(2, 3):
        parts = [(t.inputs[s : s + 1], t.labels[s : s + 1, g : g + 1]) for t in tasks]
        few = start.with_layers([layer[s : s + 1] for layer in start.layers])
        mine = {"batch_seeds": SEEDS[s : s + 1]} if options else {}
        alone = softmax.descend(few, parts, 0.2, 25, task_weights=[1.0, weights[1][g]], **options, **mine)
        for one, many, groups in zip(alone.layers, whole.layers, split.layers, strict=True):
            np.testing.assert_allclose(one[0, 0], many[s, g], rtol=0, atol=1e-13)
            np.testing.assert_allclose(groups[s, g], many[s, g], rtol=0, atol=1e-13)


@pytest.mark.parametrize(("depth", "layer"), [(2, 0), (4, 0), (4, 1), (4, 2)])
def test_balance_drifts_in_proportion_to_the_rate(depth, layer):
    """The flow conserves it, for two heads too; descent over the same time misses by a multiple of its rate."""
    tasks, _ = two_tasks()
    observe = {"balance": softmax.balance(layer)}
    drifts = []
    for rate in (0.04, 0.004):
        steps = round(4 / rate)
        found = softmax.descend(students(depth, scale=0.8), tasks, rate, steps, record=steps, observe=observe)
        values = found.values["balance"]
        drifts.append(np.abs(values[:, :, -1] - values[:, :, 0]).max())
    assert 1e-6 < drifts[0] < 0.2
    assert 8 < drifts[0] / drifts[1] < 12


def test_scales_of_the_layers():
    """Only what feeds a rectifier is larger."""
    for rectified, factor in ((False, 1), (True, 2)):
        drawn = softmax.normal_students(30, 100, [80, 50], 0.5, range(40), depth=3, n_tasks=2, rectified=rectified)
        spreads = [4 * float(layer.square().mean()) for layer in drawn.layers]
        np.testing.assert_allclose(spreads, [factor / 100, factor / 80, 1 / 50, 1 / 50], rtol=0.02)
    several = softmax.normal_students(4, 9, 6, [0.1, 1.0], SEEDS).trunk[0].cpu()
    np.testing.assert_allclose(several[:, 1], 10 * several[:, 0], rtol=1e-14)


@pytest.mark.parametrize("rectified", [False, True])
def test_at_scale_one_logits_are_as_large_as_inputs(rectified):
    inputs = torch.from_numpy(np.random.default_rng(1).standard_normal((40, 100, 50)))
    drawn = softmax.normal_students(20, 100, 200, 1.0, range(40), depth=4, rectified=rectified)
    mean, error = mean_and_error(drawn.logits(inputs.to(drawn.layers[0])).square().mean(dim=(1, 2, 3)).cpu())
    assert mean == pytest.approx(1.0, abs=4 * error)
    assert error < 0.06  # heads that were larger by the root of two would give 2


def test_divergence_is_an_error_that_names_the_student():
    task = labelled(snr_teachers(N_CLASSES, N_FEATURES, [1.0, 3.0], SEEDS), 20)
    inputs = task.inputs.copy()
    inputs[1] *= 1e160
    start = softmax.normal_students(N_CLASSES, N_FEATURES, N_HIDDEN, [1e-3, 1.0], SEEDS)
    with pytest.raises(FloatingPointError, match=r"\(1, [01]\), counted from 0.*take a smaller lr"):
        softmax.descend(start, [(inputs, task.labels)], 1e50, 5)
    far = start.with_layers([layer * 1e200 for layer in start.layers])
    with pytest.raises(FloatingPointError, match="losses are not finite"):
        softmax.cross_entropy(task)(far)


@pytest.mark.parametrize("rectified", [False, True])
def test_new_tensors_name_their_device(rectified):
    tasks, test = two_tasks()
    start, options = students(rectified=rectified), {"batch_size": 5, "batch_seeds": SEEDS}
    with DevicesAreNamed():
        softmax.descend(start, tasks, 0.2, 3, observe={"test_loss": softmax.cross_entropy(test)}, **options)
