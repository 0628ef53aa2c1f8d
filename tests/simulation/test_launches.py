"""What each training loop asks of a device: at most 50 launches a step and 100 waits in 1,000 steps, or its reason."""

from contextlib import suppress

import numpy as np
import pytest
import torch
from launches import Counts, counted, watched

from mtlbook_lib.methods.sharing import HardSharing, Training
from mtlbook_lib.simulation import convolution, diagonal, diagonal_variants, shallow, softmax
from mtlbook_lib.simulation.linear import descent, gradient_flow, students
from mtlbook_lib.simulation.linear.shared_head import head_flow, head_networks
from mtlbook_lib.simulation.mixed_batches import train_on_mixed_batches
from mtlbook_lib.simulation.rectifier import descent as rectifiers
from mtlbook_lib.simulation.shared_modules import train_modules
from mtlbook_lib.simulation.sharing import train_shared
from mtlbook_lib.simulation.stopped_students import train_stopped
from mtlbook_lib.simulation.two_tasks.shared_features import train_features

RNG = np.random.default_rng(4)
SEEDS = [0, 1, 2]
ROWS = RNG.standard_normal((3, 1, 6, 8)) / 3  # seed, setting, example, input
LABELS = np.sign(RNG.standard_normal((3, 1, 6)))
PLAIN = ROWS[:, 0], LABELS[:, 0]
MAPS = RNG.standard_normal((3, 1, 5, 7))
OUT_OF_REACH = 1e-50  # as a loss


def layers(depth=2):
    return students.gaussian(5, 7, [4] * (depth - 1), 0.4, SEEDS, depth=depth)


def diagonal_start(n_tasks):
    u, v = RNG.uniform(0.1, 0.6, (2, 3, 1, 8)), RNG.uniform(0.1, 0.6, (2, 3, 1, n_tasks, 8))
    return diagonal.start_from(*u, *v)


def diagonal_flow(n, n_tasks=1):
    start, data = diagonal_start(n_tasks), ([ROWS] * n_tasks, [LABELS, -LABELS][:n_tasks])
    diagonal.gradient_flow(start, *data, OUT_OF_REACH, 1e-4, max_steps=n)


def logistic(n):
    with suppress(RuntimeError):  # it does not get there in so few steps
        diagonal_variants.logistic_flow(diagonal_start(2), [ROWS] * 2, [LABELS, -LABELS], [600.0], 1e-6, max_steps=n)


def sampled(n):
    with suppress(RuntimeError):
        diagonal.sampled_flow(diagonal_start(2), [ROWS] * 2, [LABELS, -LABELS], [1e6], max_steps=n)


def of_a_head(n):
    start = head_networks(RNG.standard_normal((3, 1, 4, 8)), RNG.standard_normal((3, 1, 4)))
    with suppress(ValueError):
        head_flow(start, ROWS, LABELS, 1e6, max_steps=n)


def convolutions(n):
    tasks = [convolution.Images(RNG.standard_normal((3, 6, 64)), RNG.integers(0, k, (3, 6))) for k in (2, 4)]
    convolution.descend(convolution.random_networks([2, 4], SEEDS), tasks, OUT_OF_REACH, max_steps=n)


def classifiers(n):
    start = softmax.normal_students(4, 8, 5, 0.5, SEEDS, n_tasks=2)
    task = ROWS[:, 0].swapaxes(1, 2), RNG.integers(0, 4, (3, 1, 6))
    softmax.descend(start, [task, task], 0.1, n, record=n)


