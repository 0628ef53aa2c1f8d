"""Sweeps: kept when killed, the same by every route, and never from a file that was changed."""

import importlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from _sweep_tasks import SETTINGS, failing, traced, train

from mtlbook_lib.chapters import keys
from mtlbook_lib.chapters.sweep import CorruptResult, sweep


def same(one, other):
    return all(
        a.keys() == b.keys() and all(np.array_equal(a[n], b[n]) for n in a) for a, b in zip(one, other, strict=True)
    )


def test_results_are_those_of_a_loop_in_the_order_of_the_settings(tmp_path):
    found = sweep(train, SETTINGS, tmp_path)
    assert len(found) == len(SETTINGS)
    assert same(found, [train(**setting) for setting in SETTINGS])
    assert not same(found[:1], found[1:2])
    assert same(sweep(train, SETTINGS[::-1], tmp_path), found[::-1])


def test_one_process_and_many_give_the_same_bits(tmp_path):
    here = sweep(train, SETTINGS, tmp_path / "here")
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        there = sweep(train, SETTINGS, tmp_path / "there", pool)
    with ThreadPoolExecutor(3) as pool:
        threads = sweep(train, SETTINGS, tmp_path / "threads", pool)
    assert same(here, there)
    assert same(here, threads)
    names = [sorted(path.name for path in (tmp_path / folder).iterdir()) for folder in ("here", "there", "threads")]
    assert names[0] == names[1] == names[2]


def test_a_killed_sweep_keeps_what_is_done_and_goes_on(tmp_path):
    folder, log = tmp_path / "results", tmp_path / "log"
    script = Path(__file__).with_name("_sweep_tasks.py")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    victim = subprocess.Popen([sys.executable, script, folder, log], env=environment)
    while len(list(folder.glob("*.npz"))) < 2 and victim.poll() is None:
        time.sleep(0.01)
    victim.send_signal(signal.SIGKILL)
    assert victim.wait() == -signal.SIGKILL
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")}
    assert 2 <= len(kept) < len(SETTINGS)
    started = log.read_text(encoding="utf8").splitlines()
    resumed = sweep(traced, [{**setting, "log": str(log), "pause": 0.5} for setting in SETTINGS], folder)
    assert same(resumed, [train(**setting) for setting in SETTINGS])
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    again = log.read_text(encoding="utf8").splitlines()[len(started) :]
    assert len(again) == len(SETTINGS) - len(kept)
    assert not set(again) & set(started[: len(kept)])


@pytest.mark.parametrize(
    "damage", [lambda b: b[:-1], lambda b: b[:40], lambda b: b"", lambda b: b[:-9] + b"x" + b[-8:]]
)
def test_a_corrupt_file_is_named_and_refused(tmp_path, damage):
    sweep(train, SETTINGS[:2], tmp_path)
    path = sorted(tmp_path.iterdir())[0]
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(CorruptResult, match=path.name):
        sweep(train, SETTINGS, tmp_path)
    path.unlink()
    assert same(sweep(train, SETTINGS[:2], tmp_path), [train(**setting) for setting in SETTINGS[:2]])


def test_a_result_under_another_name_is_refused(tmp_path):
    sweep(train, SETTINGS[:2], tmp_path)
    one, other = sorted(tmp_path.iterdir())
    other.write_bytes(one.read_bytes())
    with pytest.raises(CorruptResult, match=f"{other.name} holds the result of"):
        sweep(train, SETTINGS[:2], tmp_path)


def test_a_half_written_file_is_not_a_result(tmp_path):
    sweep(train, SETTINGS[:1], tmp_path)
    (path,) = tmp_path.iterdir()
    path.rename(path.with_suffix(".77.part"))
    assert same(sweep(train, SETTINGS[:1], tmp_path), [train(**SETTINGS[0])])


@pytest.mark.parametrize("threads", [0, 2])
def test_an_error_names_its_setting_and_leaves_the_others(tmp_path, threads):
    pool = ThreadPoolExecutor(threads) if threads else None
    with pytest.raises(FloatingPointError) as caught:
        sweep(failing, SETTINGS, tmp_path, pool)
    assert '"snr": 3.0' in caught.value.__notes__[0]
    assert len(list(tmp_path.glob("*.npz"))) >= 2
    good = [setting for setting in SETTINGS if setting["snr"] < 2]
    assert [float(r["value"]) for r in sweep(failing, good, tmp_path)] == [1.3, 2.0, 2.3, 3.0]


def test_functions_do_not_share_results(tmp_path):
    sweep(failing, SETTINGS[:1], tmp_path)
    assert set(sweep(train, SETTINGS[:1], tmp_path)[0]) == {"loss", "trunk"}
    assert len(list(tmp_path.iterdir())) == 2


