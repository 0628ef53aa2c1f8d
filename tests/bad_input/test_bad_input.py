"""Rubbish in, an error that names the argument out: one rule for every public function and method of the library."""

import inspect
import pkgutil
import re
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
import valid_calls_packages
import valid_calls_simulation
from every_call import CALLS, FUNCTIONS, PACKAGES, called, cases, module_of, modules, public_methods
from one_entry import one_entry_faults
from ranges import misfits
from rubbish import faults, public

import mtlbook_lib

# Functions that our own code calls (some at every step), with arguments that it has checked.
INNER = {
    "data.teachers": {"assemble", "setting_rows"},
    "simulation.linear.networks": {"composite"},
    "simulation.engine": {"added", "array_view", "boosted", "by_lu", "covariance_of", "empty",
                          "exponential", "factors", "haar_layers", "in_place", "subtract", "subtract_product",
                          "run_calls", "networks", "next_length", "nonzero", "normal_layers", "of_tasks", "paired",
                          "paired_tasks", "product", "regression", "rosenbrock", "run_descent", "steps_along",
                          "scaled", "shapes", "tensor_of", "to_layers", "packed",
                          "trajectory", "widths", "on_host", "looks_apart", "finest", "put", "stretches"},
}  # fmt: skip
# Methods that our own code calls with what it has checked, by class; the engine's are all so.
INNER_METHODS = {
    "BertEncoder": {"from_folder", "make", "rows"},  # need an optional package
    "WordEncoder": {"make", "rows"},
    "TextEncoder": {"make", "rows"},
    "Source": {"file", "missing", "place"},
    "TaskModel": {"fit", "outputs", "predict", "predict_proba", "row_losses", "score", "scores"},  # by HardSharing
    "SingleTask": {"network_of"},  # as of HardSharing
    "Training": {"make_optimizer", "random_state"},
}
# Module, function, argument, rubbish: what the function's own description admits.
ADMITTED = {
    **{("simulation.engine", "to_tensor", "values", kind): "it moves numbers, and says nothing about them"
       for kind in ("NaN", "infinity", "minus infinity", "array with NaN")},
    ("theory.transfer", "alike_error", "n_heads", "infinity"): "infinitely many tasks have a formula of their own",
    ("simulation.softmax", "Students.logits", "inputs", "array with NaN"): "tensors of training are not looked through",
}  # fmt: skip
INFINITE = {
    **{case: why for case, why in ADMITTED.items() if case[0] == "simulation.engine"},
    ("theory.linear_dynamics", "wave_front", "t", "zero"): "no mode is half learned at time 0; the front is infinite",
    ("theory.classification", "optimal_scale", "overlap", "bool"): "the loss falls for ever where the overlap is 1",
    ("theory.classification", "optimal_scale", "overlap", "wrong shape"): "all ones: as above",
    ("theory.hard_sharing", "asymptotic_transfer", "n2", "large"): "the best source head is zero, the ratio infinite",
    ("theory.hard_sharing", "asymptotic_transfer", "sigma2", "large"): "as above, of a target that is all noise",
}
# One entry of several: module, function, argument, what the entry is.
ENTRIES = INFINITE | {
    ("theory.hard_sharing", "asymptotic_transfer", "theta2", "one entry large"): "it outweighs all others",
    ("theory.hard_sharing", "asymptotic_transfer", "n2", "an integer beyond int64"): "as a task of so many rows does",
    ("theory.linear_dynamics", "deep_random_strength", "times", "one entry huge"): "a time that no clock reaches",
    ("theory.classification", "gain_flow", "labels_a", "one entry large"): "products of six labels leave float64",
    # Solvers say so where they find nothing, in a RuntimeError that names the cause.
    **{(f"theory.{module}", name, argument, "one entry large"): "no solution is found to the residual that is promised"
       for module, name, argument in (
           ("interpolation", "min_group_norm", "ys"), ("interpolation", "min_group_norm_given", "beta_aux"),
           ("training_paths", "min_chain_penalty", "x"), ("training_paths", "min_chain_penalty", "y"),
           ("training_paths", "penalised", "x"), ("training_paths", "flow_path", "x"),
           ("training_paths", "width_loss", "x"),
       )},
    **{("simulation.engine", "to_tensor", "values", f"one entry {kind}"): "as for all" for kind in ("NaN", "infinity")},
    **{("forecast", "compare", name, f"one entry {kind}"): "inputs are passed on as they are"
       for name in ("x_a", "x_b") for kind in ("NaN", "infinity")},
    **{("methods.transfer_forecast", "forecast_transfer", f"targets_{task}", "one axis more"): "the task is named"
       for task in "ab"},
    ("statistics", "slope_of_means", "y", "one entry large"): "the slopes without a row leave the range themselves",
    **{("simulation.alignment", "align", name, "one entry large"): "descent that diverges"
       for name in ("direction", "heads")},
    **{("simulation.diagonal_variants", "logistic_flow", name, "one entry large"): "a flow that ends early says so"
       for name in ("inputs", "marks")},
    **{("simulation.linear.aligned", "mode_strengths", "times", f"one entry {size}"): "10,000 steps, as to a large one"
       for size in ("very large", "huge")},
    **{("simulation.diagonal", "sampled_flow", name, f"one entry {size}"): "a flow that ends early says so"
       for name in ("inputs", "labels", "times") for size in ("large", "very large", "huge")},
    **{("methods.sharing", f"HardSharing.{name}", "Y", "one entry NaN"): "a label that is missing"
       for name in ("fit", "row_losses", "score", "scores")},
}  # fmt: skip
FIRST = np.array([1.0, 0.0])[:, None, None, None]  # the second of two sets is zero
# Module, function, and what makes one set or entry of several wrong; the first argument is the one that is named.
ONE_OF_TWO = [
    ("data.benchmarks", "class_score", {"labels": [0, 1, 2], "measure": "matthews"}),
    ("data.digit_tasks", "yes_no_targets", {"labels": [1, 2, -1]}),
    ("data.digit_tasks", "yes_no_targets", {"labels": [1, 2, 10]}),
    ("data.digit_tasks", "yes_no_targets", {"labels": [1, 2, 0.5]}),
    ("data.scores", "area_under_curve", {"positives": [0, 1, 2]}),
    ("data.scores", "area_under_curve", {"positives": [[0, 1], [1, 1]], "scores": [[0.1, 0.4]] * 2}),
    ("data.scores", "area_under_curve", {"positives": [[0, 1], [0, 0]], "scores": [[0.1, 0.4]] * 2}),
    ("methods.one_output", "one_output_benefit", {"data": [np.eye(2), np.diag([1.0, 0.0])]}),
    ("methods.one_output", "one_output_benefit", {"data": [np.eye(2), [[1.0, 2.0], [2.0, 1.0]]]}),
    ("methods.one_output", "one_output_benefit", {"data": [np.eye(2), [[1.0, 0.5], [0.4, 1.0]]]}),
    ("simulation.linear.observables", "relative_test_error", {"clean": FIRST * valid_calls_packages.MAPS}),
    ("simulation.linear.observables", "relative_train_error", {"target_power": [4.0, 0.0]}),
    ("simulation.logits", "overlap", {"maps": FIRST * valid_calls_packages.MAPS}),
    ("simulation.rank_one", "alternating_directions", {"starts": FIRST[:, 0, 0] * np.ones(4)}),
    ("simulation.rectifier.descent", "prediction_error", {"targets": FIRST * valid_calls_simulation.OUTPUTS}),
    ("simulation.softmax", "component", {"target": FIRST * valid_calls_packages.MAPS}),
    ("simulation.two_tasks.on_axes", "alternate_on_axes", {"squares": [[1.0, 0.0, 1.0]] * 2}),
]
# Module, function, argument, a value that it takes with the others as in the valid call, and one that it refuses:
# where the bound is a number without rounding, one of the two is the bound.
ONE_OF_TWO_ENTRIES = [
    ("theory.classification", "aligned_flow", "s0", 0.1, 0.0),
    ("theory.classification", "denoising_benefit", "n_features", 10, 9),
    ("theory.classification", "noisy_relatedness", "n_features", 5, 4),
    ("theory.generalization", "rank_one_optimum", "eps", 1e-3, 5.0),
    ("theory.generalization", "rank_one_optimum", "s", 3.0, 0.5),
    ("theory.hard_sharing", "asymptotic_transfer", "n2", 5, 4),
    ("theory.hard_sharing", "feature_cosine_bound", "signal_norm", 2.0, 1.1),
    ("theory.hard_sharing", "head_error_bound", "angle", 0.1, 3.0),
    ("theory.hard_sharing", "model_error_bound", "angle", 0.1, 1.5),
    ("theory.hard_sharing", "sine_lower_bound", "condition_number", 1.0, 0.5),
    ("theory.hard_sharing", "target_error_bound", "c", 0.0, -0.1),
    ("theory.hard_sharing", "target_error_bound", "c", 0.1, 1 / 3),
    ("theory.implicit_bias", "boosted_weights", "impulse", [300.0, 0.0], [301.0, 0.0]),
    ("theory.linear_dynamics", "deep_random_half_time", "s_hat", 3.0, 2e-3),
    ("theory.linear_dynamics", "half_time", "s_hat", 2e-3, 1e-3),
    ("theory.linear_dynamics", "mode_time", "s", 1e-3, 3.0),
    ("theory.linear_dynamics", "wave_front", "t", 1.0, 1e6),
    ("theory.marchenko_pastur", "median_eigenvalue", "aspect", 1.0, 2.0),
    ("theory.marchenko_pastur", "tail_quantile", "mass", 0.0, -0.1),
    ("theory.marchenko_pastur", "tail_quantile", "mass", 1.0, 1.1),
    ("theory.resolution", "accuracy_gain_error", "gain", 0.1, 0.2),
    ("theory.resolution", "random_label_factor", "prevalence", 0.1, 0.0),
    ("theory.resolution", "random_label_factor", "prevalence", 0.1, 1.0),
    ("theory.softmax", "expected_winners", "k", 3, 2),
    ("theory.spiked", "clean_singular_value", "s_hat", 1 + 0.5**0.5, 1.0),
    ("theory.spiked", "outlier_variance", "s", 2.0, 0.5**0.25),
    ("theory.training_paths", "chain_response", "angle", 0.5, 1.0),
    ("theory.transfer", "share_price", "n_outputs", 20, 2),
]
THEORY = [case for case in cases(FUNCTIONS) if case[0].startswith("theory.")]


