"""What gradient flow reports about failed runs, and where its tensors live."""

import numpy as np
import pytest
import torch
from _flow_tasks import MAP, TIMES, DevicesAreNamed, task

from mtlbook_lib.simulation.engine.dormand_prince import DormandPrince
from mtlbook_lib.simulation.linear import observables
from mtlbook_lib.simulation.linear.gradient_flow import integrate


def test_flow_that_blows_up_in_finite_time_is_diverged_and_leaves_the_others_alone():
    layers, data, spread = task(2)
    spreads = np.stack([spread, -spread])[None]  # no covariance, but an equation without a global solution
    observe = MAP | {"singular values": observables.singular_values()}  # which LAPACK refuses to compute for NaN
    result = integrate(layers, data, TIMES, covariance=spreads, observe=observe)
    np.testing.assert_array_equal(result.diverged, [[False, True], [False, True]])
    np.testing.assert_array_equal(result.converged, ~result.diverged)
    assert np.isnan(result.values["map"][:, 1, -1]).all()
    assert np.isfinite(result.values["map"][:, 0]).all()
    assert all(np.isnan(w[:, 1]).all() and np.isfinite(w[:, 0]).all() for w in result.layers)
    calm = integrate([w[:, :1] for w in layers], data[:, :1], TIMES, covariance=spreads[:, :1], observe=MAP)
    np.testing.assert_allclose(calm.values["map"][:, 0], result.values["map"][:, 0], rtol=0, atol=1e-12)


def test_a_step_that_leaps_past_the_sample_into_absurd_numbers_does_not_count_as_reached():
    def field(runs, states):
        return lambda out: out[0].fill_(1e12)

    stepper = DormandPrince(field, [torch.ones(1, 1, dtype=torch.float64)], rtol=1e-6, max_steps=100, group=1)
    stepper.reach(1e-5)
    assert stepper.reached(1e-5).all()
    stepper.reach(5e-4)
    assert stepper.diverged.all()
    assert not stepper.reached(5e-4).any()


def test_runs_out_of_steps_are_unfinished_but_not_diverged():
    layers, data, _ = task(2)
    result = integrate(layers, data, TIMES, max_steps=12, observe=MAP)
    assert not result.converged.any()
    assert not result.diverged.any()
    assert np.isfinite(result.values["map"][:, :, 1]).all()
    assert np.isnan(result.values["map"][:, :, -1]).all()
    assert np.isnan(result.layers[0]).all()


def test_every_new_tensor_names_its_device():
    layers, data, spread = task(2)
    with DevicesAreNamed():
        integrate(layers, data, TIMES, covariance=spread, observe=MAP)
        with pytest.raises(AssertionError, match="without a device"):
            torch.zeros(2)


def test_observables_see_lost_runs_at_zero():
    layers, data, spread = task(2)
    spreads, seen = np.stack([spread, -spread])[None], []
    observe = {"m": lambda m: seen.append(m) or m}
    result = integrate(layers, 30 * data, TIMES, covariance=spreads, observe=observe)
    assert result.diverged[:, 1].all()
    assert torch.all(seen[-1][:, 1] == 0)