def test_progress_sees_what_is_left(tmp_path):
    sweep(train, SETTINGS[:2], tmp_path)
    seen = []
    sweep(train, SETTINGS, tmp_path, progress=lambda left: seen.extend(left) or seen)
    assert seen == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("function", "settings", "error", "message"),
    [
        ("train", SETTINGS, TypeError, "function must be a function"),
        (train, {"seed": 1}, TypeError, "settings must be a sequence"),
        (train, [(1, 2)], TypeError, "settings must hold dicts"),
        (train, [SETTINGS[0], dict(SETTINGS[0])], ValueError, "settings must differ"),
        (train, [{"seed": np.arange(2)}], TypeError, "settings must hold what JSON holds"),
        (train, [{"seed": float("nan")}], TypeError, "settings must hold what JSON holds"),
        (max, [{"iterable": 1}], TypeError, None),
        (dict, [{"name": "text"}], TypeError, "function must return arrays of numbers; 'name'"),
        (float, [{}], TypeError, "function must return a dict of arrays; got float"),
        (partial(train, snr=1.0), [{"seed": 1}], TypeError, "function must stand at the top of a module"),
        (lambda a: {"b": a}, [{"a": 1}], TypeError, "function must stand at the top of a module"),
        (SETTINGS.index, [{"a": 1}], TypeError, "function must stand at the top of a module"),
    ],
)
def test_bad_arguments_are_named(tmp_path, function, settings, error, message):
    with pytest.raises(error, match=message):
        sweep(function, settings, tmp_path)


def times(factor, n):
    return {"value": np.array(factor * n)}


def masked(x):
    return {"y": np.ma.masked_array([x, 2.0], [False, True])}


def test_results_with_a_mask_are_refused(tmp_path):
    with pytest.raises(ValueError, match="what function returns as 'y' must have no masked entries"):
        sweep(masked, [{"x": 1.0}], tmp_path)


def test_a_function_inside_another_is_refused_though_it_has_the_name_of_one_outside(tmp_path):
    """Its name does not tell what it does."""

    def times(factor, n):
        return {"value": np.array(factor + n)}

    times.__qualname__ = "times"
    with pytest.raises(TypeError, match="function must stand at the top of a module"):
        sweep(times, [{"factor": 1, "n": 3}], tmp_path)


HELPER = "def helper(n):\n    return {} * n\n\n\ndef scaled(n):\n    return {{'value': helper(n)}}\n"


BY_MODULE = """
import sys
import users
from users import inner
from mtlbook_lib.chapters.sweep import sweep

def by_attribute(n):
    return {"value": inner.scaled(n)["value"]}

def by_package(n):
    return {"value": users.inner.scaled(n)["value"]}

def inside(n):
    from users import late
    return {"value": late.scaled(n)["value"]}

def handed_on(n):
    return {"value": vars(inner)["scaled"](n)["value"]}

if __name__ == "__main__":
    functions = by_attribute, by_package, inside, handed_on
    print([int(sweep(one, [{"n": 3}], sys.argv[1])[0]["value"]) for one in functions])
"""


@pytest.mark.parametrize("package", [True, False])
def test_a_users_modules_count_by_what_is_named_of_them(tmp_path, package):
    """Edited, and in a new process; where the function stands in its file makes no difference, nor what it ignores."""
    (tmp_path / "users").mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for factor, before in ((2, ""), (5, ""), (2, "# further down\nnobody = 1\n\n")):
        (tmp_path / "script.py").write_text(before + BY_MODULE)
        for name, number in (("inner", factor), ("late", -factor)):
            # Sizes tell old byte code.
            (tmp_path / "users" / f"{name}.py").write_text(f"{HELPER.format(number)}# {factor}\n" * factor)
        if package:
            (tmp_path / "users" / "__init__.py").write_text("")
        command = [sys.executable, tmp_path / "script.py", tmp_path / "kept"]
        said = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
        assert said == f"[{3 * factor}, {3 * factor}, {-3 * factor}, {3 * factor}]\n"
    assert len(list((tmp_path / "kept").iterdir())) == 8


SCRIPT = """
from {folder}helper import helper
from mtlbook_lib.chapters import keys

if True:
    def f(n):
        return {{"value": helper(n)}}

if __name__ == "__main__":
    print("{said}", sorted(keys.code(f).items()))
"""


