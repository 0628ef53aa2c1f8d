"""Sweeps by the executor of a Dask cluster: the bits of one process, and nothing lost with a worker."""

import json
import os
import re
import signal
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import pytest
from _sweep_light import deadly, odd_names, remembering, square, unsendable
from _sweep_tasks import SETTINGS, traced, train
from test_sweep import same

from mtlbook_lib._random import own_seeds
from mtlbook_lib.chapters import keys, sizes, stored_results, workers
from mtlbook_lib.chapters.part7.past_one_machine import experiment as past_one_machine
from mtlbook_lib.chapters.sweep import sweep

distributed = pytest.importorskip("distributed")


def local(folder, n_workers):
    """A cluster on this machine, which other machines cannot reach; a nanny replaces a worker that ended."""
    return distributed.LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        local_directory=str(folder),
        silence_logs="CRITICAL",
    )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with local(tmp_path_factory.mktemp("workers"), 2) as started:
        yield started


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as connected:
        connected.wait_for_workers(2)
        yield connected


def with_log(log, pause=0.0):
    return [{**setting, "log": str(log), "pause": pause} for setting in SETTINGS]


def lines(log):
    return log.read_text(encoding="utf8").splitlines()


def once_after(first, act):
    """A progress that acts after so many results."""

    def watched(left):
        for n, one in enumerate(left, 1):
            yield one
            if n == first:
                act()

    return watched


def test_a_cluster_gives_the_bits_of_one_process_and_skips_what_is_done(tmp_path, client):
    log = tmp_path / "log"
    sweep(traced, with_log(log)[:2], tmp_path / "kept")
    there = sweep(traced, with_log(log), tmp_path / "kept", client.get_executor())
    assert len(lines(log)) == len(SETTINGS)
    assert same(there, [train(**setting) for setting in SETTINGS])
    assert same(sweep(traced, with_log(log)[::-1], tmp_path / "kept", client.get_executor()), there[::-1])
    assert len(lines(log)) == len(SETTINGS)


def test_a_killed_worker_costs_no_result(tmp_path, client):
    log, pids = tmp_path / "log", client.run(os.getpid)
    victim = next(iter(pids.values()))
    kill = once_after(1, lambda: os.kill(victim, signal.SIGKILL))
    found = sweep(traced, with_log(log, pause=0.3), tmp_path / "kept", client.get_executor(), progress=kill)
    assert same(found, [train(**setting) for setting in SETTINGS])
    assert set(lines(log)) == {f"{setting['seed']} {setting['snr']}" for setting in SETTINGS}
    client.wait_for_workers(2)
    assert victim not in client.run(os.getpid).values()


def test_a_setting_that_ends_its_worker_is_told_and_the_others_are_kept(tmp_path, cluster, client, monkeypatch):
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    cured = tmp_path / "cured"
    settings = [{"n": n, "cured": str(cured)} for n in range(6)]
    sweep(deadly, settings[:3], tmp_path / "kept")
    with pytest.raises(distributed.KilledWorker) as caught:
        sweep(deadly, settings, tmp_path / "kept", client.get_executor(pure=False))
    assert "in the setting" in caught.value.__notes__[0]
    assert len(list((tmp_path / "kept").glob("*.npz"))) in {3, 4, 5}
    cured.touch()
    client.wait_for_workers(2)
    found = sweep(deadly, settings, tmp_path / "kept", client.get_executor(pure=False))
    assert [one["square"] for one in found] == [0, 1, 4, 9, 16, 25]


