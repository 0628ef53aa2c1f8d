"""What the keys of stored results depend on."""

import ast
import os
import subprocess
import sys

from bookbuild.trials.machines import MACHINES
from mtlbook_lib._files import PACKAGE
from mtlbook_lib.chapters import keys, stored_results
from mtlbook_lib.chapters.sizes import load_all


def test_no_experiment_of_the_book_depends_on_how_it_is_drawn_or_shown():
    names = [name.rpartition(".") for name in load_all()]
    text = "\n".join(f"from {module} import {function}\n{function}" for module, _, function in names)
    reached = {module for module, _ in keys.Library(PACKAGE.parent).reached(text)}
    assert len(reached) > len(names) > 50
    parts = {part for name in reached for part in name.split(".")}
    assert "experiment" in parts
    assert not parts & {"figures", "style", "notebook"}


def test_every_variable_that_simulates_a_machine_counts():
    names = {name for machine in MACHINES.values() for name in machine}
    assert names
    assert [name for name in names if name not in keys.changing(dict.fromkeys(names, "1"))] == []


def test_what_a_library_sets_at_its_import_is_no_other_machine():
    """Else a key would hang on what was imported first, and tests would not find what the build printed."""
    code = """
import os
from mtlbook_lib.chapters import keys
before = keys.changing(os.environ)
import dask.distributed, matplotlib.pyplot, pandas, scipy.stats, sklearn.linear_model, torch
assert os.environ.get("KMP_INIT_AT_FORK"), "scikit-learn sets nothing any more: this test shows nothing"
print(keys.changing(os.environ) == before)
"""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("KMP_")}
    run = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True"]


# What the library imports and no result of an experiment depends on: drawing, reading tables, other machines.
OTHER_PACKAGES = {"matplotlib", "pandas", "pyarrow", "distributed", "tqdm", "threadpoolctl"}


def test_versions_of_all_that_the_library_imports_count():
    found = set()
    for path in PACKAGE.rglob("*.py"):
        if {"figures", "notebook"} & set(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            found |= {name.split(".")[0] for name in names}
    assert found - sys.stdlib_module_names - {"mtlbook_lib"} - OTHER_PACKAGES == set(stored_results.PACKAGES)
