"""What a stored result depends on: what is another result, and what may be stored at all."""

import ast
import os
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch
from _store_toy import FILES, MODULE, library, load, start_again, stored

from bookbuild.trials.machines import MACHINES
from mtlbook_lib.chapters._store import keys, results, sources, variables
from mtlbook_lib.chapters.sizes import load_all
from mtlbook_lib.data.digit_tasks import yes_no_targets

CODE = ["mtlbook_lib/chapters/toy.py", "mtlbook_lib/theory/law.py", "mtlbook_lib/theory/__init__.py"]


@pytest.mark.parametrize(
    ("name", "text", "miss"),
    [
        *((name, FILES[name] + "\ny = 2\n", True) for name in (*CODE, "mtlbook_lib/chapters/part1/toy.json")),
        ("mtlbook_lib/chapters/drawing.py", "2", False),
        ("mtlbook_lib/chapters/part1/other.json", "2", False),
        (CODE[1], '"""The law."""\ndef law(x):\n    """The identity."""\n    return (x)  # as it is\n', False),
    ],
)
def test_changed_code_or_data_is_a_miss_and_figures_words_and_foreign_data_are_not(
    project, toy, monkeypatch, name, text, miss
):
    toy(1.0)
    (project / name).write_text(text)
    start_again(monkeypatch)
    assert toy.ran(1.0) == miss


def test_no_experiment_of_the_book_depends_on_how_it_is_drawn_or_shown():
    modules = {name.rpartition(".")[0] for name in load_all()}
    reached = sources.library_modules([f"import {name}" for name in modules], keys.PACKAGE.parent)
    assert len(reached) > len(modules) > 50
    parts = {part for path in reached for part in path.relative_to(keys.PACKAGE).parts}
    assert "experiment.py" in parts
    assert not parts & {"figures.py", "style", "notebook"}


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((2.0,), {}),
        ((1,), {}),  # of another type
        ((1.0, ("b",)), {}),
        ((1.0,), {"n_seeds": 4}),
        ((np.array(1.0),), {}),
        (({"a": 1, "b": 2},), {}),
        (({"b": 2, "a": 1},), {}),  # results may come in the order of a dict
        ((yes_no_targets,), {}),
    ],
)
def test_other_arguments_are_a_miss_and_equal_ones_a_hit(project, toy, monkeypatch, args, kwargs):
    monkeypatch.setattr(keys, "ROOT", keys.PACKAGE.parent)  # the targets are functions of the library itself
    monkeypatch.setattr(keys, "code", lambda modules: dict.fromkeys(modules))
    for other in (1.0, {"a": 1, "b": 3}):
        toy(other)
    assert toy.ran(*args, **kwargs)
    assert not toy.ran(*pickle.loads(pickle.dumps(args)), **kwargs)


def test_the_way_of_calling_makes_no_difference(project, toy):
    part = "a" * 3
    toy(1.0, (part, part))
    assert not toy.ran(x=1.0, names=("aaa", "".join(["a", "aa"])), n_seeds=3, progress=lambda many: many)


@pytest.mark.parametrize(
    ("name", "value"),
    [("MTLBOOK_DTYPE", "float32"), ("MTLBOOK_SEEDS", "1"), ("MTLBOOK_PROFILE", "quick"), ("OMP_NUM_THREADS", "7")],
)
def test_other_surroundings_are_a_miss(project, toy, monkeypatch, name, value):
    monkeypatch.delenv(name, raising=False)
    toy(1.0)
    monkeypatch.setenv(name, value)
    assert toy.ran(1.0)
    monkeypatch.delenv(name)
    assert not toy.ran(1.0)


def test_another_version_or_processor_is_a_miss(project, toy, monkeypatch):
    toy(1.0)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "another")
    assert toy.ran(1.0)
    for name in keys.PACKAGES:
        other = keys.DISTRIBUTIONS.get(name, name)
        monkeypatch.setattr(keys, "version", lambda asked, other=other: "2" if asked == other else "1")
        start_again(monkeypatch)
        assert toy.ran(1.0)


def test_every_variable_that_simulates_a_machine_counts():
    names = {name for machine in MACHINES.values() for name in machine}
    assert names
    assert [name for name in names if name not in variables.changing(dict.fromkeys(names, "1"))] == []


