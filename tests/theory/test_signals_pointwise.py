"""Laws that every pointwise formula of the noise and the spiked matrix obeys: batches, scalars, arguments."""

import numpy as np
import pytest

from mtlbook_lib.theory import marchenko_pastur, spiked, tracy_widom

ASPECTS = np.array([[0.25], [0.999], [1.0], [3.0]])
SIGNALS = np.array([2.0, 1.4, 5.0])  # above threshold at all of these aspects
ANYWHERE = np.array([0.0, 0.3, 1.0, 1.9, 4.0])


def pair(first):
    """The arguments of a formula of (`first`, aspect), two-dimensional once they broadcast."""
    return lambda: (first, ASPECTS)


FORMULAS = {
    "density": (marchenko_pastur.density, pair(ANYWHERE)),
    "tail_mass": (marchenko_pastur.tail_mass, pair(ANYWHERE)),
    "tail_quantile": (marchenko_pastur.tail_quantile, pair(np.array([0.0, 0.1, 1 / 3]))),
    "noisy_singular_value": (spiked.noisy_singular_value, pair(ANYWHERE)),
    "clean_singular_value": (spiked.clean_singular_value, pair(np.array([2.8, 3.0, 50.0]))),
    "left_overlap": (spiked.left_overlap, pair(ANYWHERE)),
    "right_overlap": (spiked.right_overlap, pair(ANYWHERE)),
    "overlap": (spiked.overlap, pair(ANYWHERE)),
    "optimal_shrinkage": (spiked.optimal_shrinkage, pair(ANYWHERE)),
    "outlier_variance": (lambda s, aspect: spiked.outlier_variance(s, aspect, 50), pair(SIGNALS)),
    "bulk_cross_density": (
        lambda s, aspect: spiked.bulk_cross_density(s, 0.8, aspect),
        pair(np.array([0.4, 1.0, 1.7])),
    ),
    "bulk_cross_density in s_bar": (
        lambda s_bar, aspect: spiked.bulk_cross_density(1.1, s_bar, aspect),
        pair(ANYWHERE),
    ),
    "support": (lambda aspect: marchenko_pastur.support(aspect)[0], lambda: (ASPECTS,)),
    "threshold": (spiked.threshold, lambda: (ASPECTS,)),
    "median_eigenvalue": (marchenko_pastur.median_eigenvalue, lambda: (np.array([[0.25, 0.5], [0.999, 1.0]]),)),
    "spike": (lambda theta, variance: spiked.spike(theta, 4, 7, variance)[0], pair(ANYWHERE)),
    "spike left": (lambda theta, variance: spiked.spike(theta, 4, 7, variance)[1], pair(ANYWHERE)),
    "spike right": (lambda theta, variance: spiked.spike(theta, 4, 7, variance)[2], pair(ANYWHERE)),
    "tracy_widom.cdf": (tracy_widom.cdf, lambda: (np.array([[-3.0, -1.0], [0.0, 2.0]]),)),
    "tracy_widom.quantile": (tracy_widom.quantile, lambda: (np.array([[0.01, 0.5], [0.9, 0.999]]),)),
}


@pytest.fixture(params=FORMULAS, ids=list(FORMULAS))
def formula(request):
    return FORMULAS[request.param]


@pytest.mark.filterwarnings("error")
def test_a_batch_is_a_loop_of_singles(formula):
    function, arguments = formula
    arrays = np.broadcast_arrays(*arguments())
    batch = function(*arguments())
    assert batch.shape == arrays[0].shape
    for index in np.ndindex(batch.shape):
        single = function(*(float(array[index]) for array in arrays))
        assert isinstance(single, float)
        assert single == pytest.approx(batch[index], abs=1e-14, rel=1e-14)


def test_results_are_finite_and_arguments_stay_untouched(formula):
    function, arguments = formula
    given = [np.array(argument) for argument in arguments()]
    before = [argument.copy() for argument in given]
    assert np.all(np.isfinite(function(*given)))
    for argument, original in zip(given, before, strict=True):
        np.testing.assert_array_equal(argument, original)


def test_lists_and_integers_are_taken(formula):
    function, arguments = formula
    np.testing.assert_array_equal(
        function(*(np.asarray(argument).tolist() for argument in arguments())), function(*arguments())
    )


def test_empty_arrays_give_empty_arrays(formula):
    function, arguments = formula
    assert function(*(np.empty(0) for _ in arguments())).shape == (0,)


@pytest.mark.parametrize("name", [name for name, (_, arguments) in FORMULAS.items() if len(arguments()) == 2])
def test_shapes_that_do_not_broadcast_are_named(name):
    with pytest.raises(ValueError, match=r"must have shapes that broadcast; got .*\(2,\).*\(3,\)"):
        FORMULAS[name][0](np.full(2, 0.1), np.full(3, 0.5))
