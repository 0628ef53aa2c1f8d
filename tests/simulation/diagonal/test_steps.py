"""Single steps of the trainers of diagonal networks, from their definitions, and what is left to their defaults."""

import numpy as np
import pytest
import torch
from _diagonal_tasks import X, Y, distance, random_start

from mtlbook_lib.simulation.diagonal import descend, equal_pathways, gradient_flow, sampled_flow
from mtlbook_lib.simulation.diagonal.boosts import Boosts
from mtlbook_lib.simulation.diagonal.flow import _Frozen, _Integrator
from mtlbook_lib.simulation.diagonal.problems import State, residuals_of, state_of, tasks_of
from mtlbook_lib.simulation.engine import rosenbrock

XS, YS = [X, X[..., :3, :]], [Y, -2 * Y[..., :3]]
RUNS, STEP = torch.arange(6), torch.linspace(0.2, 0.4, 6, dtype=torch.float64)
KINDS = [(1, _Integrator), (1, _Frozen), (2, Boosts)]


def stepper(n_tasks, kind):
    """One of the flows, ready to step, and what it knows."""
    start = random_start(n_tasks)
    state, tasks = state_of(start), tasks_of(start, XS[:n_tasks], YS[:n_tasks])
    return state, tasks, kind(state, tasks if kind is Boosts else tasks[0], 1e-10, 1e-2)


def turned(state, angles, frozen):
    """Weights after angles (run, task, D), by the exponential of the generator, or readouts along a frozen layer."""
    if frozen:
        change = angles * state.u_plus[:, None], -angles * state.u_minus[:, None]
        return State(state.u_plus, state.u_minus, state.v_plus + change[0], state.v_minus + change[1])
    n_tasks = angles.shape[1]
    found = []
    for u, v, sign in ((state.u_plus, state.v_plus, 1), (state.u_minus, state.v_minus, -1)):
        vector = torch.cat([u[:, None], v], dim=1).mT[..., None]
        top = torch.cat([torch.zeros_like(angles[:, :1]), sign * angles], dim=1).mT[:, :, None]
        rest = torch.cat([sign * angles.mT[..., None], angles.new_zeros(*angles.mT.shape, n_tasks)], dim=3)
        found.append((torch.linalg.matrix_exp(torch.cat([top, rest], dim=2)) @ vector)[..., 0].mT)
    return State(found[0][:, 0], found[1][:, 0], found[0][:, 1:], found[1][:, 1:])


def angles_of(impulse, tasks):
    parts = impulse.split([task.labels.shape[1] for task in tasks], dim=1)
    return torch.stack(
        [torch.einsum("rm,rmd->rd", part, task.inputs) for part, task in zip(parts, tasks, strict=True)], 1
    )


@pytest.mark.parametrize(("n_tasks", "kind"), KINDS)
def test_a_step_is_that_of_the_method_on_the_impulse(n_tasks, kind):
    """Its derivative is here left to automatic differentiation, and its boosts to the exponential of a matrix."""
    state, tasks, flow = stepper(n_tasks, kind)

    def field(impulse):
        return 2 * torch.cat(residuals_of(turned(state, angles_of(impulse, tasks), kind is _Frozen), tasks), dim=1)

    zero = torch.zeros(6, sum(task.labels.shape[1] for task in tasks), dtype=torch.float64)
    derivative = torch.autograd.functional.jacobian(field, zero)[RUNS, :, RUNS]
    _, slope, error = rosenbrock(STEP, field(zero), -derivative * STEP[:, None, None], field)
    flow.begin(RUNS)
    trial = flow.trial(RUNS, STEP)
    assert trial.residual.numpy() == pytest.approx(slope.numpy() / 2, abs=1e-11)
    missed = torch.linalg.vector_norm(angles_of(error, tasks), dim=1)
    if kind is _Frozen:
        missed = missed * (state.u_plus**2 + state.u_minus**2)
    if kind is Boosts:  # and the rotation that is left out: a twelfth of the cube of the step, times |g x dg/dt|
        before, after = (angles_of(g, tasks) for g in (field(zero), slope))
        cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
        missed = missed + cross.abs() * STEP[:, None] ** 2 / 12
    assert trial.error.numpy() == pytest.approx(missed.amax(dim=1).numpy(), rel=1e-9)
    assert trial.error.min() > 1e-6
    flow.keep(
        RUNS[1:], trial.end[1:] if kind is not Boosts else tuple(part[:, 1:] for part in trial.end), RUNS[:5] >= 0
    )
    again = flow.trial(RUNS, 1e-9 * torch.ones(6, dtype=torch.float64)).residual
    assert again[1:].numpy() == pytest.approx(slope[1:].numpy() / 2, abs=1e-7)
    assert again[0].numpy() == pytest.approx(field(zero)[0].numpy() / 2, abs=1e-7)


