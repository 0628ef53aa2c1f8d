"""Rubbish in, an error that names the argument out: one rule for every public function of the theory."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from typing import Any

import pytest
from one_entry import one_entry_faults
from ranges import misfits
from rubbish import faults, public
from valid_calls_theory import CALLS

from mtlbook_lib import theory

# Module, function, argument, rubbish: what the function's own description admits.
ADMITTED = {
    ("transfer", "alike_error", "n_heads", "infinity"): "infinitely many tasks have a formula of their own",
}
INFINITE = {
    ("linear_dynamics", "wave_front", "t", "zero"): "no mode is half learned at time 0: the front is at infinity",
    ("classification", "optimal_scale", "overlap", "bool"): "the loss falls for ever where the overlap is 1",
    ("classification", "optimal_scale", "overlap", "wrong shape"): "all ones: as above",
    ("hard_sharing", "asymptotic_transfer", "n2", "large"): "the best source head is zero, the ratio infinite",
    ("hard_sharing", "asymptotic_transfer", "sigma2", "large"): "as above, of a target that is all noise",
}
# One entry of several: module, function, argument, what the entry is.
ENTRIES = INFINITE | {
    ("hard_sharing", "asymptotic_transfer", "theta2", "one entry large"): "it outweighs all, the ratio is infinite",
    ("hard_sharing", "asymptotic_transfer", "n2", "an integer beyond int64"): "as above, of one with so many examples",
    ("linear_dynamics", "deep_random_strength", "times", "one entry huge"): "a time that no clock reaches",
    ("classification", "gain_flow", "labels_a", "one entry large"): "products of six labels leave float64",
    # Solvers say so where they find nothing, in a RuntimeError that names the cause.
    **{(module, name, argument, "one entry large"): "no solution is found to the residual that is promised"
       for module, name, argument in (
           ("interpolation", "min_group_norm", "ys"), ("interpolation", "min_group_norm_given", "beta_aux"),
           ("training_paths", "min_chain_penalty", "x"), ("training_paths", "min_chain_penalty", "y"),
           ("training_paths", "penalised", "x"), ("training_paths", "flow_path", "x"),
           ("training_paths", "width_loss", "x"),
       )},
}  # fmt: skip
# Module, function, argument, a value that it takes with the others as in the valid call, and one that it refuses:
# where the bound is a number without rounding, one of the two is the bound.
ONE_OF_TWO = [
    ("classification", "aligned_flow", "s0", 0.1, 0.0),
    ("classification", "denoising_benefit", "n_features", 10, 9),
    ("classification", "noisy_relatedness", "n_features", 5, 4),
    ("generalization", "rank_one_optimum", "eps", 1e-3, 5.0),
    ("generalization", "rank_one_optimum", "s", 3.0, 0.5),
    ("hard_sharing", "asymptotic_transfer", "n2", 5, 4),
    ("hard_sharing", "feature_cosine_bound", "signal_norm", 2.0, 1.1),
    ("hard_sharing", "head_error_bound", "angle", 0.1, 3.0),
    ("hard_sharing", "model_error_bound", "angle", 0.1, 1.5),
    ("hard_sharing", "sine_lower_bound", "condition_number", 1.0, 0.5),
    ("hard_sharing", "target_error_bound", "c", 0.0, -0.1),
    ("hard_sharing", "target_error_bound", "c", 0.1, 1 / 3),
    ("implicit_bias", "boosted_weights", "impulse", [300.0, 0.0], [301.0, 0.0]),
    ("linear_dynamics", "deep_random_half_time", "s_hat", 3.0, 2e-3),
    ("linear_dynamics", "half_time", "s_hat", 2e-3, 1e-3),
    ("linear_dynamics", "mode_time", "s", 1e-3, 3.0),
    ("linear_dynamics", "wave_front", "t", 1.0, 1e6),
    ("marchenko_pastur", "median_eigenvalue", "aspect", 1.0, 2.0),
    ("marchenko_pastur", "tail_quantile", "mass", 0.0, -0.1),
    ("marchenko_pastur", "tail_quantile", "mass", 1.0, 1.1),
    ("resolution", "accuracy_gain_error", "gain", 0.1, 0.2),
    ("resolution", "random_label_factor", "prevalence", 0.1, 0.0),
    ("resolution", "random_label_factor", "prevalence", 0.1, 1.0),
    ("softmax", "expected_winners", "k", 3, 2),
    ("spiked", "clean_singular_value", "s_hat", 1 + 0.5**0.5, 1.0),
    ("spiked", "outlier_variance", "s", 2.0, 0.5**0.25),
    ("training_paths", "chain_response", "angle", 0.5, 1.0),
    ("transfer", "share_price", "n_outputs", 20, 2),
]
CASES = [(module, name) for module, calls in CALLS.items() for name in calls]


def imported(module: str) -> Any:
    return importlib.import_module(f"mtlbook_lib.theory.{module}")


def test_every_public_function_has_a_valid_call_with_all_its_arguments():
    modules = [module.name for module in pkgutil.iter_modules(theory.__path__) if not module.name.startswith("_")]
    assert set(CALLS) == set(modules)
    for module, calls in CALLS.items():
        assert set(calls) == set(public(imported(module))), module
        for name, call in calls.items():
            assert set(call) == set(inspect.signature(getattr(imported(module), name)).parameters), (module, name)


@pytest.mark.parametrize(("module", "name"), CASES)
def test_every_argument_and_the_source_are_described(module, name):
    text = getattr(imported(module), name).__doc__
    missing = [argument for argument in CALLS[module][name] if not re.search(rf"\b{argument}\b", text)]
    assert "Source:" in text or name == "curve_minimum"  # a search, no formula of anybody's
    assert not missing


@pytest.mark.parametrize(("module", "name"), CASES)
def test_rubbish_is_refused_by_name_or_gives_finite_numbers(module, name):
    found = faults((module, name), getattr(imported(module), name), CALLS[module][name], ADMITTED, INFINITE)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("module", "name"), CASES)
def test_one_bad_entry_among_good_ones_is_refused_by_name_or_gives_finite_numbers(module, name):
    found = one_entry_faults((module, name), getattr(imported(module), name), CALLS[module][name], ENTRIES)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("module", "name"), CASES)
def test_what_lies_just_outside_a_range_is_refused_in_its_words(module, name):
    found = misfits(name, getattr(imported(module), name), CALLS[module][name])
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("module", "name", "argument", "fits", "misfit"), ONE_OF_TWO)
def test_one_entry_that_the_others_do_not_allow_is_refused_among_those_they_do(module, name, argument, fits, misfit):
    function, call = getattr(imported(module), name), CALLS[module][name]
    function(**call | {argument: [fits, fits]})
    with pytest.raises(ValueError, match=rf"\b{argument}\b"):
        function(**call | {argument: [fits, misfit]})
