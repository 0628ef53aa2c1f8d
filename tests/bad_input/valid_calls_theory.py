"""One valid call of every public function of the theory: what the tests of bad arguments start from."""

from typing import Any

import numpy as np

RNG = np.random.default_rng(0)
X1, X2 = RNG.standard_normal((2, 12, 3))
Y1, Y2 = X1 @ [1.0, 0.5, -0.3], X2 @ [0.8, 0.7, 0.1]
WIDE = RNG.standard_normal((3, 5))
FIT = WIDE @ [1.0, 0.0, 0.5, 0.0, 0.2]
BASIS, SPREAD = np.linalg.qr(RNG.standard_normal((4, 3)))[0], np.diag([1.0, 2.0, 0.5])
LABELS, HEAD, TRUNK = RNG.standard_normal((3, 4)), RNG.standard_normal((3, 2)), RNG.standard_normal((2, 4))
MODES = np.array([[1.0, 1.0], [-1.0, 1.0], [0.0, -2.0]]) / np.sqrt([[2.0, 6.0]])
LAYER, BACK = 0.1 * np.eye(2), 0.1 * np.eye(2)
PAIR = {"cov1": SPREAD, "cov2": np.eye(3), "n1": 20, "n2": 10, "theta1": [1.0, 0.5, 0.0], "theta2": [0.9, 0.4, 0.1]}
PAIR |= {"sigma1": 1.0, "sigma2": 0.5}
FLOW = {"w21": LAYER, "w32": BACK, "sigma31": np.eye(2), "times": [0.0, 1.0]}
SPIKE_ONLY = ("left_overlap", "noisy_singular_value", "overlap", "right_overlap")
TWO = {"xs": [X1, X2], "ys": [Y1, Y2]}
STUDENT = {"teacher": [3.0, 1.5], "aspect": 0.5, "n_outputs": 20, "n_hidden": 10, "eps": 1e-3, "depth": 2}
HEADS = {"singular_values": [[3.0], [2.0]], "gram": [[1.0, 0.5], [0.5, 1.0]], "aspect": 0.5}
TRAINED = {**HEADS, "n_outputs": 20, "eps": 1e-3, "head": 0, "order": 1}
RANDOM = {"s_hat": 3.0, "eps": 1e-3, "depth": 3, "ratio_in": 0.5, "ratio_out": 1.0}
TUNED = {"beta_aux": [1.0, 0.2], "alpha": 0.1, "gamma": 0.2}
TUNED_ALL = {**TUNED, "imbalance": 0.1, "rescale": 1.5, "pathways": "average"}
CLASSES = {"weights": [0.2, 0.8], "truth": [1.0, 0.0]}
DENOISING = {"snr": 1.0, "relatedness": 0.5, "k": 5, "n_features": 20}


def square(s: Any) -> Any:
    return np.square(s)


def valley(t: Any) -> Any:
    return np.abs(np.asarray(t) - 1) + 0.5


def softmax_covariance(weights: Any) -> Any:
    return 0.1 * weights


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