def test_every_public_function_has_a_valid_call_with_all_its_arguments():
    assert set(FUNCTIONS) == {module for package in PACKAGES for module in modules(package)}
    for module, calls in FUNCTIONS.items():
        due = set(public(module_of(module))) - INNER.get(module, set())
        assert {name for name in calls if "." not in name} == due, module
        for name, call in calls.items():
            assert set(call) == set(inspect.signature(attrgetter(name)(module_of(module))).parameters), (module, name)


def test_every_public_method_has_a_valid_call():
    known = set(cases(CALLS))
    assert len(known) > 400
    missing = set(public_methods(INNER_METHODS)) - known
    assert not missing


def test_what_is_called_inner_is_there():
    assert all(names <= set(public(module_of(module))) for module, names in INNER.items())


@pytest.mark.parametrize(("module", "name"), THEORY)
def test_every_argument_and_the_source_are_described(module, name):
    text = getattr(module_of(module), name).__doc__
    missing = [argument for argument in CALLS[module][name] if not re.search(rf"\b{argument}\b", text)]
    assert "Source:" in text or name == "curve_minimum"  # a search, no formula of anybody's
    assert not missing


@pytest.mark.parametrize(("module", "name"), cases(CALLS))
def test_rubbish_is_refused_by_name_or_gives_finite_numbers(module, name):
    found = faults((module, name), called(module, name), CALLS[module][name], ADMITTED, INFINITE, given={"self"})
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("module", "name"), cases(CALLS))
def test_one_bad_entry_among_good_ones_is_refused_by_name_or_gives_finite_numbers(module, name):
    found = one_entry_faults((module, name), called(module, name), CALLS[module][name], ENTRIES, given={"self"})
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("module", "name"), cases(FUNCTIONS))
def test_what_lies_just_outside_a_range_is_refused_in_its_words(module, name):
    found = misfits(name, called(module, name), CALLS[module][name])
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("module", "name", "argument", "fits", "misfit"), ONE_OF_TWO_ENTRIES)
def test_one_entry_that_the_others_do_not_allow_is_refused_among_those_they_do(module, name, argument, fits, misfit):
    function, call = called(module, name), CALLS[module][name]
    function(**call | {argument: [fits, fits]})
    with pytest.raises(ValueError, match=rf"\b{argument}\b"):
        function(**call | {argument: [fits, misfit]})


@pytest.mark.parametrize(("module", "name", "given"), ONE_OF_TWO)
def test_one_wrong_set_or_entry_among_right_ones_is_refused(module, name, given):
    with pytest.raises(ValueError, match=next(iter(given))):
        called(module, name)(**CALLS[module][name] | given)


def test_the_library_has_no_other_package_with_functions_for_readers():
    names = {module.name for module in pkgutil.iter_modules(mtlbook_lib.__path__) if not module.name.startswith("_")}
    for_readers = {"data", "forecast", "methods", "simulation", "statistics", "theory", "notebook", "chapters"}
    assert names == for_readers | {"command_line"}  # whose arguments are words of a shell: its tests refuse them


def test_a_wrong_result_is_found():
    def silent(x: Any) -> Any:
        return np.log(np.abs(np.asarray(x, dtype=float)) - 1)

    assert len(faults(("here", "silent"), silent, {"x": 3.0})) > 5
    assert misfits("silent", lambda alpha: None, {"alpha": 1.0}) == [
        f"alpha = {value}: accepted; expected: must be greater than 0" for value in (0.0, -1.0)
    ]
