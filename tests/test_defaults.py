"""What is left out of a call is what its description promises: the defaults of all public functions."""

import inspect
from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from every_call import FUNCTIONS, module_of

PROMISED = """
theory.marchenko_pastur.expectation: lower=None, upper=None
theory.spiked.detected_modes: level=0.01, scale=None
theory.linear_dynamics.balanced_flow: observe=None
theory.linear_dynamics.deep_random_half_time: ratio_in=1.0, ratio_out=1.0, overlap=0.0
theory.linear_dynamics.deep_random_strength: ratio_in=1.0, ratio_out=1.0
theory.linear_dynamics.mode_strength: depth=2
theory.linear_dynamics.mode_time: depth=2
theory.linear_dynamics.random_student_delay: order=0
theory.generalization.best_stopping: n_hidden=None, eps=0.001, depth=2, order=0
theory.generalization.random_label_scale: sigma_z=1.0
theory.generalization.test_error: n_hidden=None, eps=0.001, depth=2, order=0
theory.generalization.test_error_random: n_hidden=None, eps=0.001, order=0
theory.generalization.train_error: n_hidden=None, eps=0.001, depth=2
theory.transfer.best_head_stopping: head=0, order=0
theory.transfer.head_error: head=0, order=0
theory.transfer.head_shrinkage: n_heads=2
theory.transfer.head_shrinkage_error: head=0, joint=False
theory.transfer.transfer_benefit: method='gradient', order=0
theory.transfer.head_change: n_heads=2
theory.transfer.known_share_strength: n_heads=2
theory.softmax.label_laplacian: log2_points=12, replicates=16
theory.softmax.mean_jacobian: log2_points=12, replicates=16
theory.softmax.rem_log_partition: annealed=False
theory.classification.aligned_flow: depth=2, closure='exact'
theory.classification.gain_flow: weight=1.0, covariance_a=None, covariance_b=None
theory.classification.lowrank_generalization_loss: log2_points=13, replicates=16
theory.classification.rank_one_flow: depth=2
theory.hard_sharing.asymptotic_transfer: free_ratio=False
theory.hard_sharing.covariance_similarity: energy=0.99, normalized=False, center=False
theory.hard_sharing.explained_energy: weights=None
theory.hard_sharing.model_error_bound: noise_to_signal=0.0
theory.hard_sharing.shared_models: weights=None
theory.hard_sharing.shared_angle_bound: noise_ratio=0.0
theory.hard_sharing.shared_solution: weights=None
theory.hard_sharing.sharing_loss: weights=None
theory.hard_sharing.uncertainty_weights: least=1e-12
theory.hard_sharing.gradient_cosine: own='alike'
theory.implicit_bias.finetuning_start: imbalance=0.0, rescale=1.0, pathways='exact'
theory.implicit_bias.finetuning_width: imbalance=0.0, rescale=1.0, pathways='exact'
theory.implicit_bias.penalty_orders: imbalance=0.0, rescale=1.0, pathways='exact'
theory.implicit_bias.penalty_terms: beta0=0.0
theory.multitask_flow.group_flow: tol=1e-10, max_time=None, rtol=1e-10
theory.training_paths.flow_path: rtol=1e-08
theory.training_paths.width_loss: batch=None
theory.interpolation.min_penalty: start=0.0
theory.interpolation.min_weighted_l2: start=0.0
theory.interpolation.stationarity_residual: start=0.0
theory.resolution.accuracy_gain_error: gain=0.0
theory.resolution.area_gain_error: correlation=0.0
theory.learning_curves.group_threshold: ratio=1.0
theory.learning_curves.penalty_error: start=0.0, noise=0.0
theory.learning_curves.proximal: start=0.0
theory.learning_curves.weighted_l2_error: start=0.0
data.benchmarks.pixels: side=224
data.benchmarks.with_random_labels: share=0.2
methods.benchmarks.compare_images: methods=('alone', 'shared', 'Kendall', 'Algorithm 2'), findings=..., rank=1,
    noisy=None, side=224, training=None, seed=0
methods.benchmarks.compare_pretraining: examples=(4, 8, 16, 32, 64),
    methods=('alone', 'together', 'probed', 'finetuned'), finetuning=None, n_auxiliary=512, tolerance=0.01,
    training=None, seed=0
methods.benchmarks.compare_texts: methods=('alone', 'shared', 'Kendall', 'Algorithm 1', 'Algorithm 1, alone'),
    training=None, seed=0, weights=None
methods.benchmarks.rescaled: scaled='all'
methods.benchmarks.residual_network: width=64
methods.benchmarks.small_network: width=32
methods.benchmarks.transfer_texts: training=None, seed=0
statistics.crossing_times: level=0.5, falling=False, axis=-1
statistics.slope_of_means: paired=True
data.classification.snr_teachers: rank=None
data.classification.snr_pairs: rank=None
data.classification.normal_inputs: role='main'
data.classification.argmax_labels: noise=None
data.classification.labelled: role='main', noise='weight'
data.digit_tasks.yes_no_targets: tasks=...
data.digit_tasks.group_targets: tasks=...
data.digit_tasks.digit_split: n_axes=40, stratified=False
data.noisy_tasks.noisy_tasks: columns=None
data.gaussian_pairs.gaussian_task: part=0
data.gaussian_pairs.gaussian_pair: part=0
data.inputs.gaussian_inputs: role='training'
data.leaky.leaky_outputs: slope=0.2
data.leaky.leaky_pair: slope=0.2, n_probe=300
data.linear_tasks.regression_tasks: covariances='equal'
data.linear_tasks.transfer_pairs: covariances='same', spikes=10, rotated=True
data.scores.normal_scores: part=0
data.real.whitener: tolerance=1e-10
data.real.symmetric_whitener: tolerance=1e-08
data.real.whiten: tolerance=1e-10
data.related.pair_gram: rank_a=1, rank_b=1
data.related.related_teachers: noise_scale=1.0
data.teachers.low_rank_teachers: noise_scale=1.0
data.teachers.Teachers.turned: with_noise=True
data.training.training_set: inputs='orthonormal'
methods.one_output.one_output_benefit: eps=0.001
methods.sharing.shared: encoder=1, head=None, loss='squared', weights=None, training=None, seed=0
methods.sharing.single_task: encoder=1, head=None, loss='squared', training=None, seed=0
methods.simulated_benefit.simulated_benefit: eps=0.001, seeds=range(0, 100)
methods.shared_ridge.shared_ridge: task=None, own=None
methods.transfer_forecast.forecast_transfer: same_rows=False, eps=0.001, n_simulated=0
forecast.compare: y_b=None, repeats=4, folds=4, seed=0, loss=None
forecast.rank_auxiliaries: names=None, progress=iter, same_rows=False, repeats='error'
forecast.recommend: positive=None, estimator=None, same_rows=False, repeats='error', seed=0
forecast.benefit_matrix: names=None, progress=iter, repeats='error'
forecast.group_tasks: names=None, progress=iter, repeats='error'
forecast.joint_model: repeats='error'
forecast.target_folds: folds=5, seed=0
forecast.JointRegressor.fit: task=None, y_b=None, sample_weight=None
forecast.JointRegressor.predict: task=None, return_std=False
forecast.JointRegressor.score: task=None
forecast.JointRegressor.summary: task=None
forecast.JointClassifier.fit: task=None, sample_weight=None
simulation.spectra.data_modes: rows=None
simulation.engine.best: name='test_error'
simulation.engine.time_constant: loss='half'
simulation.engine.to_tensor: precision=None
simulation.softmax.aligned_students: depth=2, dtype=None
simulation.softmax.balance: layer=0
simulation.softmax.composite: task=0
simulation.softmax.component: task=0
simulation.softmax.cross_entropy: task=0
simulation.softmax.descend: task_weights=None, loss='mean', batch_size=None, batch_seeds=None, record=1,
    observe=None
simulation.softmax.loss_gradient: task_weights=None, loss='mean'
simulation.softmax.normal_students: depth=2, n_tasks=1, n_settings=1, rectified=False, dtype=None
simulation.softmax.optimal_stopping: name='test_loss'
simulation.softmax.stop_at_best: record=3, loss='mean', task_weights=None
simulation.mixed_batches.train_on_mixed_batches: rate=0.001, batch_size=50, rectified=False, dtype=None
simulation.mixed_batches.align_on_batches: rate=0.001, batch_size=50, rectified=False, dtype=None
simulation.sharing.train_shared: weights=1.0
simulation.linear.aligned.mode_strengths: depth=2, variances=1.0, rtol=1e-07
simulation.linear.descent.descend: loss='half', covariance=None, record_every=1, observe=None
simulation.linear.gradient_flow.integrate: covariance=None, rtol=None, max_steps=100000, observe=None
simulation.linear.observables.relative_train_error: covariance=None, target_power=None
simulation.linear.observables.relative_test_error: covariance=None, rows=slice(None, None, None)
simulation.linear.observables.mode_strengths: n_modes=None
simulation.linear.observables.mode_alignments: n_modes=None
simulation.linear.observables.singular_values: n_modes=None
simulation.linear.students.aligned: seeds=None, depth=2, dtype=None
simulation.linear.students.orthogonal: depth=2, n_settings=1, dtype=None
simulation.linear.students.gaussian: depth=2, n_settings=1, dtype=None
simulation.rectifier.descent.forward: slope=0.2, leaky_output=False
simulation.rectifier.descent.descend: slope=0.2, leaky_output=False, loss='half', record_every=1, observe=None
simulation.rectifier.heads.train_first_head: slope=0.2, eps=0.001, n_hidden=50, rows_drawn=None, record_every=1,
    dtype=torch.float32
data.sparse_tasks.sphere_inputs: role='main'
data.sparse_tasks.sphere_examples: role='main'
simulation.shallow.gradient_flow: tolerance=1e-08, reach=0.1, miss=0.1, max_steps=10000
simulation.shallow.random_layers: n_tasks=1, mirrored=False, role='start'
simulation.diagonal_variants.logistic_flow: accuracy=0.001, max_steps=20000
simulation.diagonal_variants.fixed_steps: batch=None, seeds=(), loss='squares'
simulation.diagonal_variants.descend_chains: tolerance=1e-10, reach=0.02, max_steps=100000
simulation.linear.shared_head.head_flow: layers='both', rtol=1e-07, max_steps=100000
simulation.diagonal.equal_pathways: n_tasks=1
simulation.diagonal.gradient_flow: tolerance=1e-10, accuracy=0.01, max_steps=2000, layers='both'
simulation.diagonal.descend: tolerance=1e-10, reach=0.02, max_steps=200000
simulation.diagonal.sampled_flow: rtol=1e-08, max_steps=100000, layers='both'
data.two_tasks.planar.planar_points: role='target'
simulation.boundaries.angle_losses: n_angles=72, n_steps=10, ridge=0.01
simulation.shared_modules.train_modules: rate=0.03, rectified=True, apart=False
simulation.rank_one.rank_one_directions: n_grid=801
data.two_tasks.feature_tasks.direction_pairs: classes=False
simulation.convolution.descend: rate=0.001, max_steps=2000, heads_only=False, dtype=torch.float32
simulation.convolution.random_heads: role='start'
simulation.two_tasks.relu_direction.best_relu_direction: n_grid=720
simulation.two_tasks.shared_features.train_features: loss='squares', rate=0.01, dtype=None
simulation.two_tasks.worst_pairs.least_sine: n_steps=1500
simulation.two_tasks.worst_pairs.largest_model_error: n_steps=1500, noise=0.0
data.real_pairs.random_targets: held_out=False, same_rows=0.1
simulation.stopped_students.train_stopped: rectified=True, frozen=False, n_steps=300, every=10
"""


def shown(value: Any) -> str:
    """Functions by name, tables and long lists not at all."""
    long = isinstance(value, Mapping) or (isinstance(value, tuple) and len(value) > 5)
    return "..." if long else value.__name__ if inspect.isroutine(value) else repr(value)


def test_what_is_left_out():
    found = []
    for module, name in ((module, name) for module, calls in FUNCTIONS.items() for name in calls):
        parameters = inspect.signature(attrgetter(name)(module_of(module))).parameters.values()
        given = [f"{one.name}={shown(one.default)}" for one in parameters if one.default is not one.empty]
        found += [f"{module}.{name}: {', '.join(given)}"] if given else []
    assert found == PROMISED.strip().replace("\n   ", "").splitlines()
