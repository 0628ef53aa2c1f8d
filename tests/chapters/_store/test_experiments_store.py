"""The store of results: what is read again and what is computed, and what it takes."""

import ast
import importlib
import inspect
import re
from types import SimpleNamespace

import numpy as np
import pytest
from _store_toy import MODULE, library, stored

from mtlbook_lib.chapters import sizes
from mtlbook_lib.chapters._store import keys, results
from mtlbook_lib.chapters.part6.images import experiment
from mtlbook_lib.chapters.sizes import load_all


def test_a_stored_result_is_read_and_equals_a_fresh_one(project, toy):
    first, second = toy(1.0), toy(1.0)
    assert toy.n_calls == 1
    np.testing.assert_array_equal(first["values"], np.full(3, 0.1))
    assert first["values"].tobytes() == second["values"].tobytes()
    assert first["kinds"] == second["kinds"] == [("a",)]
    assert [path.name.rpartition("-")[0] for path in stored(project)] == ["toy.toy"]


def test_what_a_caller_does_to_a_result_does_not_reach_the_next(project, toy):
    for _ in range(3):
        found = toy(1.0)
        assert found["values"].tolist() == [0.1, 0.1, 0.1]
        found["values"][:] = 7
        found["kinds"].clear()
    assert toy.n_calls == 1


@pytest.mark.parametrize("content", [b"", b"short", bytes(32) + b"other", None])
def test_a_broken_file_is_counted_and_computed_again(project, toy, content, monkeypatch):
    monkeypatch.setattr(results.USED, "n_damaged", 0)
    toy(1.0)
    assert results.USED.n_damaged == 0
    (path,) = stored(project)
    sound = path.read_bytes()
    path.write_bytes(sound[:-1] if content is None else content)
    assert toy.ran(1.0)
    assert not toy.ran(1.0)
    assert results.USED.n_damaged == 1


def test_an_entry_under_another_name_is_computed_again(project, toy):
    """A file that was renamed, or copied over another, holds what it says that it holds."""
    toy(1.0)
    (one,) = stored(project)
    toy(2.0)
    (other,) = set(stored(project)) - {one}
    other.write_bytes(one.read_bytes())
    assert toy.ran(2.0)
    assert not toy.ran(2.0)


def test_a_file_of_a_class_that_is_gone_is_computed_again(project, toy):
    toy(1.0)
    (path,) = stored(project)
    results.write_whole(path, b"cmtlbook_lib.statistics\nGone\n.")
    assert toy.ran(1.0)


def test_without_a_folder_nothing_is_stored(project, toy, monkeypatch):
    for value in ("", None):
        monkeypatch.setenv("MTLBOOK_STORE", value) if value is not None else monkeypatch.delenv("MTLBOOK_STORE")
        assert toy.ran(1.0)
        assert toy.ran(1.0)
    assert stored(project) == []


def test_a_store_that_cannot_be_written_ends_nothing(project, toy):
    (project / "store").write_text("a file")
    assert toy.ran(1.0)


def test_a_result_that_cannot_be_pickled_is_handed_out(project):
    def made():
        return lambda: 3

    made.__module__ = MODULE
    assert results.result(made)() == 3
    assert stored(project) == []


def test_an_error_passes_and_nothing_is_stored(project):
    def failing(x):
        raise FloatingPointError("far off")

    failing.__module__ = MODULE
    with pytest.raises(FloatingPointError, match="far off"):
        results.result(failing, 1.0)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        results.result(failing)
    assert stored(project) == []


def test_inside_fresh_all_is_computed_and_nothing_around_it_is_stored(project, toy):
    @results.fresh()
    def measuring():
        return toy.ran(1.0)

    def outer():
        return measuring()

    outer.__module__ = MODULE
    toy(1.0)
    assert results.result(outer)
    assert len(stored(project)) == 1
    assert not toy.ran(1.0)


def test_what_reads_a_clock_is_fresh():
    """Otherwise a time could be stored, or the time of reading be taken for that of computing."""
    readers = [
        (path.name, function.name, "fresh()" in map(ast.unparse, function.decorator_list))
        for path in library()
        if path.parent.name != "_store"
        for function in clock_readers(path.read_text())
    ]
    assert len(readers) >= 5
    assert [reader for reader in readers if not reader[2]] == []


def clock_readers(text):
    """Functions that use the module `time`, or a name of it."""
    if not re.search(r"^\s*(from|import) time", text, re.MULTILINE):
        return []
    tree = ast.parse(text)
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "time"]
    plain = [alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    clocks = {alias.asname or alias.name for node in froms for alias in node.names}
    clocks |= {alias.asname or alias.name for alias in plain if alias.name in ("time", "timeit")}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [f for f in functions if clocks & {node.id for node in ast.walk(f) if isinstance(node, ast.Name)}]


def test_what_writes_to_a_folder_is_never_stored(project, monkeypatch):
    """Its files would be missing: such experiments are sweeps, and sweeps are fresh."""
    names = [name for name in load_all() if "folder" in inspect.signature(function(name)).parameters]
    assert len(names) >= 2
    sweeps = r"\b(sweep|sweep_to_lists)\("
    assert [name for name in names if not re.search(sweeps, inspect.getsource(function(name)))] == []
    monkeypatch.setattr(keys, "ROOT", keys.PACKAGE.parent)
    monkeypatch.setattr(experiment, "cells", lambda first, n_seeds: {"found": np.ones((n_seeds, 1))})
    assert experiment.compute_stored(str(project / "parts"), n_blocks=1)["seeds"] == experiment.BLOCK
    assert stored(project) == []
    assert len(list((project / "parts").iterdir())) == 1


def function(name):
    module, _, called = name.rpartition(".")
    return getattr(importlib.import_module(module), called)


def test_an_experiment_with_sizes_is_stored_by_its_sizes(project, toy, monkeypatch):
    monkeypatch.setattr(sizes, "REGISTERED", {})

    def one(*, n_seeds):
        toy.n_calls += 1
        return n_seeds

    one.__module__ = MODULE
    sized = sizes.sized(n_seeds=(1, 2, 3), cost="1 MB")(one)
    assert [sized(), sized(), sized(n_seeds=2), sized(n_seeds=5)] == [2, 2, 2, 5]
    assert toy.n_calls == 2


def test_the_time_that_a_result_took_is_kept_with_it(project, toy, monkeypatch):
    """An outer experiment counts the inner one that it read with the seconds that computing it took."""
    clock = SimpleNamespace(now=0.0, perf_counter=lambda: clock.now, process_time=lambda: clock.now / 2)
    monkeypatch.setattr(results, "time", clock)

    def inner():
        clock.now += 10.0

    def outer():
        results.result(inner)
        clock.now += 1.0

    inner.__module__ = outer.__module__ = MODULE
    results.result(inner)
    assert (results.USED.n_read, results.USED.seconds) == (0, 0.0)
    results.result(outer)
    assert (results.USED.n_read, results.USED.seconds, results.USED.cpu_seconds) == (1, 10.0, 5.0)
    results.result(outer)
    assert (results.USED.n_read, results.USED.seconds, results.USED.cpu_seconds) == (2, 21.0, 10.5)
    assert results.USED.entries == {path.name for path in stored(project)}
