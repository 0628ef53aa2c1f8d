"""What each argument may be: a name means one range in every function, and where it does not the function is named.

Of every public function each argument that has a range is put just outside it, alone or as the last of its entries. The
function must refuse it with the error and the words of its kind of range, and by its name.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from rubbish import copied


class Outside(NamedTuple):
    """A value outside a range, and how it is refused."""

    value: Any
    error: type[Exception]
    words: str


def at_least(least: int) -> list[Outside]:
    """A count."""
    return [
        Outside(least - 1, ValueError, f"must be at least {least}"),
        Outside(least + 1.0, TypeError, "must be an integer"),
    ]


def between(lower: float, upper: float) -> list[Outside]:
    """A number of a closed interval."""
    below, above = lower - 0.1 * (abs(lower) or 1), 1.1 * upper
    return [
        Outside(value, ValueError, rf"must lie in [{lower:g}, {upper:g}]")
        for value in (below, above)
        if math.isfinite(value)
    ]


def never(value: Any, error: type[Exception], words: str) -> list[Outside]:
    return [Outside(value, error, words)]


RANGES: list[tuple[list[Outside], str]] = [
    (
        at_least(0),
        """correlated head layer n_kept order pair part seed steps task overlap_classes.k_aux overlap_classes.k_main
        overlap_classes.overlap relu_teachers.shared sparse_teachers.overlap image_tasks.labels split_classes.labels
        Spectrum.truncated.rank""",
    ),
    (
        at_least(1),
        """batch_size capacity dim encoder every k_aux k_main log2_points marks max_steps n_auxiliary n_axes n_cols
        n_draws n_epochs n_examples n_features n_first n_heads n_hidden n_inputs n_main n_modes n_new n_outputs
        n_partners n_probe n_rows n_samples n_second n_settings n_source n_steps n_target n_targets n_tasks n_test rank
        rank_a rank_b record record_every side spikes width aligned_flow.depth expected_maximum.k fixed_steps.batch
        aligned_students.depth normal_scores.n_negative normal_scores.n_positive normal_students.depth
        rank_one_flow.depth""",
    ),
    (
        at_least(2),
        """depth draws folds k n_classes n_simulated replicates best_losses.n_draws compare_pretraining.examples
        detected_modes.n_cols direction_pairs.n_inputs largest_noise_singular_value.n_cols losses.n_draws
        models_of_cosine.n_inputs relu_teachers.dim""",
    ),
    (
        at_least(3),
        """n_angles n_grid rows_drawn chain_response.depth deep_random_ratio_limit.depth min_chain_penalty.depth""",
    ),
    (at_least(4), "compare.repeats"),
    (
        never(0.0, ValueError, "must be greater than 0") + never(-1.0, ValueError, "must be greater than 0"),
        """alpha aspect batch companions delta eps failure kappa lr max_time miss n1 n2 rate ratio_in ratio_out reach
        rescale ridge rtol s0 s_a s_b scale scales sigma signal_norm snr_auxiliary snr_main spread step strength
        stretches target_power teacher tol tolerance variance weights alike_error.s deep_random_half_time.s_hat
        deep_random_strength.s_hat equivalent_similarity.s gradient_flow.accuracy group_threshold.ratio
        half_time.s_hat mode_time.s planar_points.slope random_student_delay.s_hat rank_one_optimum.s
        rescaled.factor share_price.n_outputs share_price.s snr_teachers.snr unrelated_joint_error.s
        weighted_slope.error""",
    ),
    (
        never(-0.1, ValueError, "must be 0 or greater"),
        """gamma kernel_deviation label_a label_b noise noise_ratio noise_scale noise_to_signal norms projected_noise
        rho rho_aux rho_new rho_same rho_shared rho_unused rho_wrong s s_bar s_hat sigma1 sigma2 sigma_z size snr
        snr_a snr_b squares std t theta time times y2_norm detected_modes.singular_values gain_flow.weight
        gaussian_pair.sigmas gaussian_task.sigma generalization_loss.scale aligned_flow.s0 group_error.weights
        head_change.x
        l1_error.weights likely_source_noise.sigma losses.scales low_rank_teachers.singular_values
        lowrank_generalization_loss.scale noise_scale.singular_values penalty_error.weights
        weighted_l2_error.weights weighted_ridge_models.weight weighted_ridge_risk.weight
        estimated_bias_excess.weight""",
    ),
    (
        between(0, 1),
        """correlation disagreement energy_ratio error head_energy mixing prevalence relatedness share sine slope
        weight alike_error.q alike_gram.q random_targets.same_rows""",
    ),
    (
        never(0.0, ValueError, "must be greater than 0") + between(0, 1)[1:],
        """test_fraction with_random_labels.share symmetric_whitener.tolerance whiten.tolerance whitener.tolerance""",
    ),
    (between(-1, 1), "cosine cosines imbalance overlap overlaps rank_one_pair.q"),
    (between(0, np.pi), "angle"),
    (between(0, np.pi / 2), "model_error_bound.angle"),
    (
        [*between(1e-12, np.pi), Outside(np.pi, ValueError, "must lie in [1e-12, 3.14159]")],
        "largest_model_error.angle least_sine.angle",
    ),
    (between(0, 100), "variances mode_strengths.values"),
    (between(0, 1e6), "largest_model_error.noise rotated_pairs.noise"),
    (between(1, 1e6), "condition"),
    (between(1, 1e12), "n_negative n_positive accuracy_gain_error.n_rows"),
    (between(1, 1e50), "condition_number"),
    (between(1, np.inf), "alike_error.n_heads"),
    (between(0.5, 0.999), "area"),
    (between(1e-8, 0.5), "accuracy"),
    ([*between(1e-9, 1 - 1e-9), Outside(1.0, ValueError, "must lie in [1e-09, 1]")], "level probability"),
    (between(1e-12, 0.5), "least"),
    (between(1e-100, 1e100), "horizon"),
    (between(1e-4, 10), "min_chain_penalty.alpha"),
    (between(1e-6, 0.5), "descend_chains.reach"),
    (between(1e-6, 10), "compare_pretraining.tolerance"),
    (
        between(1e-12, 0.4999),
        "forecast_transfer.eps one_output_benefit.eps simulated_benefit.eps",
    ),
    (between(1e-12, 1), "mode_strengths.eps"),
    (between(1e-12, 0.01), "group_flow.rtol"),
    (between(1e-13, 0.01), "flow_path.rtol"),
    (between(1e-13, 1), "mode_strengths.rtol"),
    (between(1e-14, 1), "sampled_flow.rtol"),
    (
        never("other", ValueError, "must be one of"),
        """closure covariances loss measure method name noisy pathways own repeats role scaled shift source
        head_flow.layers labelled.noise sampled_flow.layers training_set.inputs""",
    ),
    (
        never(1, TypeError, "must be True or False"),
        """annealed apart center classes exhaustive falling free_ratio frozen heads_only held_out images joint
        leaky_output mirrored normalized paired rectified same_rows standardise stratified""",
    ),
    (
        never(1, TypeError, "must be a function"),
        """curve fit_alone fit_joint func network progress balanced_flow.observe compare.loss shared.head
        single_task.head""",
    ),
    (never(1, TypeError, "must be callable"), "softmax_covariance"),
    (never(1, TypeError, "must be a numpy.random.Generator"), "rng"),
    (
        [
            Outside(object(), TypeError, "must be a sequence"),
            Outside([], ValueError, "at least one"),
            Outside([1, 1], ValueError, "must be distinct"),
            Outside([-1], ValueError, "must be 0 or greater"),
            Outside([0.5], TypeError, "must be integers"),
        ],
        "seeds",
    ),
    (
        never(object(), TypeError, "must be a sequence"),
        """binary goals heads signed singular_values task_weights xs ys descend.labels gradient_flow.inputs
        gradient_flow.labels leaky_pair.teachers logistic_flow.inputs logistic_flow.labels sampled_flow.inputs
        sampled_flow.labels train_features.inputs train_features.labels train_on_mixed_batches.inputs
        train_on_mixed_batches.labels train_stopped.inputs train_stopped.labels""",
    ),
]
OUTSIDE = {name: refused for refused, names in RANGES for name in names.split()}
# Functions in which an argument of such a name is something else, or has a range that depends on the other arguments.
ELSEWHERE = """
    density.s tail_mass.s bulk_cross_density.s outlier_variance.s clean_singular_value.s_hat
    imbalanced_mode.imbalance imbalanced.imbalance head_error_bound.projected_noise
    sine_lower_bound.condition_number chain_response.angle planar_points.angle compare_texts.encoder
    transfer_texts.encoder rescaled.network argmax_labels.noise one_output_benefit.noise turn.images
    JointRegressor.fit.task JointRegressor.predict.task JointRegressor.score.task JointRegressor.summary.task
    JointClassifier.fit.task joint_model.task target_folds.task shared_ridge.task shared_ridge.own
    align.heads gaussian_task.theta split.task data_modes.teacher leading_data_modes.teacher
    head_networks.head logistic_flow.marks logistic_flow.weights fixed_steps.weights gradient_flow.weights
    descend.weights shrunk.weights sampled_flow.weights crossing_times.level
