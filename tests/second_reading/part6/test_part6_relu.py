"""Networks of rectifiers read a second time: kernels by sampling, descent by hand, batched over tasks."""

import numpy as np
import pytest
from own_diagonal import examples

INPUTS, UNITS = 8, 64


def outputs(first, second, x):
    return np.maximum(x @ first.T, 0) @ second


def descended(first, second, x, y, share, tolerance=1e-4, most=8000):
    """Plain descent on squared errors times their share, with a step that follows the loss."""
    first, second, step, last = first.copy(), second.copy(), 0.1, np.inf
    for _ in range(most):
        hidden = x @ first.T
        active = np.maximum(hidden, 0)
        missed = share * (y - active @ second)
        loss = (missed * (y - active @ second)).sum()
        if loss < tolerance:
            break
        step, last = (step * 1.02 if loss < last else step * 0.5), loss
        first, second = (
            first + step * ((missed @ second.T) * (hidden > 0)).T @ x,
            second + step * active.T @ missed,
        )
    assert loss < tolerance
    return first, second


def start(rng, n_outputs, size=0.01):
    return size * rng.standard_normal((UNITS, INPUTS)), size * rng.standard_normal((UNITS, n_outputs))


def path_norm(first, second):
    return (np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)).sum()


def kernel(x, z):
    cosine = np.clip(x @ z.T, -1, 1)
    angle = np.arccos(cosine)
    return (np.sin(angle) + 2 * (np.pi - angle) * cosine) / (2 * np.pi)


@pytest.mark.claims("relu-tangent-kernel")
@pytest.mark.parametrize("angle", [0.3, 1.5, 2.8])
def test_the_tangent_kernel_is_the_mean_product_of_gradients(angle):
    rng = np.random.default_rng(5)
    x = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    first, second = rng.standard_normal((400000, 2)), rng.standard_normal(400000)
    hidden = first @ x.T
    products = np.prod(np.maximum(hidden, 0), axis=1) + np.cos(angle) * second**2 * (hidden > 0).all(axis=1)
    assert products.mean() == pytest.approx(kernel(x[:1], x[1:]).item(), abs=5 * products.std() / 632)


def two_tasks(seed, n_main, n_aux=60, size=0.01):
    """Networks for both tasks together and for each alone, on teachers with the same six units."""
    rng = np.random.default_rng([seed, 9])
    units, signs = examples(rng, 6, INPUTS), rng.choice([-1.0, 1.0], (6, 2))
    x = examples(rng, n_main + n_aux, INPUTS)
    y = np.maximum(x @ units.T, 0) @ signs
    share = np.zeros_like(y)
    share[:n_main, 0], share[n_main:, 1] = 1 / n_main, 1 / n_aux
    joint = descended(*start(rng, 2, size), x, y, share)
    alone = [descended(*start(rng, 1, size), x, y[:, [o]], share[:, [o]]) for o in (0, 1)]
    return joint, alone


@pytest.fixture(scope="module")
def learned():
    return two_tasks(0, 32)


@pytest.mark.claims("relu-least-weights", "relu-norm-factor")
def test_squared_weights_are_twice_the_path_norm(learned):
    for first, second in (learned[0], *learned[1]):
        assert ((first**2).sum() + (second**2).sum()) / path_norm(first, second) == pytest.approx(2, rel=0.01)


@pytest.mark.claims("relu-group-norm")
def test_both_tasks_together_have_the_smaller_grouped_norm(learned):
    joint, alone = learned
    assert path_norm(*joint) < 0.95 * sum(path_norm(*one) for one in alone)


@pytest.mark.claims("relu-new-alone")
def test_the_other_side_of_few_examples_a_sparse_new_task_is_learned_alone_first():
    rng = np.random.default_rng([1, 9])
    old, new = examples(rng, 6, INPUTS), examples(rng, 1, INPUTS)
    signs = rng.choice([-1.0, 1.0], (6, 1))
    x, many, test = (examples(rng, n, INPUTS) for n in (32, 100, 1000))
    y, truth = np.maximum(x @ new.T, 0), np.maximum(test @ new.T, 0)
    pretrained = descended(*start(rng, 1), many, outputs(old, signs, many), 1 / 100)[0]
    alone = descended(*start(rng, 1), x, y, 1 / 32, 1e-6)
    tuned = descended(pretrained, np.full((UNITS, 1), 1e-3), x, y, 1 / 32, 1e-6)
    errors = [((outputs(*layers, test) - truth) ** 2).mean() / truth.var() for layers in (alone, tuned)]
    assert errors[1] > 3 * errors[0]
