"""Rubbish in, an error that names the argument out: the methods of what public functions return, too."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import pytest
import test_bad_input_packages as packages
import test_bad_input_theory as theory
from one_entry import one_entry_faults
from rubbish import faults
from valid_calls_methods import CALLS

CASES = [(module, name) for module, calls in CALLS.items() for name in calls]
KNOWN = CALLS, packages.CALLS, {f"theory.{module}": calls for module, calls in theory.CALLS.items()}
# Methods that our own code calls with what it has checked, by class; the engine's are all so.
INNER = {
    "BertEncoder": {"from_folder", "make", "rows"},  # need an optional package
    "WordEncoder": {"make", "rows"},
    "TextEncoder": {"make", "rows"},
    "Source": {"file", "missing", "place"},
    "TaskModel": {"fit", "outputs", "predict", "predict_proba", "row_losses", "score", "scores"},  # by HardSharing
    "SingleTask": {"network_of"},  # as of HardSharing
    "Training": {"make_optimizer", "random_state"},
}
# Module, method, argument, rubbish: what the method's own description admits.
ADMITTED = {
    ("simulation.softmax", "Students.logits", "inputs", "array with NaN"): "tensors of training are not looked through",
}
ENTRIES = {
    **{("methods.sharing", f"HardSharing.{name}", "Y", "one entry NaN"): "a label that is missing"
       for name in ("fit", "row_losses", "score", "scores")},
}  # fmt: skip


def called(module: str, name: str) -> Any:
    """The method as a test calls it: what takes any number of arguments gets one."""
    if name == "AngleLosses.best_angles":
        best_angles = attrgetter(name)(packages.module_of(module))
        return lambda self, others: best_angles(self, others)
    return packages.called(module, name)


def methods() -> Iterator[tuple[str, str]]:
    """The public methods with arguments of the public classes that are not the engine's own."""
    for package in ("theory", "data", "forecast", "methods", "simulation", "statistics"):
        for module in packages.modules(package):
            found = importlib.import_module(f"mtlbook_lib.{module}")
            public = [getattr(found, name) for name in dir(found) if name[0] != "_" and module != "simulation.engine"]
            for kind in public:
                if inspect.isclass(kind) and kind.__module__.startswith(found.__name__):
                    yield from ((module, f"{kind.__name__}.{name}") for name in vars(kind) if _asks(kind, name))


def _asks(kind: type, name: str) -> bool:
    function = inspect.unwrap(getattr(kind, name))
    own = inspect.isroutine(function) and not name.startswith("_") and name not in INNER.get(kind.__name__, ())
    return own and bool(set(inspect.signature(function).parameters) - {"self"})


def test_every_public_method_has_a_valid_call():
    known = {(module, name) for calls in KNOWN for module, of in calls.items() for name in of}
    assert len(known) > 400
    missing = set(methods()) - known
    assert not missing


@pytest.mark.parametrize(("module", "name"), CASES)
def test_rubbish_is_refused_by_name_or_gives_finite_numbers(module, name):
    found = faults((module, name), called(module, name), CALLS[module][name], ADMITTED, given={"self"})
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("module", "name"), CASES)
def test_one_bad_entry_among_good_ones_is_refused_by_name_or_gives_finite_numbers(module, name):
    found = one_entry_faults((module, name), called(module, name), CALLS[module][name], ENTRIES, given={"self"})
    assert not found, "\n".join(found)