def test_what_a_library_sets_at_its_import_is_no_other_machine():
    """Else a key would hang on what was imported first, and tests would not find what the build printed."""
    code = """
import os
from mtlbook_lib.chapters._store import variables
before = variables.changing(os.environ)
import dask.distributed, matplotlib.pyplot, pandas, scipy.stats, sklearn.linear_model, torch
assert os.environ.get("KMP_INIT_AT_FORK"), "scikit-learn sets nothing any more: this test shows nothing"
print(variables.changing(os.environ) == before)
"""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("KMP_")}
    run = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True"]


# What the library imports and no result of an experiment depends on: drawing, reading tables, other machines.
OTHER_PACKAGES = {"matplotlib", "pandas", "pyarrow", "distributed", "tqdm"}


def test_versions_of_all_that_the_library_imports_count():
    found = set()
    for path in library():
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            found |= {name.split(".")[0] for name in names}
    assert found - sys.stdlib_module_names - {"mtlbook_lib"} - OTHER_PACKAGES == set(keys.PACKAGES)


class Foreign:
    """A class whose code nobody follows."""


@pytest.mark.parametrize(
    "argument",
    [
        np.random.default_rng(0),
        torch.zeros(1),
        Path("folder"),
        Foreign(),
        Foreign,
        lambda: 0,
        os.getcwd,
        (number for number in range(3)),
        iter([1, 2]),  # used up by the first call
    ],
)
def test_code_and_state_of_elsewhere_is_never_stored(project, argument):
    def consuming(given):
        return list(given) if hasattr(given, "__next__") else 0

    consuming.__module__ = MODULE
    results.result(consuming, argument)
    assert stored(project) == []


def test_functions_without_a_source_file_of_the_library_are_not_stored(project):
    def here():
        return 1

    for here.__module__ in (__name__, "__main__", "setup", "mtlbook_lib.gone"):
        assert results.result(here) == 1
    assert stored(project) == []


def test_arguments_without_a_source_file_of_the_library_are_not_stored(project, toy, monkeypatch):
    gone = ModuleType("mtlbook_lib.gone")
    gone.Given = type("Given", (), {"__module__": gone.__name__})
    monkeypatch.setitem(sys.modules, gone.__name__, gone)
    toy(gone.Given())
    assert stored(project) == []


def edit(path, text, how):
    """Write another text, with a time of change that is newer, the same, or older."""
    before = path.stat()
    path.write_text(text)
    shift = {"newer": 10, "the same": 0, "older": -3600}[how]
    os.utime(path, (before.st_atime + shift, before.st_mtime + shift))


TIMES = ["newer", "the same", "older"]


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("name", CODE)
def test_code_that_is_loaded_is_what_counts_until_it_is_loaded_again(project, toy, monkeypatch, name, time):
    """Whatever lies on the disk by then, and whenever it was changed: by a copy that keeps times, or another clock."""
    load(project, *CODE)
    toy(1.0)
    edit(project / name, FILES[name] + "\ny = 2\n", time)
    assert not toy.ran(1.0)
    assert toy.ran(2.0)
    start_again(monkeypatch)
    assert toy.ran(1.0)
    assert toy.ran(2.0)
    assert len(stored(project)) == 4


@pytest.mark.parametrize("time", TIMES)
def test_theory_that_was_edited_between_two_imports_is_the_old_one(project, toy, monkeypatch, time):
    """The theory is loaded, then edited; then the experiment is loaded, which runs the old theory."""
    load(project, CODE[1], CODE[2])
    edit(project / CODE[1], "def law(x):\n    return -x\n", time)
    load(project, CODE[0])
    toy(1.0)
    start_again(monkeypatch)
    load(project, *CODE)
    assert toy.ran(1.0)


def test_code_that_was_loaded_twice_and_differs_has_no_key(project, toy):
    """As after `importlib.reload`: parts of both are in use."""
    load(project)
    toy(1.0)
    (project / CODE[1]).write_text("def law(x):\n    return -x\n")
    load(project)
    assert toy.ran(1.0)
    assert toy.ran(2.0)
    assert len(stored(project)) == 1


@pytest.mark.parametrize("time", TIMES)
def test_data_that_changed_since_it_was_read_is_not_stored_and_not_read(project, toy, time):
    load(project)
    toy(1.0)
    edit(project / "mtlbook_lib/chapters/part1/toy.json", "2", time)
    assert toy.ran(1.0)
    assert toy.ran(2.0)
    assert len(stored(project)) == 1


def test_code_that_is_loaded_while_it_runs_and_is_other_is_not_stored(project):
    def editing():
        (project / CODE[1]).write_text("def law(x):\n    return -x\n")
        load(project)

    editing.__module__ = MODULE
    results.result(editing)
    assert stored(project) == []
