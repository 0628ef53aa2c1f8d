"""Students of two layers and 1600 examples read a second time: descent in NumPy, written from the networks' definition.

The stored losses are those of the chapter on auxiliary data: rate 0.25, full batch, the mean loss of each task, stopped
where the loss on 1000 noise-free examples is lowest.
"""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.auxiliary_data import experiment
from mtlbook_lib.data.classification import labelled, snr_pairs, snr_teachers
from mtlbook_lib.simulation import softmax

RATE, EVERY, STEPS = 0.25, 3, 132
CLASSES, FEATURES, HIDDEN, EXAMPLES = 10, 100, 50, 1600


def probabilities(logits):
    p = np.exp(logits - logits.max(axis=0))
    return p / p.sum(axis=0)


def outputs_of_layers(trunk, x, rectified):
    found = [x]
    for w in trunk:
        found.append(np.maximum(w @ found[-1], 0) if rectified else w @ found[-1])
    return found


def cross_entropy(trunk, head, test, rectified):
    x, y = test
    logits = head @ outputs_of_layers(trunk, x, rectified)[-1]
    return -np.mean(np.log(probabilities(logits)[y, np.arange(len(y))]))


def best_loss(trunk, heads, tasks, test, rectified):
    """Least loss of the first task, by a parabola through the lowest sample and its neighbours."""
    trunk, heads, losses = [w.copy() for w in trunk], [h.copy() for h in heads], []
    for step in range(STEPS + 1):
        if step % EVERY == 0:
            losses.append(cross_entropy(trunk, heads[0], test, rectified))
        pulls = [np.zeros_like(w) for w in trunk]
        for task, (x, y) in enumerate(tasks):
            z = outputs_of_layers(trunk, x, rectified)
            back = (np.eye(CLASSES)[:, y] - probabilities(heads[task] @ z[-1])) / len(y)
            above, heads[task] = heads[task], heads[task] + RATE * back @ z[-1].T
            for layer in reversed(range(len(trunk))):
                back = above.T @ back * (z[layer + 1] > 0 if rectified else 1)
                pulls[layer] += back @ z[layer].T
                above = trunk[layer]
        trunk = [w + RATE * pull for w, pull in zip(trunk, pulls, strict=True)]
    low = int(np.argmin(losses))
    assert 0 < low < len(losses) - 1
    left, middle, right = losses[low - 1 : low + 2]
    return middle - (right - left) ** 2 / (8 * (left - 2 * middle + right))


def kept_data(seed, related):
    """A data set of the stored runs: main and auxiliary task, test examples."""
    main, auxiliary = snr_pairs(CLASSES, FEATURES, 3.0, 100.0, [related], [seed])
    clean = snr_teachers(CLASSES, FEATURES, 1.0, [seed])
    sets = labelled(main, EXAMPLES), labelled(auxiliary, EXAMPLES, "auxiliary")
    return [(x[0], y[0, 0]) for x, y in (*sets, labelled(clean, 1000, "test", noise="none"))]


@pytest.mark.claims("data-rectified-related", "data-shift")
@pytest.mark.parametrize(("rectified", "related"), [(False, 0.0), (False, 1.0), (True, 0.0), (True, 1.0)])
def test_stored_students_on_the_same_data(rectified, related):
    *tasks, test = kept_data(0, related)
    start = softmax.normal_students(CLASSES, FEATURES, HIDDEN, 1.0, [0], depth=3, n_tasks=2, rectified=rectified).layers
    *trunk, first, second = (np.asarray(layer[0, 0], dtype=float) for layer in start)
    benefits, alone = experiment.stored_trunks("large", EXAMPLES)["rectified" if rectified else "linear"]
    joint = best_loss(trunk, [first, second], tasks, test, rectified)
    # Rectified pairs jump about their minimum at this rate, and the rounding of single precision grows there.
    allowed = 1e-3 if rectified else 2e-5
    assert joint == pytest.approx(alone[1, 0] - benefits[1, 0, round(4 * related)], abs=allowed)


def own_data(seed):
    """A data set from the definition: labels of a noisy teacher for training, of the clean one for tests."""
    rng = np.random.default_rng(seed)
    right = np.linalg.qr(rng.standard_normal((FEATURES, CLASSES)))[0]
    teacher = 3 * np.linalg.qr(rng.standard_normal((CLASSES, CLASSES)))[0] @ right.T
    noisy = teacher + rng.standard_normal(teacher.shape) / np.sqrt(FEATURES)
    x, new = rng.standard_normal((FEATURES, EXAMPLES)), rng.standard_normal((FEATURES, 1000))
    sizes = ((HIDDEN, FEATURES), (HIDDEN, HIDDEN), (CLASSES, HIDDEN))
    return (
        (x, (noisy @ x).argmax(0)),
        (new, (teacher @ new).argmax(0)),
        [rng.standard_normal(size) / np.sqrt(size[1]) for size in sizes],
    )


@pytest.mark.claims("data-start")
def test_the_start_of_the_first_layer_decides_how_fast_a_rectified_student_learns():
    """Either all hidden layers start larger by √2, or those that a rectifier feeds: maps of one size, at the start."""
    task, test, layers = own_data(1)
    after, before = (
        best_loss([a * first, b * second], [c * head], [task], test, rectified=True)
        for first, second, head in [layers]
        for a, b, c in (np.sqrt([2, 2, 1]), np.sqrt([1, 2, 2]))
    )
    assert after - before == pytest.approx(0.2, abs=0.1)
