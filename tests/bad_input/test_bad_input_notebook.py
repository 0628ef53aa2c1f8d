"""Rubbish in, an error that names the argument out: one rule for every public function of the notebook."""

import importlib
import inspect
import pkgutil
from typing import Any

import pytest
from rubbish import faults, public
from valid_calls_notebook import CALLS, CLAIM

from mtlbook_lib import notebook
from mtlbook_lib.notebook import claims, register

CARD = {"count", "html", "number", "text"}  # called with what a comparison returned
ADMITTED = {
    ("notebook.frames", "choice", "label", "text"): "any text will do",
    **{(f"notebook.{module}", name, "values", "array with NaN"): "a slider shows whatever values it is given"
       for module, name in (("frames", "build"), ("frames", "slider"))},
    **{("notebook.progress", "bar", "iterable", kind): "whatever iterates" for kind in ("text", "array with NaN")},
    **{("notebook." + module, name, argument, "text"): "any text will do" for module, name, argument in (
        ("frames", "build", "label"), ("frames", "slider", "label"), ("pictures", "picture", "alt"),
        ("pictures", "picture", "salt"), ("pictures", "show", "alt"), ("progress", "bar", "description"),
        ("svg", "to_svg", "alt"), ("svg", "to_svg", "salt"), ("register", "stated", "chapter"))},
}  # fmt: skip
ADMITTED |= {
    ("notebook.claims", "compare", "standard_error", kind): "one run alone has no standard error"
    for kind in ("NaN", "infinity", "minus infinity", "array with NaN")
}
NUMBERS = {"compare", "evaluate"}  # the others show something
CASES = [(module, name) for module, calls in CALLS.items() for name in calls]


def module_of(name: str) -> Any:
    return importlib.import_module(f"mtlbook_lib.{name}")


def test_every_public_function_has_a_valid_call_with_all_its_arguments():
    modules = [f"notebook.{module.name}" for module in pkgutil.iter_modules(notebook.__path__)]
    assert {module for module in modules if "._" not in module} == {*CALLS, "notebook.card"}
    assert set(public(module_of("notebook.card"))) == CARD
    for module, calls in CALLS.items():
        assert set(calls) == set(public(module_of(module))), module
        for name, call in calls.items():
            assert set(call) == set(inspect.signature(getattr(module_of(module), name)).parameters), (module, name)


@pytest.mark.parametrize(("module", "name"), CASES)
def test_rubbish_is_refused_by_name_or_gives_finite_numbers(module, name, monkeypatch):
    monkeypatch.setattr(register, "load", lambda path=None: {CLAIM.id: CLAIM}) if name in ("check", "compare") else None

    def called(**arguments: Any) -> Any:
        try:
            result = getattr(module_of(module), name)(**arguments)
        except claims.ClaimError:  # what a check is for
            return None
        return result if name in NUMBERS else None

    found = faults((module, name), called, CALLS[module][name], ADMITTED)
    assert not found, "\n".join(found)


def test_an_id_that_is_not_registered_is_named():
    with pytest.raises(register.RegisterError, match="claim_id 'no-such-claim' is not registered"):
        claims.check("no-such-claim", 1.0)
