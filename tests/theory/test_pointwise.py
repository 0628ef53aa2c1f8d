"""Laws that every pointwise formula of the theory obeys: batches, finite results."""

from functools import partial

import numpy as np
import pytest

from mtlbook_lib.theory import (
    classification,
    generalization,
    hard_sharing,
    implicit_bias,
    learning_curves,
    linear_dynamics,
    marchenko_pastur,
    resolution,
    softmax,
    spiked,
    tracy_widom,
    transfer,
    truncation,
)

ASPECTS = np.array([[0.25], [0.999], [1.0], [3.0]])
SIGNALS = np.array([2.0, 1.4, 5.0])  # above threshold at all of these aspects
ANYWHERE = np.array([0.0, 0.3, 1.0, 1.9, 4.0])
CLASSES = np.array([[2], [10]])
NORMS = np.array([[0.0, 0.7, 3.0, 80.0]])  # below and above the norm from which on series are used
COSINES = np.array([-0.3, 0.4, 0.9])
TIMES = np.linspace(0, 5, 4)[:, None, None]
STRENGTHS, STARTS = np.array([0.0, 0.3, 2.0, 1e-3, 5.0])[:, None], np.array([1e-3, 0.4])
BETA, BETA_AUX = np.array([[0.3], [-2.0]]), np.array([0.1, 1.0, -5.0])
MODES = np.array([[1.0], [2.5], [4.0]])

