"""What runs apart: pytest in a forked process, on a copy of the project, with a time limit."""

from __future__ import annotations

import gc
import importlib
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

# Imported once, before the forks: they take longer than most tests.
HEAVY = ("numpy", "scipy.integrate", "scipy.optimize", "scipy.stats", "sklearn.datasets", "torch", "matplotlib.figure",
         "nbclient", "jupyter_cache.cache.db", "nbval.plugin", "IPython.display", "sympy")  # fmt: skip
OURS = ("mtlbook_lib", "bookbuild")
# What each run would pay for anew: tests are compiled as they stand, and plugins that no test uses stay away.
QUICK = ("-q", "--assert=plain", *(f"-pno:{name}" for name in ("cacheprovider", "hypothesispytest", "anyio")))
TIMEOUT = -1
WAITING = 10  # how much longer than its processor seconds a process may take, which others on the machine slow down


class Chosen:
    """A pytest plugin that keeps the chosen tests, in their order."""

    def __init__(self, order: Sequence[str]) -> None:
        self.place = {name: place for place, name in enumerate(order)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep what was chosen."""
        items[:] = sorted((item for item in items if item.nodeid in self.place), key=lambda i: self.place[i.nodeid])


class Limited:
    """A pytest plugin that ends the process in which a test takes too long.

    `seconds` has what a test of each file may take of the processor: one that never ends is stopped by its own limit,
    not by that of all the tests to come.
    """

    def __init__(self, seconds: Mapping[str, float]) -> None:
        self.seconds = seconds

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """From here on counts what this test takes."""
        _allow(time.process_time() + self.seconds[item.nodeid.split("::")[0]])
        return (yield)


def preload(copy: Path) -> None:
    """Import the heavy packages that the code names, so that each fork has them."""
    code = "".join(path.read_text(encoding="utf8") for folder in OURS for path in (copy / folder).rglob("*.py"))
    for name in HEAVY:
        if name.split(".")[0] in code:
            with suppress(ImportError):
                importlib.import_module(name)
    gc.freeze()  # no fork looks through what never goes away


def forked(work: Callable[[], int], seconds: float, log: Path) -> int:
    """The exit status of `work` in a process of its own, whose output goes to `log`; TIMEOUT if it was stopped.

    It is stopped after so many seconds of the processor: a busy machine ends nothing. One that only waits, for
    another process or for ever, is stopped in the end.
    """
    assert not [name for name in sys.modules if name.split(".")[0] in OURS], "the parent must not know the code"
    sys.stdout.flush()
    pid = os.fork()
    if not pid:
        _be_the_child(work, seconds, log)
    try:
        return _wait(pid, time.monotonic() + WAITING * seconds)
    finally:
        with suppress(ProcessLookupError):  # kernels and other processes that a test started
            os.killpg(pid, signal.SIGKILL)


def run_pytest(copy: Path, files: Sequence[str], options: Sequence[str], plugins: Sequence[Any]) -> int:
    """Run test files of the copy; to be called in the child."""
    os.chdir(copy)
    sys.path[:] = [str(copy), *(entry for entry in sys.path if entry)]
    os.environ["PYTHONPATH"] = str(copy)
    return int(pytest.main([*QUICK, *options, *files], plugins=list(plugins)))


def _be_the_child(work: Callable[[], int], seconds: float, log: Path) -> None:
    status = 70
    try:
        os.setsid()
        _allow(seconds)
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(output, stream)
        status = work()
    finally:
        sys.stdout.flush()
        os._exit(status)  # the parent's own clean-up is not the child's


def _allow(seconds: float) -> None:
    """How many seconds of the processor this process may have used before it is ended."""
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), resource.RLIM_INFINITY))


def _wait(pid: int, end: float) -> int:
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return TIMEOUT if code == -signal.SIGXCPU else code
        time.sleep(0.01)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return TIMEOUT
