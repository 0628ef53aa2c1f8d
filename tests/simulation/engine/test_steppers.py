"""Steps of the integrators: their coefficients, exact solutions, where they stop, and when a run counts as lost."""

import numpy as np
import pytest
import torch
from scipy.integrate import RK45, solve_ivp

from mtlbook_lib.simulation.engine import DormandPrince
from mtlbook_lib.simulation.engine.dormand_prince import _BEND, _ERROR, _STAGES
from mtlbook_lib.simulation.engine.stiff import by_cholesky, by_lu, next_length, rosenbrock


def vector(*numbers):
    return torch.tensor(numbers, dtype=torch.float64)


def constant(slope):
    """The field y' = slope for each run."""
    return lambda runs, states: lambda out: out[0].copy_(vector(*slope)[runs][:, None])


def test_the_stages_are_those_of_another_library():
    for row, (stage, known) in enumerate(zip(_STAGES[:-1], RK45.A[1:], strict=True), start=1):
        assert stage == pytest.approx(known[:row], rel=1e-14)
    assert _STAGES[-1] == pytest.approx(RK45.B, rel=1e-14)
    assert np.abs(_ERROR) == pytest.approx(np.abs(RK45.E), rel=1e-14)
    assert sum(_ERROR) == pytest.approx(0.0, abs=1e-16)


@pytest.mark.parametrize("x", [0.2, 0.5, 0.9])
def test_between_the_ends_of_a_step_the_weights_are_those_of_another_library(x):
    """The cubic through both ends, and the bend times x²(1 − x)²; the other library has one polynomial for a slope."""
    end = 3 * x**2 - 2 * x**3
    weights = end * np.append(RK45.B, 0.0) + (x * (1 - x)) ** 2 * np.array(_BEND)
    weights[0] += x * (1 - x) ** 2
    weights[6] -= x**2 * (1 - x)
    assert weights == pytest.approx(RK45.P @ x ** np.arange(1, 5), rel=1e-12, abs=1e-15)


def test_a_target_that_is_met_exactly_is_reached_in_that_step():
    """The first step changes the state by a hundredth: here it is 1."""
    stepper = DormandPrince(constant([0.01]), [torch.ones(1, 1).double()], rtol=1e-6, max_steps=9, group=1)
    stepper.reach(1.0)
    assert stepper.reached(1.0).tolist() == [True]
    assert stepper.steps.tolist() == [1]
    assert stepper.at(1.0)[0].item() == pytest.approx(1.01, rel=1e-14)


def test_runs_that_go_on_are_the_only_ones_that_step():
    """The faster of two runs is past the target after one step."""
    start = torch.tensor([[1.0], [100.0]], dtype=torch.float64)
    stepper = DormandPrince(constant([0.01, 0.01]), [start], rtol=1e-6, max_steps=9, group=2)
    stepper.reach(50.0)
    assert stepper.steps.tolist() == [3, 1]
    assert stepper.at(50.0)[0].flatten().tolist() == pytest.approx([1.5, 100.5], rel=1e-14)


SYSTEM = np.array([[1.0, 0.4], [0.4, 2.0]])


def gentle(z):
    """Minus the gradient of a convex function."""
    return vector(0.7, -0.2) - z @ torch.from_numpy(SYSTEM) - z**3


def bent(z):
    """A field whose derivative is not symmetric."""
    return torch.stack([1.0 - z[:, 0] ** 2 + z[:, 1], torch.cos(z[:, 0]) - 3.0 * z[:, 1]], dim=1)


@pytest.mark.parametrize(("field", "solver"), [(gentle, by_cholesky), (gentle, by_lu), (bent, by_lu)])
def test_a_rosenbrock_step_is_of_order_two_and_of_order_three_with_its_error(field, solver):
    zero = torch.zeros(1, 2, dtype=torch.float64)
    derivative = torch.autograd.functional.jacobian(field, zero)[0][:, 0]
    missed = []
    for h in (0.02, 0.01):
        step = vector(h)
        end, slope, error = rosenbrock(step, field(zero), -h * derivative[None], field, solver)
        exact = solve_ivp(lambda _, z: field(torch.from_numpy(z)[None])[0].numpy(), (0, h), [0.0, 0.0], "DOP853",
                          rtol=1e-13, atol=1e-16).y[:, -1]  # fmt: skip
        assert torch.equal(slope, field(end))
        missed.append([np.linalg.norm(z[0].numpy() - exact) for z in (end, end + error)])
    (coarse, better), (fine, finer) = missed
    assert coarse / fine == pytest.approx(8, rel=0.15)
    assert better / finer == pytest.approx(16, rel=0.15)


@pytest.mark.parametrize("solver", [by_cholesky, by_lu])
def test_a_huge_rosenbrock_step_ends_at_rest(solver):
    matrix, start = torch.from_numpy(SYSTEM)[None].repeat(2, 1, 1), torch.tensor([[1.0, 2.0], [0.5, -1.0]]).double()
    h = vector(1e9, 1e10)
    end, slope, _ = rosenbrock(h, start, matrix * h[:, None, None], lambda z: start - z @ matrix[0], solver)
    assert end.numpy() == pytest.approx(np.linalg.solve(SYSTEM, start.numpy().T).T, rel=1e-7)
    assert slope.abs().max() < 1e-7


def test_the_next_step_aims_below_what_is_allowed():
    accurate, change = next_length(vector(0.3, 0.3 * 1.0001, 2.4, 0.0, torch.nan, torch.inf), 0.3)
    assert accurate.tolist() == [True, False, False, True, False, False]
    assert 0.5 < change[0] < 1
    assert change[2] == pytest.approx(change[0] / 2)
    assert change[3] > 1
    assert change[4] == change[5] < change[2]


def test_a_run_is_lost_as_soon_as_one_block_of_its_state_is():
    """Of the first run the second block outgrows its limit, of the second one the first, of the third one none."""
    slopes = vector(1.0, 1e9, 1.0), vector(1e9, 1.0, 1.0)

    def field(runs, states):
        return lambda out: [block.copy_(slope[runs][:, None]) for block, slope in zip(out, slopes, strict=True)]

    stepper = DormandPrince(field, [torch.ones(3, 1).double()] * 2, rtol=1e-6, max_steps=99, group=3)
    stepper.reach(1.0)
    assert stepper.diverged.tolist() == [True, True, False]
    assert stepper.reached(1.0).tolist() == [False, False, True]
