"""Gradient flow of several tasks: against other methods, in the limit of one task, and what it conserves."""

import numpy as np
import pytest
from _diagonal_tasks import X, Y, conserved, distance

from mtlbook_lib.simulation.diagonal import equal_pathways, gradient_flow, start_from

XS, YS = [X, X[..., :3, :]], [Y, -2 * Y[..., :3]]


def test_errors_shrink_with_the_accuracy():
    """The method is of second order: a thousandth of the error of a step is a hundredth of that of the flow."""
    start = equal_pathways(1e-3, 1e-3, (2, 3, 9), n_tasks=2)
    exact = gradient_flow(start, XS, YS, accuracy=1e-6).beta
    coarse, fine = (distance(gradient_flow(start, XS, YS, accuracy=a).beta, exact) for a in (1e-1, 1e-4))
    assert fine < 0.03 * coarse
    assert coarse < 0.05


def test_a_task_without_data_to_learn_from_changes_nothing():
    """A second task that the start already fits, and that the first never moves: its readout starts at zero."""
    start = equal_pathways(0.1, 0.1, (2, 3, 9))
    empty = np.zeros_like(start.v_plus)
    both = start_from(start.u_plus, start.u_minus, *(np.concatenate((v, empty), axis=2)
                      for v in (start.v_plus, start.v_minus)))  # fmt: skip
    found = gradient_flow(both, [X, 1e-30 * X], [Y, 0 * Y], accuracy=1e-4)
    known = gradient_flow(start, [X], [Y], accuracy=1e-4)
    assert found.beta[:, :, 1] == pytest.approx(np.zeros_like(found.beta[:, :, 1]), abs=1e-20)
    assert found.beta[:, :, 0] == pytest.approx(known.beta[:, :, 0], abs=1e-4)


@pytest.mark.parametrize(("alpha", "lost"), [(0.1, 1e-11), (1e-2, 1e-9), (1e-3, 1e-7), (1e-4, 1e-5)])
def test_what_boosts_conserve(alpha, lost):
    """Rounding alone moves the invariants: not by more than its size over that of the smallest weights."""
    start = equal_pathways(alpha, alpha, (2, 3, 9), n_tasks=2)
    fits = gradient_flow(start, XS, YS)
    assert fits.converged.all()
    assert np.abs(conserved(fits.weights) - conserved(start)).max() < lost * alpha**2
    assert np.abs(fits.beta).max() > 0.1


def test_losses_are_reported_and_runs_that_stop_early_say_so():
    start = equal_pathways(1e-3, 1e-3, (2, 3, 9), n_tasks=2)
    fits = gradient_flow(start, XS, YS, tolerance=1e-9)
    beta = fits.beta
    misfit = sum(((np.einsum("stnd,std->stn", x, beta[:, :, o]) - y) ** 2).mean(axis=-1)
                 for o, (x, y) in enumerate(zip(XS, YS, strict=True)))  # fmt: skip
    assert fits.converged.all()
    assert np.all((fits.loss <= 1e-9) & (fits.loss >= 0.5e-9))
    assert misfit == pytest.approx(fits.loss, rel=1e-3)
    short = gradient_flow(start, XS, YS, max_steps=4)
    assert not short.converged.any()
    assert np.all((short.steps <= 4) & (short.loss > 1e-10))