def test_of_a_broken_pool_the_setting_is_named(tmp_path):
    settings = [{"n": n, "cured": str(tmp_path / "cured")} for n in (3, 4)]
    with ProcessPoolExecutor(1) as pool, pytest.raises(BrokenProcessPool) as caught:
        sweep(deadly, settings, tmp_path / "kept", pool)
    assert "in the setting" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("name", "own", "value"),
    [("MTLBOOK_DTYPE", "float64", "float32"), ("MTLBOOK_SEEDS", "0", "3"), ("MTLBOOK_PROFILE", "paper", "quick")],
)
def test_workers_with_other_settings_are_refused(tmp_path, client, monkeypatch, name, own, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(RuntimeError, match=f"{name} = {own}, the caller {value}: results would differ"):
        sweep(train, SETTINGS[:1], tmp_path, client.get_executor())
    assert list(tmp_path.iterdir()) == []


def test_the_books_own_seeds_are_not_those_of_a_worker_that_has_others(tmp_path, client, monkeypatch):
    """`own_seeds` reaches no other process: what a worker would draw is refused, not taken for the book's."""
    monkeypatch.setenv("MTLBOOK_SEEDS", "3")
    with (
        ThreadPoolExecutor(1) as pool,
        own_seeds(),
        pytest.raises(RuntimeError, match="MTLBOOK_SEEDS = 3, the caller 0"),
    ):
        sweep(train, SETTINGS[:1], tmp_path, pool)


def test_a_worker_with_other_code_of_the_library_is_refused(tmp_path, client, monkeypatch):
    found = keys.code
    monkeypatch.setattr(keys, "code", lambda function: found(function) | {"mtlbook_lib.simulation.softmax": "other"})
    monkeypatch.setattr(workers, "code_of", workers.code_of.__wrapped__)
    with pytest.raises(RuntimeError, match=r"has mtlbook_lib\S* = \w+, the caller other: res"):
        sweep(train, SETTINGS[:1], tmp_path, client.get_executor())


def test_a_worker_with_another_text_of_the_function_is_refused(client, monkeypatch):
    here = workers.surroundings() | workers.code_of(square) | {"_sweep_light": "another"}
    with pytest.raises(RuntimeError, match=r"_sweep_light = \w+, the caller another"):
        client.submit(workers.call, square, {"n": 1, "log": os.devnull, "pause": 0}, here).result()


def test_what_a_function_remembers_is_no_other_code(tmp_path, client):
    """A worker may have computed before, and keep what it needs again."""
    found = sweep(remembering, [{"n": n} for n in range(6)], tmp_path, client.get_executor())
    assert [int(one["value"]) for one in found] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("kind", ["lambda", "generator", "lock", "in a dict", "error"])
def test_what_cannot_be_sent_back_is_an_error(tmp_path, client, kind):
    """It was waited for without end."""
    error, told = (RuntimeError, "Held: told with a lock") if kind == "error" else (TypeError, "function must return")
    with pytest.raises(error, match=told):
        sweep(unsendable, [{"kind": kind}], tmp_path, client.get_executor())


def test_arguments_may_have_the_names_of_options_of_the_executor(tmp_path, client):
    settings = [{"key": 1, "workers": 2, "retries": 3, "pure": n} for n in (4, 5)]
    found = sweep(odd_names, settings, tmp_path, client.get_executor(pure=False))
    assert [list(one["all"][:4]) for one in found] == [[1, 2, 3, 4], [1, 2, 3, 5]]
    assert os.getpid() not in [one["all"][4] for one in found]


def test_the_block_of_the_book_runs_as_it_stands(tmp_path, cluster, monkeypatch):
    page = Path(__file__).parents[2] / "book/part7/past-one-machine.md"
    (block,) = (text for text in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf8"), re.DOTALL))
    monkeypatch.chdir(tmp_path)
    found = {}
    exec(block.replace("tcp://10.0.0.1:8786", cluster.scheduler_address), found)
    assert len(found["results"]) == 6
    assert same(found["results"], [past_one_machine.trained(**setting) for setting in found["settings"]])
    assert len(list((tmp_path / "kept").glob("*.npz"))) == 6


def test_a_stored_result_is_made_by_the_cluster_that_is_named(tmp_path, cluster, monkeypatch):
    def run(_folder):
        results = sweep(odd_names, [{"key": 1, "workers": 2, "retries": 3, "pure": 4}], tmp_path / "kept")
        return {"process": int(results[0]["all"][4])}

    monkeypatch.setattr(sizes, "CHAPTERS", tmp_path)
    monkeypatch.setattr(keys, "key", lambda run: "that of a test")  # a function inside another one has none
    stored_results.compute(sizes.Committed("some-name.json", run, 1), cluster.scheduler_address)
    found = json.loads((tmp_path / "some-name.json").read_text(encoding="utf8"))
    assert found["process"] != os.getpid()
    assert found["device"] in {"cpu", "cuda"}


def test_versions_of_a_worker_must_be_those_of_the_caller():
    here = {**workers.surroundings(), "numpy": "1.0"}
    with pytest.raises(RuntimeError, match=rf"numpy = {np.__version__}, the caller 1\.0"):
        workers.call(train, SETTINGS[0], here)
    assert same([workers.call(train, SETTINGS[0], workers.surroundings())], [train(**SETTINGS[0])])
