"""Networks side by side: checked covariances, drawn weights, and how lost ones are observed."""

import numpy as np
import pytest

from mtlbook_lib.simulation.engine import (
    covariance_of,
    haar_layers,
    networks,
    normal_layers,
    run_descent,
    steps_along,
)

RNG = np.random.default_rng(4)
LAYERS = [RNG.standard_normal((3, 2, 5, 4)), RNG.standard_normal((3, 2, 6, 5))]


@pytest.mark.parametrize(("gap", "accepted"), [(0.9e-5, True), (1.1e-5, False)])
def test_a_covariance_is_symmetric_to_single_precision(gap, accepted):
    matrix = np.diag([3.0, 1.0, 1.0, -0.5])
    matrix[1, 2] = 3 * gap  # of the largest entry
    if accepted:
        covariance_of(networks(LAYERS), matrix)
    else:
        with pytest.raises(ValueError, match="covariance must be symmetric"):
            covariance_of(networks(LAYERS), matrix)


def test_orthogonal_draws_are_the_bases_of_the_normal_ones():
    """A basis turns its draws into a triangle; wide layers are transposed tall ones, square ones are not."""
    sizes = [(6, 4), (5, 5), (3, 7)]
    tall = normal_layers("here", [1, 2], [(6, 4), (5, 5), (7, 3)])
    for drawn, normal, (rows, columns) in zip(haar_layers("here", [1, 2], sizes), tall, sizes, strict=True):
        assert drawn.shape == (2, rows, columns)
        basis = drawn if rows >= columns else drawn.swapaxes(-1, -2)
        triangle = basis.swapaxes(-1, -2) @ normal
        assert np.abs(np.tril(triangle, -1)).max() < 1e-12
        assert np.abs(np.tril(triangle[..., ::-1, :], -1)).max() > 0.1


@pytest.mark.parametrize("every", [1, 3])
def test_descent_of_lost_networks_is_observed_at_zero(every):
    """The second of two settings doubles its weights in each step; more than 1e8 times its size and one is too much."""
    layers = [np.ones((1, 2, 1, 1)), np.ones((1, 2, 1, 1))]
    layers[0][0, 0] = layers[1][0, 0] = 0.0
    seen = []
    found = run_descent(
        networks(layers),
        lambda group, weights, rate: steps_along(weights, lambda: [w.clone() for w in weights], rate),
        lambda weights: seen.append(weights[1].flatten().tolist()),
        1.0, 30, "half", every, {},
    )  # fmt: skip
    last = 27  # 2 ** 27 is below 2e8, 2 ** 28 above
    assert seen == [[0.0, 2.0**n if n <= last else 0.0] for n in range(0, 31, every)]
    assert found.steps.tolist() == [[30, last + every - last % every]]
    assert found.diverged.tolist() == [[False, True]]