"""


def misfits(name: str, function: Callable[..., Any], call: Mapping[str, Any]) -> list[str]:
    """What the function `name` does with arguments just outside their ranges and should not, one line for each."""
    found = []
    for argument, valid in call.items():
        for value, error, words in _outside(name, argument):
            try:
                function(**{**copied(call), argument: _spoiled(valid, value)})
            except error as refusal:
                if not re.search(rf"\b{argument}\b(\[\d+\])? .*{re.escape(words)}", str(refusal)):
                    found.append(f"{argument} = {value}: {refusal}; expected: {words}")
            except Exception as other:
                found.append(f"{argument} = {value}: {type(other).__name__}: {other}; expected: {words}")
            else:
                found.append(f"{argument} = {value}: accepted; expected: {words}")
    return found


def _outside(name: str, argument: str) -> list[Outside]:
    own = f"{name}.{argument}"
    return OUTSIDE.get(own, [] if own in ELSEWHERE.split() else OUTSIDE.get(argument, []))


def _spoiled(valid: Any, value: Any) -> Any:
    """`value` alone, or in the place of the last of the numbers in `valid`."""
    numbers = np.array(valid) if isinstance(valid, list | tuple | np.ndarray) and _regular(valid) else np.array(0)
    if numbers.ndim == 0 or numbers.dtype.kind not in "iuf" or not isinstance(value, int | float):
        return value
    numbers = numbers.astype(float) if isinstance(value, float) else numbers
    numbers.flat[-1] = value
    return numbers if isinstance(valid, np.ndarray) else numbers.tolist()


def _regular(valid: Any) -> bool:
    return all(np.ndim(part) == np.ndim(valid[0]) for part in valid)
