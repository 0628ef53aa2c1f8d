"""Who may import whom, no global random state, short files and functions; and the checks themselves can fail."""

import subprocess
import sys
from pathlib import Path

import pytest
from _architecture import cycle, import_graph, import_violations, imports, long_functions, random_violations
from _rules import RULES, library

ROOT = Path(__file__).resolve().parent.parent


def test_there_is_something_to_check():
    modules = {file.module for file in library(ROOT)}
    assert {"mtlbook_lib.theory.spiked", "mtlbook_lib.simulation.engine"} <= modules


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_repository_keeps_the_rule(rule):
    """Over all files in one test; test_rules.py shows for each rule that it can fail."""
    assert rule(ROOT) == []


@pytest.mark.parametrize(
    ("parts", "forbidden"),
    [
        (("simulation", "data"), ("mtlbook_lib.theory",)),
        (("theory",), ("mtlbook_lib.simulation", "mtlbook_lib.data", "torch", "sklearn", "cvxpy", "matplotlib")),
    ],
)
def test_what_is_loaded_at_run_time(parts, forbidden):
    """A second route to the rules, which also sees what the standard and third-party modules bring in."""
    modules = [file.module for file in library(ROOT) if file.path.parts[1] in parts]
    code = f"import importlib, sys\nfor m in {modules}: importlib.import_module(m)\nprint(*sys.modules, sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert set(modules) <= set(loaded.split())
    assert [name for name in forbidden if name in loaded.split()] == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("simulation.descent", "from mtlbook_lib.theory import spiked"),
        ("simulation.descent", "import mtlbook_lib.theory.spiked as s"),
        ("simulation.descent", "from mtlbook_lib import theory"),
        ("simulation.descent", "from ..theory import spiked"),
        ("simulation.descent", "from .. import theory"),
        ("simulation.descent", "import mtlbook_lib"),
        ("simulation.descent", "def f():\n    from mtlbook_lib.theory.spiked import overlap"),
        ("simulation.descent", "if True:\n    from mtlbook_lib.data import teachers"),
        ("simulation.descent", "import pandas"),
        ("simulation.descent", "import importlib"),
        ("data.teachers", "from mtlbook_lib.theory.spiked import overlap"),
        ("data.teachers", "from mtlbook_lib.simulation import runtime"),
        ("data.teachers", "import torch"),
        ("theory.spiked", "import torch"),
        ("theory.spiked", "from sklearn import datasets"),
        ("theory.spiked", "from mtlbook_lib.data import teachers"),
        ("theory.spiked", "def f():\n    import cvxpy"),
        ("theory.interpolation", "import cvxpy"),
        ("methods.shrinkage", "from mtlbook_lib.simulation import spectra"),
        ("methods.shrinkage", "class A:\n    from mtlbook_lib.simulation import spectra"),
        ("methods.shrinkage", "from mtlbook_lib.notebook import figures"),
        ("forecast.score", "def f():\n    from mtlbook_lib.notebook import figures"),
        ("forecast.score", "from mtlbook_lib.command_line import tables"),
        ("notebook.figures", "from mtlbook_lib.theory import spiked"),
        ("notebook.figures", "def f():\n    from ..data import real"),
        ("theory.spiked", "from mtlbook_lib._random import stream"),
        ("simulation.engine.batches", "from mtlbook_lib.chapters import sizes"),
        ("chapters.part1.x.experiment", "from mtlbook_lib.chapters import style"),
        ("chapters.part1.x.figures", "from mtlbook_lib.notebook import claims"),
        ("chapters.part1.x.figures", "from mtlbook_lib.theory import spiked"),
        ("notebook.frames", "from mtlbook_lib.chapters import style"),
        ("_random", "from mtlbook_lib.data import teachers"),
        ("_random", "import torch"),
        ("_checks", "from mtlbook_lib import _random"),
    ],
)
def test_forbidden_imports_are_found(module, source):
    assert len(import_violations(source, f"mtlbook_lib.{module}")) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("simulation.descent", "import math\nimport torch\nfrom numpy.typing import ArrayLike\nfrom . import x"),
        ("simulation.descent", "from mtlbook_lib import _checks\nfrom .._checks import count"),
        ("methods.shrinkage", "from mtlbook_lib.theory import spiked\nfrom mtlbook_lib.data import real"),
        ("methods.shrinkage", "def f():\n    from mtlbook_lib.simulation import spectra"),
        ("notebook.figures", "import matplotlib\nfrom mtlbook_lib.notebook import svg"),
        ("data.inputs", "from mtlbook_lib._random import seed_tuple"),
        ("_random", "import numpy as np\nfrom mtlbook_lib._checks import Array"),
    ],
)
def test_allowed_imports_pass(module, source):
    assert import_violations(source, f"mtlbook_lib.{module}") == []


def test_relative_imports_are_resolved():
    source = "from . import a\nfrom .b import c\nfrom ..data import d"
    targets = [item.target for item in imports(source, "mtlbook_lib.theory.x")]
    assert targets == ["mtlbook_lib.theory.a", "mtlbook_lib.theory.b.c", "mtlbook_lib.data.d"]
    in_package = [item.target for item in imports(source, "mtlbook_lib.theory", is_package=True)]
    assert in_package == targets


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ntorch.manual_seed(0)",
        "import torch as t\nx = t.randn(3, 4)",
        "from torch import randperm\nrandperm(4)",
        "import torch\ntorch.empty(3).normal_()",
    ],
)
def test_global_random_state_of_torch_is_found(source):
    assert len(random_violations(source)) == 1


def test_generators_pass():
    source = "import torch\ndef f():\n    return torch.randn(3, generator=torch.Generator())"
    assert random_violations(source) == []


def test_long_functions_are_found_and_docstrings_do_not_count():
    body = "    x = 1\n" * 59
    assert long_functions(f"def f():\n{body}") == []
    assert long_functions(f"def f():\n    '''Text.\n{'    more' + chr(10)}    '''\n{body}") == []
    assert long_functions(f"class A:\n    def f(self):\n{body.replace('    x', '        x')}        y = 2") == [
        "line 2: f has 61 lines"
    ]


def test_cycles_are_found():
    chain = {"p.a": ("from p import b", False), "p.b": ("from p.c import f", False), "p.c": ("import math", False)}
    assert cycle(import_graph(chain)) == []
    chain["p.c"] = ("def f():\n    import p.a", False)
    assert cycle(import_graph(chain)) == ["p.a", "p.b", "p.c", "p.a"]
