"""Flows on the logistic loss, against single steps, descent, and what the flow conserves."""

import numpy as np
import pytest
import torch
from _diagonal_tasks import conserved

from mtlbook_lib.simulation.diagonal import equal_pathways, start_from
from mtlbook_lib.simulation.diagonal_variants import fixed_steps, logistic_flow
from mtlbook_lib.simulation.diagonal_variants.logistic import _examples, _Flow
from mtlbook_lib.simulation.engine import boosted, by_lu, rosenbrock

RNG = np.random.default_rng(0)
X, TWIN = RNG.standard_normal((2, 3, 1, 4, 9))
Y, Z = np.sign(X[..., 0]), np.sign(TWIN[..., 1])


def random_start(n_tasks):
    u, w = RNG.uniform(0.1, 0.6, (2, 3, 1, 9))
    v, m = RNG.uniform(0.1, 0.6, (2, 3, 1, n_tasks, 9))
    return start_from(u, w, v, m)


def level(beta, xs, ys):
    """Minus the log of the loss, (seed,)."""
    losses = [np.logaddexp(0, -y[:, 0] * np.einsum("sid,sd->si", x[:, 0], beta[:, 0, o])).mean(axis=1)
              for o, (x, y) in enumerate(zip(xs, ys, strict=True))]  # fmt: skip
    return -np.log(sum(losses))


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_marks_are_reached(n_tasks):
    xs, ys = [X, TWIN][:n_tasks], [Y, Z][:n_tasks]
    for mark, state in zip(
        [2.0, 5.0, 20.0], logistic_flow(random_start(n_tasks), xs, ys, [2.0, 5.0, 20.0]), strict=True
    ):
        assert level(state.beta, xs, ys) == pytest.approx(mark, rel=1e-5)


def test_what_the_flow_conserves_is_conserved_at_tiny_losses():
    start = random_start(2)
    end = logistic_flow(start, [X, TWIN], [Y, Z], [100.0])[0]
    scale = end.squared_norm.max()
    assert np.abs(conserved(end) - conserved(start)).max() < 1e-11 * scale


def test_descent_goes_the_same_way():
    start = equal_pathways(0.3, 0.3, (3, 1, 9))
    steps = fixed_steps(start, X[:, 0], Y[:, 0], 0.02, [5000], loss="logistic")[0]
    mark = level(steps.beta, [X], [Y])
    flow = logistic_flow(equal_pathways(0.3, 0.3, (1, 1, 9)), [X[:1]], [Y[:1]], mark[:1])[0]
    assert steps.beta[0] == pytest.approx(flow.beta[0], abs=0.02 * np.abs(flow.beta[0]).max())


def test_what_cannot_be_separated_says_so():
    clash, labels = np.array([[[[1.0, 0.0], [1.0, 0.0]]]]), np.array([[[1.0, -1.0]]])
    with pytest.raises(RuntimeError, match="can the data be separated"):
        logistic_flow(equal_pathways(0.1, 0.1, (1, 1, 2)), [clash], [labels], [2.0], max_steps=50)


def logistic_parts(n_tasks):
    """The flow, a function that gives the growth of −log L with each margin after an impulse, and the first runs."""
    start, xs, ys = random_start(n_tasks), [X, TWIN][:n_tasks], [Y, Z][:n_tasks]
    flow = _Flow(start, _examples(start, xs, ys), 1e-3)
    signed = torch.from_numpy(np.concatenate([y[..., None] * x for x, y in zip(xs, ys, strict=True)], axis=2)[:, 0])
    task = np.repeat(np.arange(n_tasks), 4)

    def shares(impulse):
        pulls = impulse[..., None] * signed
        angles = torch.stack([pulls[:, task == o].sum(dim=1) for o in range(n_tasks)], dim=1)
        u, v = boosted(*flow._point, angles)
        margins = (signed * (u[:, :, None] * v).sum(dim=0)[:, task]).sum(dim=2).detach().requires_grad_()
        loss = torch.log1p(torch.exp(-margins)).sum(dim=1) / 4
        return torch.autograd.grad(-loss.log().sum(), margins)[0]

    def angles_of(impulse):
        pulls = impulse[..., None] * signed
        return torch.stack([pulls[:, task == o].sum(dim=1) for o in range(n_tasks)], dim=1)

    return flow, shares, angles_of, torch.zeros(3, 4 * n_tasks, dtype=torch.float64)


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_a_step_is_that_of_the_method_on_the_impulse(n_tasks):
    flow, shares, angles_of, zero = logistic_parts(n_tasks)
    step = torch.tensor([0.3, 0.5, 0.7], dtype=torch.float64)
    nudges = 1e-5 * torch.eye(zero.shape[1], dtype=torch.float64)
    derivative = torch.stack([(shares(zero + e) - shares(zero - e)) / 2e-5 for e in nudges], dim=2)
    impulse, _, error = rosenbrock(step, shares(zero), -derivative * step[:, None, None], shares, by_lu)
    end, missed = flow._trial(flow._examples, flow._point, step)
    for found, expected in zip(end, boosted(*flow._point, angles_of(impulse)), strict=True):
        assert found.numpy() == pytest.approx(expected.numpy(), abs=1e-8)
    expected = torch.linalg.vector_norm(angles_of(error), dim=1).amax(dim=1)
    assert missed.numpy() == pytest.approx(expected.numpy(), rel=1e-5)
    assert missed.min() > 1e-6


def test_weights_of_zero_are_refused():
    with pytest.raises(ValueError, match="must not all be zero"):
        logistic_flow(equal_pathways(0.0, 0.0, (1, 2, 3)), np.eye(3)[None, :2], np.ones((1, 2)), [2.0])
