"""Rubbish in, an error that names the argument out: one rule for every public function of the other packages."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from operator import attrgetter
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import torch
import valid_calls_diagonal
import valid_calls_forecast
import valid_calls_packages
import valid_calls_simulation
import valid_calls_two_tasks
from one_entry import one_entry_faults
from ranges import misfits
from rubbish import faults, public
from valid_calls_simulation import ASKED

import mtlbook_lib
from mtlbook_lib.methods.sharing import TaskModel
from mtlbook_lib.simulation.engine import Trajectory

CALLS = {
    **valid_calls_packages.CALLS,
    **valid_calls_forecast.CALLS,
    **valid_calls_simulation.CALLS,
    **valid_calls_diagonal.CALLS,
    **valid_calls_two_tasks.CALLS,
}
# Functions that our own code calls (some at every step), with arguments that it has checked.
INNER = {
    "data.teachers": {"assemble", "setting_rows"},
    "simulation.linear.networks": {"composite"},
    "simulation.engine": {"added", "array_view", "boosted", "by_lu", "covariance_of", "each_sample", "empty",
                          "exponential", "factors", "haar_layers", "in_place", "subtract", "subtract_product",
                          "run_calls", "networks", "next_length", "nonzero", "normal_layers", "of_tasks", "paired",
                          "paired_tasks", "product", "regression", "rosenbrock", "run_descent", "steps_along",
                          "scaled", "shapes", "tensor_of", "to_layers", "packed",
                          "trajectory", "widths"},
}  # fmt: skip
# Module, function, argument, rubbish: what the function's own description admits.
ADMITTED = {
    ("simulation.engine", "to_tensor", "values", kind): "it moves numbers, and says nothing about them"
    for kind in ("NaN", "infinity", "minus infinity", "array with NaN")
}
INFINITE = ADMITTED
# One entry of several: module, function, argument, what the entry is.
ENTRIES = {
    **{("simulation.engine", "to_tensor", "values", f"one entry {kind}"): "as for all" for kind in ("NaN", "infinity")},
    **{("forecast", "compare", name, f"one entry {kind}"): "inputs are passed on as they are"
       for name in ("x_a", "x_b") for kind in ("NaN", "infinity")},
    ("statistics", "slope_of_means", "y", "one entry large"): "the slopes without a row leave the range themselves",
    **{("simulation.alignment", "align", name, "one entry large"): "descent that diverges"
       for name in ("direction", "heads")},
    **{("simulation.diagonal_variants", "logistic_flow", name, "one entry large"): "a flow that ends early says so"
       for name in ("inputs", "marks")},
    **{("simulation.diagonal", "sampled_flow", name, f"one entry {size}"): "a flow that ends early says so"
       for name in ("inputs", "labels", "times") for size in ("large", "very large", "huge")},
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
CASES = [(module, name) for module, calls in CALLS.items() for name in calls]


def modules(package: str) -> Iterator[str]:
    """The public modules below a package; one that lists its names counts as one module."""
    found = importlib.import_module(f"mtlbook_lib.{package}")
    if hasattr(found, "__all__") or not hasattr(found, "__path__"):
        yield package
        return
    for module in pkgutil.iter_modules(found.__path__):
        if not module.name.startswith("_"):
            yield from modules(f"{package}.{module.name}")


def module_of(name: str) -> ModuleType:
    return importlib.import_module(f"mtlbook_lib.{name}")


def plain(result: Any) -> Any:
    """A trajectory without the runs that it says have failed, tensors as arrays."""
    if isinstance(result, Trajectory):
        kept = result.converged
        return [[values[kept] for values in result.values.values()], [layer[kept] for layer in result.layers]]
    if isinstance(result, torch.Tensor):
        return result.detach().numpy()
    if isinstance(result, list):
        return [plain(part) for part in result]
    return None if isinstance(result, torch.device | torch.dtype | TaskModel) else result


def called(module: str, name: str) -> Any:
    """The function as a test calls it: an observable is also asked."""
    function, question = attrgetter(name)(module_of(module)), ASKED.get((module, name))

    def call(**arguments: Any) -> Any:
        # Where scikit-learn is loaded, its own checks speak to the estimators' users, and name no argument.
        alone = patch.dict(sys.modules, {"sklearn.utils.validation": None})
        with alone if name.startswith("Joint") else nullcontext():
            result = function(**arguments)
        return plain(result(question) if question is not None else result)

    return call


def test_every_public_function_has_a_valid_call_with_all_its_arguments():
    packages = ("data", "forecast", "methods", "simulation", "statistics")
    assert set(CALLS) == {module for package in packages for module in modules(package)}
    for module, calls in CALLS.items():
        functions = set(public(module_of(module))) - INNER.get(module, set())
        assert {name for name in calls if "." not in name} == functions, module
        for name, call in calls.items():
            assert set(call) == set(inspect.signature(attrgetter(name)(module_of(module))).parameters), (module, name)


def test_what_is_called_inner_is_there():
    assert all(names <= set(public(module_of(module))) for module, names in INNER.items())


@pytest.mark.parametrize(("module", "name"), CASES)
def test_rubbish_is_refused_by_name_or_gives_finite_numbers(module, name):
    found = faults((module, name), called(module, name), CALLS[module][name], ADMITTED, INFINITE, given={"self"})
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("module", "name"), CASES)
def test_one_bad_entry_among_good_ones_is_refused_by_name_or_gives_finite_numbers(module, name):
    found = one_entry_faults((module, name), called(module, name), CALLS[module][name], ENTRIES, given={"self"})
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("module", "name"), CASES)
def test_what_lies_just_outside_a_range_is_refused_in_its_words(module, name):
    found = misfits(name, called(module, name), CALLS[module][name])
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("module", "name", "given"), ONE_OF_TWO)
def test_one_wrong_set_or_entry_among_right_ones_is_refused(module, name, given):
    with pytest.raises(ValueError, match=next(iter(given))):
        called(module, name)(**CALLS[module][name] | given)


def test_the_library_has_no_other_package_with_functions_for_readers():
    names = {module.name for module in pkgutil.iter_modules(mtlbook_lib.__path__) if not module.name.startswith("_")}
    assert names == {"data", "forecast", "methods", "simulation", "statistics", "theory", "notebook", "chapters"}


def test_a_wrong_result_is_found():
    def silent(x: Any) -> Any:
        return np.log(np.abs(np.asarray(x, dtype=float)) - 1)

    assert len(faults(("here", "silent"), silent, {"x": 3.0})) > 5
    assert misfits("silent", lambda alpha: None, {"alpha": 1.0}) == [
        f"alpha = {value}: accepted; expected: must be greater than 0" for value in (0.0, -1.0)
    ]