def tables(n):
    """32 batches an epoch, by an optimiser of torch that looks at no number: its Adam counts steps on the host."""
    x, y = RNG.standard_normal((128, 8)), RNG.standard_normal((128, 2))
    training = Training("sgd", epochs=(n + 1) // 32, batch_size=4, validation=0.0)
    HardSharing(3, training=training).fit(x, y)


LOOPS = {
    "linear descent": lambda n: descent.descend(layers(), MAPS, 0.01, n, record_every=n),
    "linear flow": lambda n: gradient_flow.integrate(layers(), MAPS, [1e6], max_steps=n),
    "rectifiers": lambda n: rectifiers.descend(layers(3), MAPS[:, 0].swapaxes(1, 2), MAPS[..., :5], 0.01, n,
                                               record_every=n),
    "classifiers": classifiers,
    "diagonal flow": diagonal_flow,
    "diagonal flow, two tasks": lambda n: diagonal_flow(n, 2),
    "diagonal flow, sampled": sampled,
    "diagonal descent": lambda n: diagonal.descend(diagonal_start(2), [ROWS] * 2, [LABELS] * 2, OUT_OF_REACH,
                                                   max_steps=n),
    "logistic flow": logistic,
    "diagonal steps": lambda n: diagonal_variants.fixed_steps(diagonal_start(1), *PLAIN, 0.01, [n], 4, SEEDS),
    "chains": lambda n: diagonal_variants.descend_chains(0.1, 3, *PLAIN, OUT_OF_REACH, max_steps=n),
    "shallow flow": lambda n: shallow.gradient_flow(shallow.random_layers(8, 10, SEEDS, 0.3, 2), [ROWS] * 2,
                                                    [LABELS] * 2, OUT_OF_REACH, max_steps=n),
    "convolution": convolutions,
    "flow of a head": of_a_head,
    "hard sharing": lambda n: train_shared(ROWS, LABELS, 2, SEEDS, n),
    "mixed batches": lambda n: train_on_mixed_batches(*([np.repeat(part, 8, 1)] for part in PLAIN), SEEDS, n // 16,
                                                      batch_size=3),
    "modules": lambda n: train_modules(ROWS.swapaxes(1, 2), LABELS.swapaxes(1, 2), ROWS.swapaxes(1, 2),
                                       LABELS.swapaxes(1, 2), 2, SEEDS, n),
    "stopped students": lambda n: train_stopped([PLAIN[0]] * 2, [PLAIN[1]] * 2, [False, False], *PLAIN,
                                                RNG.standard_normal((3, 5, 8)), np.zeros((3, 5)), 0.01, n_steps=n),
    "a user's tables": tables,
    "shared features": lambda n: train_features([PLAIN[0]] * 2, [LABELS] * 2, 2, SEEDS, n, True),
}  # fmt: skip


# More launches, and why that is so: what a step is made of, with two layers or two tasks.
REASONS = {
    "linear flow": (145, "six stages of three products, and masks for runs that are done"),
    "flow of a head": (170, "six stages, and masks"),
    "diagonal flow, sampled": (320, "six stages of two tasks, and masks"),
    "diagonal flow": (145, "an implicit step has three solves and three looks at the residuals"),
    "diagonal flow, two tasks": (215, "the same of two tasks, with boosts"),
    "logistic flow": (215, "the same of two tasks, with boosts"),
    "diagonal descent": (65, "pulls of two tasks, and a rate for each run"),
    "shallow flow": (80, "an implicit step, its prediction and its masks"),
    "convolution": (90, "two tasks forward and back through four layers"),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_step_asks_little_of_a_device(name, monkeypatch):
    found = []
    for n in (31, 95):  # so many steps end with a look: 1 + 2 + 4 + 8 + 16 + ...
        with counted(monkeypatch) as counts:
            LOOPS[name](n)
        found.append(counts)
    few, many = found
    launches, waits = (many - few).of(64)
    assert launches <= REASONS.get(name, (50,))[0], (many - few).launches
    assert waits <= 100, (many - few).waits


def test_reasons_are_those_of_loops_that_have_more():
    assert set(REASONS) <= set(LOOPS)
    assert all(most > 50 for most, _ in REASONS.values())


def test_what_is_counted():
    """A view is no launch; a number, a mask and a copy make the host wait."""
    counts = Counts()
    with watched(counts):
        values = torch.ones(4, 3)
        values.T.flatten()[values.flatten() > 0].sum().item()
        torch.tensor([1.0])
    assert counts.launches["ones"] == counts.launches["sum"] == counts.launches["gt"] == 1
    assert counts.waits == {"index by a mask": 1, "_local_scalar_dense": 1, "tensor": 1}