CALLS: dict[str, dict[str, dict[str, Any]]] = {
    "marchenko_pastur": {
        "support": {"aspect": 0.5},
        "density": {"s": 1.0, "aspect": 0.5},
        "tail_mass": {"s": 1.0, "aspect": 0.5},
        "tail_quantile": {"mass": 0.3, "aspect": 0.5},
        "expectation": {"func": square, "aspect": 0.5, "lower": 0.5, "upper": 1.5},
        "median_eigenvalue": {"aspect": 0.5},
    },
    "spiked": {
        "bulk_cross_density": {"s": 1.0, "s_bar": 0.5, "aspect": 0.5},
        "clean_singular_value": {"s_hat": 3.0, "aspect": 0.5},
        "detected_modes": {"singular_values": [3.0, 1.0, 0.5], "n_rows": 3, "n_cols": 6, "level": 0.01, "scale": 1.0},
        "largest_noise_singular_value": {"n_cols": 20, "n_rows": 10},
        **{name: {"s": 2.0, "aspect": 0.5} for name in SPIKE_ONLY},
        "noise_scale": {"singular_values": [3.0, 1.0, 0.5], "n_rows": 3, "n_cols": 6},
        "optimal_shrinkage": {"s_hat": 3.0, "aspect": 0.5},
        "outlier_variance": {"s": 2.0, "aspect": 0.5, "n_cols": 20},
        "spike": {"theta": 2.0, "n_rows": 10, "n_cols": 20, "variance": 0.05},
        "threshold": {"aspect": 0.5},
    },
    "truncation": {"truncation_error": {"s": [3.0, 1.0, 0.5], "n_kept": 2, "aspect": 0.5},
                   "useful_singular_value": {"aspect": 0.5}},
    "tracy_widom": {"cdf": {"x": 0.0}, "quantile": {"probability": 0.3}},
    "linear_dynamics": {
        "balanced_distances": {**FLOW, "goals": [np.eye(2)]},
        "balanced_flow": {**FLOW, "observe": np.abs},
        "deep_random_half_time": {**RANDOM, "overlap": 0.1},
        "deep_random_ratio_limit": {"depth": 3},
        "deep_random_strength": {"times": [0.0, 1.0], **RANDOM},
        "effective_initial_scale": {"eps": 1e-3, "n_inputs": 20, "n_hidden": 10, "n_outputs": 10},
        "half_time": {"s_hat": 3.0, "eps": 1e-3},
        "imbalanced_distances": {**FLOW, "goals": [np.eye(2)]},
        "imbalanced_flow": FLOW,
        "imbalanced_mode": {"t": 1.0, "s_hat": 3.0, "eps": 1e-3, "imbalance": 0.5},
        "lazy_error": {"teacher": [3.0], "n_outputs": 20},
        **{f"mode_{of}": {at: 1, "s_hat": 3, "eps": 1e-3, "depth": 3} for of, at in (("strength", "t"), ("time", "s"))},
        "random_student_delay": {"s_hat": 3.0, "n_inputs": 20, "n_hidden": 10, "n_outputs": 10, "order": 1},
        "wave_front": {"t": 1.0, "eps": 1e-3},
    },
    "generalization": {
        "best_stopping": {**STUDENT, "order": 1},
        "bulk_shift": {"func": square, "teacher": [3.0], "aspect": 0.5},
        "curve_minimum": {"curve": valley, "horizon": 5.0},
        "random_label_scale": {"teacher": [3.0], "n_outputs": 20, "sigma_z": 1.0},
        "rank_one_optimum": {"s": 3.0, "aspect": 0.5, "eps": 1e-3},
        "shrinkage_error": {"teacher": [3.0], "aspect": 0.5},
        "test_error": {"t": 1.0, **STUDENT, "order": 1},
        "test_error_examples": {"t": 1.0, "teacher": [3.0], "n_inputs": 20, "n_outputs": 10, "n_examples": 15,
                                "eps": 1e-3},
        "test_error_random": {"t": 1.0, "teacher": [3.0], "n_inputs": 20, "n_outputs": 10, "n_hidden": 10, "eps": 1e-3,
                              "order": 0},
        "train_error": {"t": 1.0, **STUDENT},
    },
    "transfer": {
        "best_head_stopping": TRAINED,
        "composite_modes": {key: HEADS[key] for key in ("singular_values", "gram")},
        "head_error": {"t": 1.0, **TRAINED},
        "head_shrinkage": {"s_hat": 3.0, "head_energy": 0.6, "aspect": 0.5, "n_heads": 2},
        "head_shrinkage_error": {**HEADS, "head": 0, "joint": True},
        "rank_one_pair": {"s_a": 3.0, "s_b": 2.0, "q": 0.5, "aspect": 0.5},
        "transfer_benefit": {"s_a": 3.0, "s_b": 2.0, "q": 0.5, "aspect": 0.5, "n_outputs": 20, "eps": 1e-3,
                             "method": "shrinkage", "order": 0},
        "alike_error": {"s": 2.0, "q": 0.5, "n_heads": 3, "aspect": 0.5},
        "equivalent_similarity": {"s": 2.0, "error": 0.5, "aspect": 0.5},
        "head_change": {"x": 1.0, "sigma": 2.0, "weight": 0.5, "aspect": 0.5, "n_heads": 2},
        "known_share_strength": {"sigma": 2.0, "weight": 0.5, "aspect": 0.5, "n_heads": 2},
        "share_price": {"s": 2.0, "n_outputs": 20, "aspect": 0.5},
        "unrelated_joint_error": {"s": 2.0, "companions": [1.5, 1.0], "aspect": 0.5},
    },
    "softmax": {
        "binary_gain": {"std": 1.0},
        "isotropic_curves": {"k": 5},
        "expected_maximum": {"k": 5},
        "expected_winners": {"k": 5, "rank": 3},
        **{name: {"s": 1.0, "k": 5} for name in (
            "calibrated_gain", "interpolated_gain", "isotropic_excess", "isotropic_gain", "isotropic_log_partition",
            "isotropic_participation", "isotropic_slope_deficit", "rem_gain")},
        "label_laplacian": {"cov": SPREAD, "rng": rng(), "log2_points": 4, "replicates": 4},
        "lowrank_class_probabilities": {"factor": HEAD},
        "lowrank_label_laplacian": {"factor": HEAD},
        "mean_jacobian": {"cov": SPREAD, "rng": rng(), "log2_points": 4, "replicates": 4},
        "mean_jacobian_independent": {"std": [1.0, 2.0, 0.5]},
        "mean_jacobian_rank_one": {"s": 1.0, "u": [1.0, -1.0, 0.5]},
        "rem_critical_norm": {"k": 5},
        "rem_log_partition": {"s": 1.0, "k": 5, "annealed": True},
    },
    "classification": {
        "aligned_flow": {"s0": 0.1, "t": 1.0, "k": 5, "depth": 2, "closure": "rem"},
        "benefit_bounds": {"w_single": LABELS, "w_multi": 1.1 * LABELS, "label_covariance": LABELS,
                           "softmax_covariance": softmax_covariance},
        "denoising_benefit": DENOISING,
        "denoising_overlap": DENOISING,
        "gain_flow": {"teacher_a": LABELS, "labels_a": LABELS, "labels_b": LABELS, "trunk": TRUNK, "head_a": HEAD,
                      "head_b": HEAD, "rate": 0.01, "steps": 2, "weight": 1.0, "covariance_a": np.eye(4),
                      "covariance_b": np.eye(4)},
        "generalization_loss": {"scale": 1.0, "overlap": 0.5, "k": 5},
        "label_agreement": {"overlap": 0.5, "k": 5},
        "lowrank_generalization_loss": {"scale": 1.0, "snr": 1.0, "output_modes": MODES, "rng": rng(), "log2_points": 4,
                                        "replicates": 4},
        "noisy_relatedness": {"snr_a": 1.0, "snr_b": 2.0, "relatedness": 0.5, "k": 5, "n_features": 20},
        "one_step_overlap": {"n_samples": 30, "n_features": 20, "k": 5},
        "optimal_loss": {"overlap": 0.5, "k": 5},
        "optimal_scale": {"overlap": 0.5, "k": 5},
        "relatedness": {"v_a": BASIS, "v_b": BASIS[:, ::-1]},
        "rank_one_flow": {"direction": [0.9, 0.1, -0.8], "s0": 0.1, "t": 0.5, "depth": 2},
        "teacher_overlap": {"snr": 1.0},
        "two_task_flow": {"relatedness": 0.5, "label_a": 0.3, "label_b": 0.3, "head_a": 0.1, "head_b": 0.1,
                          "trunk": 0.1, "t": 1.0, "k": 5},
    },
    "hard_sharing": {
        "asymptotic_risk": {**PAIR, "ratio": 1.0},
        "asymptotic_transfer": {**PAIR, "free_ratio": False},
        "covariance_similarity": {"x1": X1, "x2": X2, "energy": 0.9, "normalized": True, "center": True},
        "explained_energy": {**TWO, "shared": BASIS[:3, :2], "weights": [1.0, 2.0]},
        "feature_angle_bound": {"cosine": 0.9, "kernel_deviation": 0.05},
        "feature_cosine_bound": {"signal_norm": 2.0, "projected_noise": 0.1, "y2_norm": 1.0},
        "greedy_energies": TWO,
        "head_error_bound": {"x2": X2, "theta2": [1.0, 0.5, 0.1], "a2": 1.0, "projected_noise": 0.1, "angle": 0.2},
        "likely_source_noise": {"signal_norm": 9.0, "sigma": 1.0, "n_inputs": 5, "failure": 0.1},
        "model_error_bound": {"angle": 0.1, "condition_number": 2.0, "noise_to_signal": 0.2},
        "optimal_heads": {**TWO, "shared": BASIS[:3, :2]},
        "pooled_bias_variance": {"s1": SPREAD, "s2": np.eye(3), "theta1": [1.0, 0.5, 0.0], "theta2": [0.9, 0.4, 0.1],
                                 "sigma1": 1.0, "sigma2": 0.5, "ratio": 1.0, "target_cov": np.eye(3)},
        "rank_one_objective": {"b": [1.0, 0.5, 0.2], **TWO},
        "rank_one_optimum": TWO,
        "rank_one_upper_bound": TWO,
        "relu_kernel": {"angle": 0.5},
        "finetuned_models": {"x": X1, "y": Y1, "start": np.ones(X1.shape[1]), "times": [0.1, 1.0]},
        "shared_models": {"x": X1, "y": np.column_stack([Y1, Y2]), "rank": 1, "weights": [1.0, 2.0]},
        "shared_angle_bound": {"energy_ratio": 0.1, "condition_number": 2.0, "noise_ratio": 0.2},
        "shared_solution": {"xs": [X1, 2 * X1], "ys": [Y1, Y2], "capacity": 1, "weights": [1.0, 2.0]},
        "sharing_loss": {**TWO, "shared": BASIS[:3, :2], "heads": [[1.0, 0.5], [0.3, 0.2]], "weights": [1.0, 2.0]},
        "sine": {"u": [1.0, 0.0], "v": [1.0, 1.0]},
        "sine_lower_bound": {"sine": 0.5, "condition_number": 3.0},
        "single_task_solution": {"x": X1, "y": Y1},
        "svd_task_weights": {"x": X1, "y": np.column_stack([Y1, Y2]), "rank": 1},
        "target_error_bound": {"c": 0.1, "x2": X2, "theta2": [1.0, 0.5, 0.1], "noise2": Y2 / 10},
        "uncertainty_weights": {"x": X1, "y": RNG.standard_normal((12, 2)), "rank": 1, "least": 1e-9},
        "estimated_bias_excess": {"s1": SPREAD, "s2": np.eye(3), "spread1": 0.1 * np.eye(3), "spread2": 0.2 * SPREAD,
                                  "weight": 0.3, "ridge": 1.0, "target_cov": np.eye(3)},
        "gradient_cosine": {"share": [0.0, 0.5], "cosine": 0.4, "n_examples": 50, "n_inputs": 20, "noise": 1.0,
                            "own": "apart"},
        "unrelated_cosine_spread": {"share": [0.0, 0.5], "n_examples": 50, "n_inputs": 20, "noise": 1.0},
        "weighted_ridge_risk": {"s1": SPREAD, "s2": np.eye(3), "theta1": [1.0, 0.5, 0.0], "theta2": [0.9, 0.4, 0.1],
                                "sigma1": 1.0, "sigma2": 0.5, "weight": 0.3, "ridge": 1.0, "target_cov": np.eye(3)},
    },
    "implicit_bias": {
        "boosted_weights": {"u": 0.5, "v": [0.1, 0.2], "impulse": [1.0, -0.5]},
        "finetuning_penalty": {"beta": [0.5, 0.1], **TUNED},
        "finetuning_start": TUNED_ALL,
        "finetuning_width": TUNED_ALL,
        "group_norm": {"betas": [[1.0, 0.5], [0.2, 0.1]]},
        "group_orders": {"beta": 0.5, "beta_aux": 0.3},
        "needed_slopes": {"size": 0.5, "alpha": 0.1},
        "kernel_interpolator": {"kernel": [[1.0, 0.2], [0.2, 1.0]], "y": [1.0, 2.0], "cross": [[0.3, 0.4]]},
        "path_norm": {"first": HEAD, "second": [1.0, 0.5, 0.2]},
        "pathway_invariants": {"u_plus": 0.5, "v_plus": 0.2, "u_minus": 0.3, "v_minus": 0.2},
        "penalty_orders": {"beta": [0.5, 0.1], **TUNED_ALL},
        "penalty_terms": {"beta": 0.5, "kappa": 0.1, "beta0": 0.2},
        "pretrained_layer": {"beta_aux": 0.5, "alpha": 0.1},
        "printed_penalty": {"beta": [0.5, 0.1], "beta_aux": [1.0, 0.2], "gamma": 0.2},
        "printed_width": {"beta_aux": 0.5, "gamma": 0.2},
        "probed_start": {"u_plus": 0.5, "u_minus": 0.3, "gamma": 0.2, "path": 0.1},
        "probed_width": {"u_plus": 0.5, "u_minus": 0.3, "gamma": 0.2, "path": 0.1},
        "probing_path": {"x": WIDE, "y": FIT, "u_plus": [0.5] * 5, "u_minus": [0.3] * 5, "gamma": 0.2, "time": 1.0},
        "q": {"z": 0.5},
        "tangent_kernel": {"x": WIDE, "z": WIDE},
    },
    "multitask_flow": {"group_selection": {"xs": [WIDE], "ys": [FIT]}, "group_flow": {
        "xs": [WIDE], "ys": [FIT], "log_alpha": -2.0, "tol": 1e-10, "max_time": 5.0, "rtol": 1e-6}},
    "training_paths": {
        "chain_response": {"angle": [0.5, -0.2], "depth": 3},
        "flow_path": {"x": WIDE, "y": FIT, "kappa": 0.1, "start": 0.0, "times": [0.0, 1.0], "rtol": 1e-6},
        "largest_margin": {"signed": [np.eye(2), np.eye(2)]},
        "min_chain_penalty": {"x": WIDE, "y": FIT, "alpha": 0.3, "depth": 3},
        "penalised": {"x": WIDE, "y": FIT, "kappa": 0.1, "start": 0.0, "strength": 0.1},
        "relative_margin": {"signed": [np.eye(2), np.eye(2)], "beta": np.ones((2, 2))},
        "width_loss": {"x": WIDE, "y": FIT, "kappa": 0.1, "start": 0.0, "times": [0.0, 1.0], "batch": 2.0},
    },
    "interpolation": {
        "min_group_norm": {"xs": [WIDE, WIDE], "ys": [FIT, FIT]},
        "min_group_norm_given": {"x": WIDE, "y": FIT, "beta_aux": np.array([1.0, 0.0, 0.5, 0.0, 0.0])},
        "min_l1": {"x": WIDE, "y": FIT},
        "min_l2": {"x": WIDE, "y": FIT},
        "min_penalty": {"x": WIDE, "y": FIT, "kappa": 0.1, "start": 0.0},
        "min_weighted_l2": {"x": WIDE, "y": FIT, "weights": np.ones(5), "start": 0.0},
        "stationarity_residual": {"x": WIDE, "beta": np.ones(5), "kappa": 0.1, "start": 0.0},
    },
    "resolution": {
        "accuracy_gain_error": {"disagreement": 0.1, "n_rows": 277, "gain": 0.02},
        "area_gain_error": {"area": 0.8, "n_positive": 20, "n_negative": 80, "correlation": 0.5},
        "random_label_factor": {"prevalence": 0.1, "share": 0.2},
    },
    "learning_curves": {
        "finetuning_threshold": {"rho_aux": 0.1, "rho_new": 0.05},
        "group_error": {"delta": 0.6, **CLASSES, "beta_aux": [1.0, 0.0]},
        "group_threshold": {"rho_shared": 0.05, "rho_unused": 0.05, "rho_new": 0.05, "ratio": 1.0},
        "l1_error": {"delta": 0.3, **CLASSES},
        "l1_threshold": {"rho": 0.1},
        "overlap_classes": {"dim": 100, "k_aux": 10, "k_main": 10, "overlap": 5},
        "penalty_error": {"delta": 0.6, **CLASSES, "kappa": 0.1, "start": 0.0, "noise": 0.1},
        "proximal": {"y": 1.0, "kappa": 0.1, "theta": 0.5, "start": 0.0},
        "retained_threshold": {"rho_same": 0.05, "rho_wrong": 0.02, "rho_unused": 0.05, "rho_new": 0.02},
        "weighted_l2_error": {"delta": 0.6, **CLASSES, "scales": [1.0, 0.5], "start": 0.0},
    },
}  # fmt: skip
