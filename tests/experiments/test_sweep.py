"""Sweeps: kept when killed, the same by every route, and never from a file that was changed."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from _sweep_tasks import SETTINGS, failing, traced, train

from mtlbook_lib.experiments.sweep import CorruptResult, sweep


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
    deadline = time.monotonic() + 60
    while len(list(folder.glob("*.npz"))) < 2 and time.monotonic() < deadline:
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
    ],
)
def test_bad_arguments_are_named(tmp_path, function, settings, error, message):
    with pytest.raises(error, match=message):
        sweep(function, settings, tmp_path)