@pytest.mark.parametrize("started", [["my-script.py"], ["-m", "pkg.script"]])
def test_a_script_counts_by_what_it_defines_however_it_is_named_and_started(tmp_path, started):
    """Also below an `if`, and with imports of its own package; what it does when it is started does not count."""
    (tmp_path / "pkg").mkdir()
    environment, found = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, []
    for said, factor in (("one", 2), ("two", 2), ("one", 3)):
        (tmp_path / "my-script.py").write_text(SCRIPT.format(folder="pkg.", said=said))
        (tmp_path / "pkg" / "script.py").write_text(SCRIPT.format(folder=".", said=said))
        (tmp_path / "pkg" / "helper.py").write_text(HELPER.format(factor) * factor)
        command = [sys.executable, "-B", *started]
        run = subprocess.run(command, env=environment, cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True)
        found.append(run.stdout.partition(" ")[2])
    assert found[0] == found[1] != found[2]
    assert "pkg.helper" in found[0]


@pytest.mark.parametrize("name", ["run.v2.py", "code.py"])
def test_a_script_whose_code_is_not_found_by_its_name_is_refused(tmp_path, name):
    """Its results would not know when it is edited."""
    (tmp_path / name).write_text(SCRIPT.format(folder="", said=""))
    (tmp_path / "helper.py").write_text(HELPER.format(2))
    run = subprocess.run([sys.executable, tmp_path / name], capture_output=True, text=True, check=False)
    assert "TypeError: function must stand in a file that can be imported" in run.stderr


def test_a_function_that_was_edited_since_it_was_imported_is_refused(tmp_path, monkeypatch):
    """The old code would be run, and its results kept as those of the new code; a line that moved is no edit."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    file = tmp_path / "users_edited.py"
    file.write_text(HELPER.format(2))
    module = importlib.import_module("users_edited")
    file.write_text("# further down\n" + HELPER.format(2))
    assert int(sweep(module.scaled, [{"n": 3}], tmp_path / "kept")[0]["value"]) == 6
    file.write_text(HELPER.format(5))
    with pytest.raises(RuntimeError, match=r"helper was edited in users_edited\.py since"):
        sweep(module.scaled, [{"n": 3}], tmp_path / "kept")
    importlib.reload(module)
    assert int(sweep(module.scaled, [{"n": 3}], tmp_path / "kept")[0]["value"]) == 15


def test_a_function_that_was_typed_in_is_refused(tmp_path):
    typed = BY_MODULE.replace("import users\nfrom users import inner\n", "").replace("sys.argv[1]", "'kept'")
    run = subprocess.run([sys.executable, "-c", typed], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "TypeError: function must stand in a file, so that its code can be read; by_attribute" in run.stderr


@pytest.mark.parametrize(
    ("name", "value"), [("MTLBOOK_PROFILE", "quick"), ("MTLBOOK_SEEDS", "3"), ("MTLBOOK_DTYPE", "float32")]
)
def test_another_profile_precision_or_seeds_is_computed(tmp_path, monkeypatch, name, value):
    first = sweep(train, SETTINGS[:1], tmp_path)
    monkeypatch.setenv(name, value)
    other = sweep(train, SETTINGS[:1], tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    assert same(first, other) == (name == "MTLBOOK_PROFILE")
    monkeypatch.delenv(name)
    sweep(train, SETTINGS[:1], tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_other_code_of_the_library_is_computed(tmp_path, monkeypatch):
    sweep(train, SETTINGS[:1], tmp_path)
    found = keys.code
    monkeypatch.setattr(keys, "code", lambda function: found(function) | {"mtlbook_lib.chapters.sweep": "other"})
    sweep(train, SETTINGS[:1], tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_other_code_of_the_library_names_itself():
    assert "mtlbook_lib.simulation.engine.results" in keys.code(train)


def half_nan(n):
    return {"whole": np.arange(2), "value": np.array([1.0, np.nan if n > 1 else 2.0])}


def test_results_that_are_not_a_number_are_told_when_computed_and_when_read(tmp_path):
    settings = [{"n": n} for n in range(7)]
    told = r"NaN\): 'value' for \{'n': 2\}; 'value' for \{'n': 3\}; 'value' for \{'n': 4\}; and 2 more"
    for _ in range(2):
        with pytest.warns(UserWarning, match=told) as caught:
            sweep(half_nan, settings, tmp_path)
        assert [one.filename for one in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sweep(half_nan, settings[:2], tmp_path)


def test_the_same_sweep_in_several_threads_gives_each_its_results(tmp_path):
    settings, start = [{"factor": 2, "n": n} for n in range(40)], threading.Barrier(6)

    def run(_):
        start.wait()
        return sweep(times, settings, tmp_path)

    with ThreadPoolExecutor(6) as pool:
        for found in pool.map(run, range(6)):
            assert [int(one["value"]) for one in found] == [2 * n for n in range(40)]
    assert len(list(tmp_path.iterdir())) == 40
