"""Every public function of the theory has an example in its docstring, which prints what it says it prints."""

import ast
import doctest
import inspect
from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import pytest

from mtlbook_lib import theory

MODULES = [found.name for found in iter_modules(theory.__path__) if not found.name.startswith("_")]
FINDER = doctest.DocTestFinder(recurse=False)


def public(module):
    """What ``from mtlbook_lib.theory.<module> import *`` gives."""
    found = import_module(f"mtlbook_lib.theory.{module}")
    return {name: getattr(found, name) for name in found.__all__}


FUNCTIONS = [(module, name) for module in MODULES for name, one in public(module).items() if inspect.isfunction(one)]


@pytest.mark.parametrize(("module", "name"), FUNCTIONS, ids=lambda part: part)
def test_a_function_has_an_example_that_is_right(module, name):
    names = public(module)
    (example,) = FINDER.find(names[name], name, module=False, globs={**names, "np": np})
    assert example.examples, "an example shows a reader what to call, and what comes back"
    runner = doctest.DocTestRunner()
    runner.run(example)
    assert not runner.failures


@pytest.mark.parametrize("module", MODULES)
def test_dir_shows_what_a_user_may_call(module):
    found = import_module(f"mtlbook_lib.theory.{module}")
    assert dir(found) == sorted(found.__all__)


@pytest.mark.parametrize(("module", "name"), FUNCTIONS, ids=lambda part: part)
def test_a_docstring_says_its_own_parameters(module, name):
    function = public(module)[name]
    text = inspect.getdoc(function)
    described = " ".join(line.split(" :")[0] for line in text.splitlines() if " : " in line and line[0] not in " >")
    assert set(inspect.signature(function).parameters) <= set(described.replace(",", " ").split())


@pytest.mark.parametrize(("module", "name"), FUNCTIONS, ids=lambda part: part)
def test_a_function_says_what_it_returns(module, name):
    (function,) = ast.parse(inspect.getsource(public(module)[name])).body
    assert "Any" not in ast.unparse(function.returns)
