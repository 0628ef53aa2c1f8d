"""Flows on the logistic loss, against a general integrator, descent, and what the flow conserves."""

import numpy as np
import pytest
import torch
from _diagonal_tasks import conserved
from scipy.integrate import solve_ivp

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


def slopes(state, xs, ys, n_tasks):
    """Velocity of all weights of one network, from the chain rule."""
    up, um, *readouts = state.reshape(2 + 2 * n_tasks, -1)
    vp, vm = readouts[:n_tasks], readouts[n_tasks:]
    pulls = []
    for o, (x, y) in enumerate(zip(xs, ys, strict=True)):
        margins = y * (x @ (up * vp[o] - um * vm[o]))
        pulls.append((y / (1 + np.exp(margins))) @ x / len(y))
    first = sum(g * v for g, v in zip(pulls, vp, strict=True)), -sum(g * v for g, v in zip(pulls, vm, strict=True))
    return np.concatenate([*first, *[g * up for g in pulls], *[-g * um for g in pulls]])


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_the_flow_is_that_of_the_gradient(n_tasks):
    xs, ys = [X, TWIN][:n_tasks], [Y, Z][:n_tasks]
    start = random_start(n_tasks)
    found = logistic_flow(start, xs, ys, [3.0], accuracy=1e-5)[0].beta[0, 0]
    one = [(x[0, 0], y[0, 0]) for x, y in zip(xs, ys, strict=True)]
    begin = np.concatenate([start.u_plus[0], start.u_minus[0], start.v_plus[0, 0], start.v_minus[0, 0]]).ravel()

    def late(_, state):
        up, um, *v = state.reshape(2 + 2 * n_tasks, -1)
        beta = np.array([up * v[o] - um * v[n_tasks + o] for o in range(n_tasks)])
        return sum(np.logaddexp(0, -y * (x @ b)).mean() for (x, y), b in zip(one, beta, strict=True)) - np.exp(-3.0)

    late.terminal = True
    run = solve_ivp(
        lambda _, s: slopes(s, [x for x, _ in one], [y for _, y in one], n_tasks),
        (0, 1e5), begin, "LSODA", events=late, rtol=1e-9, atol=1e-11,
    )  # fmt: skip
    up, um, *v = run.y[:, -1].reshape(2 + 2 * n_tasks, -1)
    expected = np.array([up * v[o] - um * v[n_tasks + o] for o in range(n_tasks)])
    assert found == pytest.approx(expected, abs=2e-3 * np.abs(expected).max())


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
