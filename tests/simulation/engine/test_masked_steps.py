"""The steps that a device takes between two looks of the host are those that a host takes, tried on the host."""

import pytest
import torch

from mtlbook_lib.simulation.engine import DormandPrince


def growing(rates):
    """Logistic growth at a rate of each run's own, so that runs are done after different numbers of steps."""

    def field(runs, state):
        rate = torch.as_tensor(rates).double()[runs, None]

        def slope(out):
            torch.mul(rate * state[0], 1 - state[0], out=out[0])

        return slope

    return field


def followed(ahead, max_steps, group):
    """What is known of each run at the end, and its states at some times, with so many steps between two looks."""
    rates = [0.3, 1.0, 40.0, 2.0]
    start = torch.full((len(rates), 1), 1e-3).double()
    stepper = DormandPrince(growing(rates), [start], rtol=1e-8, max_steps=max_steps, group=group)
    stepper._ahead = ahead
    states = []
    for time in (0.5, 3.0, 3.0, 20.0):
        stepper.reach(time)
        states.append(stepper.at(time)[0])
    return (stepper.steps, stepper.reached(20.0), stepper.diverged), torch.stack(states)


@pytest.mark.parametrize("ahead", [2, 8])
@pytest.mark.parametrize("max_steps", [1000, 12])
def test_masked_steps_are_the_steps_of_a_host(ahead, max_steps):
    (told, there), (known, here) = followed(ahead, max_steps, 1), followed(1, max_steps, 1)
    assert all(map(torch.equal, told, known))
    assert torch.equal(there, here)
    (told, there), (known, here) = followed(ahead, max_steps, 3), followed(1, max_steps, 3)
    assert all(map(torch.equal, told, known))
    there, here = there[:, known[1]], here[:, known[1]]
    assert torch.allclose(there, here, rtol=1e-12)  # products of another number of runs round differently


def test_a_run_that_diverges_stays_so_and_leaves_the_others_alone():
    def field(runs, state):
        power = torch.tensor([3.0, 1.0]).double()[runs, None]
        return lambda out: torch.pow(state[0], power, out=out[0])

    found = []
    for ahead in (1, 8):
        stepper = DormandPrince(field, [torch.ones(2, 1).double()], rtol=1e-6, max_steps=2000, group=2)
        stepper._ahead = ahead
        stepper.reach(2.0)  # the first is infinite at 1/2
        found.append((stepper.diverged, stepper.reached(2.0), stepper.at(2.0)[0][1]))
    for one, other in zip(*found, strict=True):
        assert torch.equal(one, other)
    assert found[0][0].tolist() == [True, False]
