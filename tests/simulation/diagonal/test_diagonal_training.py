"""Training of diagonal networks: where it stops, what it reports, batches, and bad input."""

import numpy as np
import pytest
from _diagonal_tasks import X, Y, random_start
from refusals import refused

from mtlbook_lib.simulation.diagonal import descend, equal_pathways, gradient_flow, sampled_flow

SMALL = equal_pathways(1e-3, 1e-3, (2, 3, 9))


def residual(fits, x, y):
    return ((np.einsum("stnd,std->stn", x, fits.beta[:, :, 0]) - y) ** 2).mean(axis=-1)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-10, 1e-14])
def test_the_stiff_method_stops_at_the_tolerance(tolerance):
    fits = gradient_flow(SMALL, [X], [Y], tolerance=tolerance)
    assert fits.converged.all()
    assert np.all((fits.loss <= tolerance) & (fits.loss >= tolerance / 2))
    assert residual(fits, X, Y) == pytest.approx(fits.loss, rel=1e-3, abs=1e-28)
    assert fits.steps.max() < 300


def test_a_run_that_does_not_get_there_says_so():
    for fits in (gradient_flow(SMALL, [X], [Y], max_steps=3), descend(SMALL, [X], [Y], max_steps=3)):
        assert not fits.converged.any()
        assert np.all(fits.loss > 1e-10)
        assert np.all(fits.steps <= 3)


def test_a_start_that_fits_is_left_alone():
    start = random_start()
    y = np.einsum("stnd,std->stn", X, start.beta[:, :, 0])
    for fits in (gradient_flow(start, [X], [y]), descend(start, [X], [y])):
        assert fits.converged.all()
        assert np.all(fits.steps == 0)
        assert fits.beta == pytest.approx(start.beta, rel=1e-14)


def fitted(train):
    """Both trainers check their data alike."""
    return refused(
        train,
        {"weights": SMALL, "inputs": [X], "labels": [Y]},
        {
            "inputs and labels must have one entry for each of 1 tasks": [{"inputs": [X, X]}, {"labels": [Y, Y]}],
            "inputs must have shape": [
                *({"inputs": [x]} for x in (X[..., :8], X[0], X[:, :2])),
                {"inputs": [X[:, :, :0]], "labels": [Y[..., :0]]},
                {"labels": [1.0]},
            ],
            "labels must have shape": [{"labels": [Y[:, :2]]}, {"labels": [Y[0]]}],
        },
    )


test_bad_input_of_the_flow = fitted(gradient_flow)
test_bad_input_of_descent = fitted(descend)


def test_one_run_at_rest_and_the_bounds_of_the_accuracy():
    still = np.array([0.0, 1.0, 1.0])
    one_at_rest = equal_pathways(still[:, None], still[:, None, None], (2, 3, 9))
    with pytest.raises(RuntimeError, match="did not get to time"):
        sampled_flow(one_at_rest, [X], [Y], [50.0], max_steps=8)
    for rtol in (1.1e-14, 1.0):
        sampled_flow(SMALL, [X], [Y], [0.0], rtol=rtol)
