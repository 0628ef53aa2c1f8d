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
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np
import pytest
from _sweep_tasks import SETTINGS, failing, traced, train

from mtlbook_lib.chapters import _functions as functions
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
        (lambda a: 3.0, [{"a": 1}], TypeError, "function must return a dict of arrays; got float"),
        (
            partial(train, snr=np.random.default_rng(0)),
            [{"seed": 1}],
            TypeError,
            "must hold nothing but code and plain",
        ),
        (partial(train, snr=sys.stdout), [{"seed": 1}], TypeError, "must hold nothing but code and plain data"),
        (partial(train, snr=threading.Lock()), [{"seed": 1}], TypeError, "train|partial.*Pass what it needs"),
    ],
)
def test_bad_arguments_are_named(tmp_path, function, settings, error, message):
    with pytest.raises(error, match=message):
        sweep(function, settings, tmp_path)


def times(factor, n):
    return {"value": np.array(factor * n)}


class Scale:
    """Its methods depend on its state."""

    def __init__(self, factor):
        self.factor = factor

    def of(self, n):
        return times(self.factor, n)

    def __call__(self, n):
        return times(self.factor, n)


def closure(factor):
    return lambda n: times(factor, n)


def defaults(factor):
    def scaled(n, factor=factor):
        return times(factor, n)

    return scaled


def nested(factor):
    return partial(partial(times), np.float64(factor))


def named_alike(factor):
    """A function of this name and this code in a module of its own, which names another number."""
    module = ModuleType(f"users_{factor}")
    exec("def scaled(n):\n    return {'value': FACTOR * n}\nFACTOR = " + str(factor), module.__dict__)
    module.scaled.__module__ = "users"
    return module.scaled


HOLDING = {
    "a partial": lambda factor: partial(times, factor),
    "a partial by name": lambda factor: partial(times, factor=factor),
    "a partial of a partial": nested,
    "an array": lambda factor: partial(times, np.array([factor, 1.0])),
    "a bound method": lambda factor: Scale(factor).of,
    "an object that is called": Scale,
    "a closure": closure,
    "a default": defaults,
    "a number of its module": named_alike,
    "a closure in a closure": lambda factor: closure(Scale(factor).factor),
}


@pytest.mark.parametrize("kind", HOLDING)
def test_functions_that_hold_other_things_do_not_share_results(tmp_path, kind):
    made, settings = HOLDING[kind], [{"n": 3}]
    found = [np.max(sweep(made(factor), settings, tmp_path)[0]["value"]) for factor in (2, 5, 2, 5)]
    assert found == [6, 15, 6, 15]
    assert len(list(tmp_path.iterdir())) == 2


def test_lambdas_that_do_other_things_do_not_share_results(tmp_path):
    doubled, tripled = lambda n: {"value": 2 * n}, lambda n: {"value": 3 * n}
    assert [int(sweep(one, [{"n": 3}], tmp_path)[0]["value"]) for one in (doubled, tripled)] == [6, 9]


def test_results_with_a_mask_are_refused(tmp_path):
    def masked(x):
        return {"y": np.ma.masked_array([x, 2.0], [False, True])}

    with pytest.raises(ValueError, match="what function returns as 'y' must have no masked entries"):
        sweep(masked, [{"x": 1.0}], tmp_path)


def made_of_text(factor):
    """Of a module that nobody has: Python calls it built in."""
    names = {"np": np}
    exec(f"def f(x): return {{'y': np.array({factor} * x)}}", names)
    return names["f"]


def test_functions_that_are_made_of_text_do_not_share_results(tmp_path):
    found = [sweep(made_of_text(factor), [{"x": 1.0}], tmp_path)[0]["y"] for factor in (2, 3)]
    assert found == [2.0, 3.0]


def test_what_is_noted_on_a_function_counts(tmp_path):
    def noted(x):
        return {"y": np.array(noted.factor * x)}

    found = []
    for noted.factor in (2, 3):
        found.append(sweep(noted, [{"x": 1.0}], tmp_path)[0]["y"])
    assert found == [2.0, 3.0]


def test_functions_of_one_name_in_two_modules_do_not_share_results(tmp_path):
    here, there = (FunctionType(times.__code__, {"np": np}, "times") for _ in range(2))
    there.__module__ = "elsewhere"
    for one in (here, there):
        sweep(one, [{"factor": 1, "n": 3}], tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


HELPER = "def helper(n):\n    return {} * n\n\n\ndef scaled(n):\n    return {{'value': helper(n)}}\n"


def test_a_function_that_was_edited_or_names_another_helper_is_computed(tmp_path, monkeypatch):
    """Also where only what it calls changed; where it stands in its file makes no difference."""
    monkeypatch.syspath_prepend(tmp_path)
    found = []
    for text in (HELPER.format(2), HELPER.format(5), "\n\n# further down\n" + HELPER.format(2)):
        (tmp_path / "users_helper.py").write_text(text)
        sys.modules.pop("users_helper", None)
        importlib.invalidate_caches()
        module = SourceFileLoader("users_helper", str(tmp_path / "users_helper.py"))
        made = ModuleType("users_helper")
        exec(module.source_to_code(text.encode(), "users_helper.py"), made.__dict__)
        found.append(int(sweep(made.scaled, [{"n": 3}], tmp_path / "kept")[0]["value"]))
    assert found == [6, 15, 6]
    assert len(list((tmp_path / "kept").iterdir())) == 2


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

print([int(sweep(one, [{"n": 3}], sys.argv[1])[0]["value"]) for one in (by_attribute, by_package, inside)])
try:
    sweep(handed_on, [{"n": 3}], sys.argv[1])
except TypeError as error:
    print(error)
"""


def test_a_users_module_counts_by_what_is_named_of_it(tmp_path):
    """Edited, and in a new process; what a function takes from a module by other ways is refused."""
    (tmp_path / "users").mkdir()
    (tmp_path / "script.py").write_text(BY_MODULE)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for factor in (2, 5, 2):
        for name, text in (("__init__", ""), ("inner", HELPER.format(factor)), ("late", HELPER.format(-factor))):
            (tmp_path / "users" / f"{name}.py").write_text(f"{text}# {factor}\n" * factor)  # sizes tell old byte code
        command = [sys.executable, tmp_path / "script.py", tmp_path / "kept"]
        said = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
        assert said.startswith(f"[{3 * factor}, {3 * factor}, {-3 * factor}]\nfunction must hold nothing but code")
        assert "what it takes of the module users.inner cannot be seen" in said
    assert len(list((tmp_path / "kept").iterdir())) == 6


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
    monkeypatch.setattr(keys, "code", lambda modules: found(modules) | {"mtlbook_lib.chapters.sweep": "other"})
    sweep(train, SETTINGS[:1], tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_other_code_of_the_library_names_itself():
    assert "mtlbook_lib.simulation.engine.results" in functions.key_of(train)


def test_a_module_is_called_by_its_name_and_only_a_script_by_its_file():
    for name in ("mtlbook_lib.chapters.sizes", "no_such_module"):
        assert functions._module(name) == name


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