# The formula, then its arguments, which broadcast.
FORMULAS = {
    "density": (marchenko_pastur.density, ANYWHERE, ASPECTS),
    "tail_mass": (marchenko_pastur.tail_mass, ANYWHERE, ASPECTS),
    "tail_quantile": (marchenko_pastur.tail_quantile, np.array([0.0, 0.1, 1 / 3]), ASPECTS),
    "support": (marchenko_pastur.support, ASPECTS),
    "median_eigenvalue": (marchenko_pastur.median_eigenvalue, np.array([[0.25, 0.5], [0.999, 1.0]])),
    "noisy_singular_value": (spiked.noisy_singular_value, ANYWHERE, ASPECTS),
    "clean_singular_value": (spiked.clean_singular_value, np.array([2.8, 3.0, 50.0]), ASPECTS),
    "left_overlap": (spiked.left_overlap, ANYWHERE, ASPECTS),
    "right_overlap": (spiked.right_overlap, ANYWHERE, ASPECTS),
    "overlap": (spiked.overlap, ANYWHERE, ASPECTS),
    "optimal_shrinkage": (spiked.optimal_shrinkage, ANYWHERE, ASPECTS),
    "outlier_variance": (partial(spiked.outlier_variance, n_cols=50), SIGNALS, ASPECTS),
    "bulk_cross_density": (spiked.bulk_cross_density, np.array([[0.4], [1.0], [1.7]]), ANYWHERE, ASPECTS[..., None]),
    "threshold": (spiked.threshold, ASPECTS),
    "spike": (lambda theta, variance: spiked.spike(theta, 4, 7, variance), ANYWHERE, ASPECTS),
    "tracy_widom.cdf": (tracy_widom.cdf, np.array([[-3.0, -1.0], [0.0, 2.0]])),
    "tracy_widom.quantile": (tracy_widom.quantile, np.array([[0.01, 0.5], [0.9, 0.999]])),
    "useful_singular_value": (truncation.useful_singular_value, ASPECTS),
    **{
        f"{name}, {depth} layers": (
            partial(
                getattr(generalization, name), teacher=[2.0, 1.0], aspect=0.5, n_outputs=40, n_hidden=20, depth=depth
            ),
            TIMES,
        )
        for name in ("train_error", "test_error")
        for depth in (2, 4)
    },
    "test_error, order 1": (
        partial(generalization.test_error, teacher=[2.0, 1.0], aspect=0.5, n_outputs=40, n_hidden=20, order=1),
        TIMES,
    ),
    "rank_one_optimum": (partial(generalization.rank_one_optimum, eps=1e-3), SIGNALS, ASPECTS),
    "accuracy_gain_error": (resolution.accuracy_gain_error, np.array([0.1, 0.2]), np.array([[10], [400]])),
    "area_gain_error": (
        partial(resolution.area_gain_error, n_negative=100, correlation=0.5),
        np.array([0.7, 0.9]),
        np.array([[5], [50]]),
    ),
    "random_label_factor": (resolution.random_label_factor, np.array([0.1, 0.2]), np.array([[0.1], [0.5], [0.9]])),
    "gradient_cosine": (
        lambda share, cosine, noise: hard_sharing.gradient_cosine(share, cosine, 50, 20, noise, "apart"),
        np.array([[0.0], [0.4], [1.0]]),
        COSINES,
        np.array(0.5),
    ),
    "unrelated_cosine_spread": (
        lambda share, noise: hard_sharing.unrelated_cosine_spread(share, 50, 20, noise),
        np.array([[0.0], [0.4], [1.0]]),
        np.array([0.0, 2.0]),
    ),
    "mode_strength": (linear_dynamics.mode_strength, TIMES, STRENGTHS, STARTS),
    "mode_strength, 3 layers": (partial(linear_dynamics.mode_strength, depth=3), TIMES, STRENGTHS, STARTS),
    "mode_strength, 6 layers": (partial(linear_dynamics.mode_strength, depth=6), TIMES, STRENGTHS, STARTS),
    "mode_time": (linear_dynamics.mode_time, np.array([0.2, 0.5]), np.array([[1.0], [2.0]]), np.array(0.1)),
    "mode_time, 6 layers": (partial(linear_dynamics.mode_time, eps=0.1, depth=6), np.array([0.2, 0.5]), MODES),
    "half_time": (linear_dynamics.half_time, np.array([1.0, 2.0]), np.array([[1e-3], [1e-2], [0.1]])),
    "wave_front": (linear_dynamics.wave_front, np.array([0.5, 1.0]), np.array([[1e-3], [1e-2], [0.1]])),
    "random_student_delay": (
        partial(linear_dynamics.random_student_delay, n_inputs=10, n_hidden=5, n_outputs=5),
        MODES,
    ),
    "rank_one_pair": (partial(transfer.rank_one_pair, q=0.6, aspect=0.5), np.array([[0.5], [1.0], [3.0]]), SIGNALS),
    "head_shrinkage": (partial(transfer.head_shrinkage, aspect=0.5), MODES, np.array([0.0, 0.2, 0.9, 1.0])),
    "alike_error": (
        lambda s, n_heads: transfer.alike_error(s, 0.6, n_heads, 0.5),
        SIGNALS,
        np.array([[1.0], [4.0], [np.inf]]),
    ),
    "head_change": (lambda sigma, weight: transfer.head_change(1.0, sigma, weight, 0.5), SIGNALS, ASPECTS / 3),
    "known_share_strength": (partial(transfer.known_share_strength, aspect=0.5), SIGNALS, ASPECTS / 3),
    "share_price": (lambda s, aspect: transfer.share_price(s, 50, aspect), np.array([0.5, 2.0]), ASPECTS),
    "rem_critical_norm": (softmax.rem_critical_norm, CLASSES),
    "expected_maximum": (softmax.expected_maximum, CLASSES),
    **{
        name: (getattr(softmax, name), NORMS, CLASSES)
        for name in (
            *("rem_gain", "rem_log_partition", "calibrated_gain", "interpolated_gain", "isotropic_gain"),
            *("isotropic_log_partition", "isotropic_participation", "isotropic_slope_deficit", "isotropic_excess"),
        )
    },
    **{
        f"aligned_flow, {closure}": (
            partial(classification.aligned_flow, k=5, closure=closure),
            np.array([[0.05], [0.4]]),
            np.array([8.0, 0.0, 3.0]),
        )
        for closure in ("exact", "interpolated", "rem", "rem gain")
    },
    "optimal_scale": (classification.optimal_scale, COSINES, CLASSES),
    "optimal_loss": (classification.optimal_loss, COSINES, CLASSES),
    "label_agreement": (classification.label_agreement, COSINES, CLASSES),
    "generalization_loss": (
        classification.generalization_loss,
        np.array([[0.5], [60.0]]),
        COSINES,
        np.array([2, 5, 10]),
    ),
    "teacher_overlap": (classification.teacher_overlap, ANYWHERE),
    "denoising_overlap": (
        partial(classification.denoising_overlap, k=10, n_features=100),
        ANYWHERE,
        np.array([[0.2], [1.0]]),
    ),
    "q": (implicit_bias.q, BETA),
    "penalty_terms": (implicit_bias.penalty_terms, BETA, np.array([1e-3, 2.0, 9.0]), np.array([0.0, 1.0, -1.0])),
    "penalty_orders": (partial(implicit_bias.penalty_orders, alpha=0.3, gamma=0.2, imbalance=0.4), BETA, BETA_AUX),
    "printed_width": (implicit_bias.printed_width, BETA, np.array([0.0, 0.3])),
    "probed_width": (lambda u_plus, path: implicit_bias.probed_width(u_plus, 0.2, 0.1, path), ANYWHERE, BETA / 4),
    "probed_start": (lambda u_plus, path: implicit_bias.probed_start(u_plus, 0.2, 0.1, path), ANYWHERE, BETA / 4),
    **{
        f"{name}, {pathways}": (
            partial(getattr(implicit_bias, name), gamma=0.3, imbalance=-0.3, rescale=2.0, pathways=pathways),
            BETA_AUX,
            np.array([[0.1], [1.0]]),
        )
        for name in ("finetuning_width", "finetuning_start")
        for pathways in ("exact", "average", "rms")
    },
    "proximal": (partial(learning_curves.proximal, theta=0.4), BETA, np.array([0.1, 1.0, 5.0])),
}


@pytest.fixture(params=FORMULAS, ids=list(FORMULAS))
def formula(request):
    return FORMULAS[request.param]


def parts(result):
    """What a formula returns, as a tuple also where it is one number or array."""
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.filterwarnings("error")
def test_a_batch_is_a_loop_of_singles(formula):
    function, *arguments = formula
    arrays = np.broadcast_arrays(*arguments)
    batch = parts(function(*arguments))
    for whole in batch:
        assert whole.shape[: arrays[0].ndim] == arrays[0].shape
    for index in np.ndindex(arrays[0].shape):
        singles = parts(function(*(array[index].item() for array in arrays)))
        for whole, single in zip(batch, singles, strict=True):
            assert isinstance(single, float) or np.ndim(single)
            assert single == pytest.approx(whole[index], abs=1e-15, rel=1e-13)


def test_results_are_finite_and_arguments_stay_untouched(formula):
    function, *arguments = formula
    given = [argument.copy() for argument in arguments]
    assert all(np.all(np.isfinite(part)) for part in parts(function(*given)))
    for argument, original in zip(given, arguments, strict=True):
        np.testing.assert_array_equal(argument, original)
