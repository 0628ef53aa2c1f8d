"""Workers of a sweep: those of a Dask cluster, what they must have in common with the caller, and how they are lost."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from mtlbook_lib import _checks
from mtlbook_lib._extras import require

PACKAGES = ("numpy", "scipy", "torch")  # other versions of these may give other last digits
VARIABLES = ("MTLBOOK_DTYPE", "MTLBOOK_PROFILE")  # not the device: a worker may have a GPU where the caller has none

_CHOSEN: ContextVar[Executor | None] = ContextVar("executor of sweeps that are given none", default=None)


class LostWorkers(RuntimeError):
    """An executor that lost its workers or its scheduler; the message says how much is finished, and how to go on."""


def chosen() -> Executor | None:
    """The executor of sweeps that are given none: that of the enclosing `on_cluster`, or none."""
    return _CHOSEN.get()


@contextmanager
def on_cluster(address: str, timeout: float = 10.0) -> Iterator[Executor]:
    """Run the sweeps inside the block on the workers of a Dask scheduler.

    Parameters
    ----------
    address : str
        Of the scheduler, such as ``tcp://10.0.0.1:8786``.
    timeout : float
        Seconds to wait for the scheduler, and for its first worker.

    Yields
    ------
    concurrent.futures.Executor
        That of the workers.

    Raises
    ------
    ConnectionError
        If there is no scheduler at the address, or it has no worker.
    ModuleNotFoundError
        If Dask Distributed is not installed.
    """
    _checks.texts("address", [address])
    seconds = _checks.scalar("timeout", timeout, _checks.positive)
    require("cluster", "distributed")
    from distributed import Client

    try:
        client = Client(address, timeout=seconds, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ConnectionError(
            f"no Dask scheduler answers at {address} within {seconds:g} s. Start one with `dask scheduler`, and pass "
            "the address that it prints; a firewall must let its port through."
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=seconds)
        except TimeoutError as error:
            remedy = f"Start some, on any machine: `dask worker {address} --nthreads 1`"
            raise ConnectionError(f"the scheduler at {address} has no workers. {remedy}.") from error
        executor: Executor = client.get_executor(pure=False)  # a setting that failed is not answered from memory
        token = _CHOSEN.set(executor)
        try:
            yield executor
        finally:
            _CHOSEN.reset(token)


def surroundings() -> dict[str, str]:
    """What the last digits of a result depend on besides its setting: versions, precision and profile."""
    return {**_versions(), **{name: os.environ.get(name) or "the default" for name in VARIABLES}}


@cache
def _versions() -> dict[str, str]:
    found = {"Python": ".".join(platform.python_version_tuple()[:2])}
    for name in PACKAGES:
        try:
            found[name] = version(name).partition("+")[0]  # builds for a CPU and for a GPU have one version
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def call(
    function: Callable[..., Mapping[str, Any]], setting: Mapping[str, Any], here: Mapping[str, str]
) -> Mapping[str, Any]:
    """On a worker: the function's result, if the worker's surroundings are those of the caller.

    The setting is one argument, since an executor may have keyword arguments of its own.

    Raises
    ------
    RuntimeError
        If they are not; the message names what differs, and on which machine.
    """
    there = surroundings()
    for name, value in here.items():
        if there[name] != value:
            raise RuntimeError(
                f"the worker on {platform.node()} has {name} = {there[name]}, the caller {value}: results would "
                "differ. Start the workers with the same versions and variables as the caller."
            )
    return function(**setting)


def lost(error: BaseException) -> str:
    """How workers went away, if that is what an error says; empty if the function failed."""
    if isinstance(error, CancelledError):
        return "their scheduler is gone"
    of_dask = type(error).__module__.partition(".")[0] == "distributed"
    return f"{type(error).__name__}: {error}" if of_dask or isinstance(error, BrokenExecutor) else ""