@pytest.mark.parametrize(("n_tasks", "layers"), [(1, "both"), (1, "readout"), (2, "both")])
def test_the_first_step_turns_the_fastest_coordinate_by_a_tenth(n_tasks, layers):
    start = random_start(n_tasks)
    first = gradient_flow(start, XS[:n_tasks], YS[:n_tasks], accuracy=1e9, max_steps=1, layers=layers)
    pulls = pulls_of(start, n_tasks)
    assert first.time == pytest.approx(0.1 / np.linalg.norm(pulls, axis=0).max(axis=-1))
    assert np.all(first.steps == 1)


def pulls_of(start, n_tasks):
    """Minus the gradient of the loss by the coefficients, (task, seed, setting, D)."""
    found = []
    for o, (x, y) in enumerate(zip(XS[:n_tasks], YS[:n_tasks], strict=True)):
        residual = y - np.einsum("stnd,std->stn", x, start.beta[:, :, o])
        found.append(2 * np.einsum("stn,stnd->std", residual, x) / y.shape[-1])
    return np.array(found)


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_the_rate_of_descent_is_half_of_the_largest_stable_one_or_as_far_as_it_may_reach(n_tasks):
    """Twice the largest eigenvalue of a task's inputs times the squared weights bound the curvature, and the pulls."""
    start, pulls = random_start(n_tasks), pulls_of(random_start(n_tasks), n_tasks)
    size = np.linalg.norm(pulls, axis=0).max(axis=-1)
    second = (start.v_plus**2 + start.v_minus**2).sum(axis=2)
    weights = (start.u_plus**2 + start.u_minus**2 + second).max(axis=-1)
    steepest = np.max([np.linalg.norm(x, 2, axis=(-2, -1)) ** 2 / x.shape[2] for x in XS[:n_tasks]], axis=0)
    free, bound = (descend(start, XS[:n_tasks], YS[:n_tasks], reach=r, max_steps=1).time for r in (1e6, 1e-3))
    assert free == pytest.approx(1 / (2 * steepest * weights + size))
    assert bound == pytest.approx(1e-3 / size)


def test_a_last_step_that_goes_too_far_is_mended_at_once():
    """The loss falls like an exponential, so that its logarithm says where to land."""
    start = equal_pathways(0.5, 0.5, (40, 1, 9))
    x = np.random.default_rng(1).standard_normal((40, 1, 3, 9))
    state, tasks = state_of(start), tasks_of(start, [x], [np.ones((40, 1, 3))])
    flow = _Integrator(state, tasks[0], 1e-6, 1e-2)
    flow.advance(2000)
    assert torch.all(flow._loss <= 1e-6)
    assert torch.median(flow._loss).item() == pytest.approx(0.72e-6, abs=0.1e-6)
    assert flow._tries.max() <= 2 * flow._steps.max()
    assert flow._tries.double().mean() < 12


def test_sampled_flows_have_the_promised_accuracy():
    sampled, fine = (sampled_flow(random_start(2), XS, YS, [3.0], **r)[0][0].beta for r in ({}, {"rtol": 1e-12}))
    assert 1e-13 < distance(sampled, fine) < 1e-7
