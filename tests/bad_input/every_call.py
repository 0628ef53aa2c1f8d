"""A valid call of every public function, and of the methods of what they return: by module and name, for all tests."""

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

import torch
import valid_calls_diagonal
import valid_calls_forecast
import valid_calls_methods
import valid_calls_packages
import valid_calls_simulation
import valid_calls_theory
import valid_calls_two_tasks
from valid_calls_simulation import ASKED

from mtlbook_lib.methods.sharing import TaskModel
from mtlbook_lib.simulation.engine import Trajectory

PACKAGES = ("data", "forecast", "methods", "simulation", "statistics", "theory")
FUNCTIONS = {
    **{f"theory.{module}": calls for module, calls in valid_calls_theory.CALLS.items()},
    **valid_calls_packages.CALLS,
    **valid_calls_forecast.CALLS,
    **valid_calls_simulation.CALLS,
    **valid_calls_diagonal.CALLS,
    **valid_calls_two_tasks.CALLS,
}
CALLS = {module: calls | valid_calls_methods.CALLS.get(module, {}) for module, calls in FUNCTIONS.items()}


def cases(of: dict[str, dict[str, dict[str, Any]]]) -> list[tuple[str, str]]:
    """Module and name of each call."""
    return [(module, name) for module, calls in of.items() for name in calls]


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
    """The function as a test calls it: an observable is also asked, what takes any number of arguments gets one."""
    function, question = attrgetter(name)(module_of(module)), ASKED.get((module, name))

    def call(**arguments: Any) -> Any:
        # Where scikit-learn is loaded, its own checks speak to the estimators' users, and name no argument.
        alone = patch.dict(sys.modules, {"sklearn.utils.validation": None})
        with alone if name.startswith("Joint") else nullcontext():
            result = function(*arguments.values()) if name == "AngleLosses.best_angles" else function(**arguments)
        return plain(result(question) if question is not None else result)

    return call


def public_methods(inner: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    """The public methods with arguments of the public classes, without `inner` ones, by class, and the engine's own."""
    for module in (module for package in PACKAGES for module in modules(package) if module != "simulation.engine"):
        found = module_of(module)
        for kind in (getattr(found, name) for name in dir(found) if name[0] != "_"):
            if inspect.isclass(kind) and kind.__module__.startswith(found.__name__):
                for name in vars(kind):
                    method = inspect.unwrap(getattr(kind, name))
                    own = inspect.isroutine(method) and name[0] != "_" and name not in inner.get(kind.__name__, ())
                    if own and set(inspect.signature(method).parameters) - {"self"}:
                        yield module, f"{kind.__name__}.{name}"
