"""Kernels that are forked from a process with the libraries loaded, by the standard library's fork server.

Python and the libraries take some three seconds of a processor to load, for each of fifty chapters: a sixth of a build.
Nothing of ours is loaded there, so that a kernel runs the library as it lies on the disk.
"""

import gc
import multiprocessing
import os
import sys
from importlib.metadata import EntryPoint
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner
from jupyter_core.paths import jupyter_runtime_dir
from traitlets.config import Config

# What most chapters import. None of these may start a thread or open a device.
LOADED = """
    ipykernel.kernelapp ipykernel.ipkernel IPython.core.interactiveshell ipywidgets nbclient jupyter_cache myst_nb
    numpy scipy.integrate scipy.linalg scipy.optimize scipy.special scipy.stats torch torch._dynamo sympy.physics.units
    sklearn.linear_model sklearn.datasets matplotlib.pyplot matplotlib.backends.backend_svg
"""
LONGEST = 100  # characters in the name of a connection file: on Linux a socket's name has at most 107


def use_forks() -> None:
    """Let the kernels that this process starts be forked; they are started as always where forks are not safe."""
    if not sys.platform.startswith("linux"):
        return
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as a kernel sets it
    multiprocessing.get_context("forkserver").set_forkserver_preload(LOADED.split())
    factory = KernelProvisionerFactory.instance()
    factory.provisioners["forked"] = EntryPoint("forked", "bookbuild.kernels:Forked", factory.GROUP_NAME)
    factory.default_provisioner_name = "forked"


def connection() -> Config:
    """How one talks to a kernel: by files where they can be had, since builds side by side may take the same port."""
    folder = jupyter_runtime_dir()
    file = f"{folder}/{uuid4().hex}.json"  # the sockets' names begin as its own
    files = sys.platform.startswith("linux") and Path(folder).is_dir() and len(file) <= LONGEST
    return Config({"KernelManager": {"transport": "ipc", "connection_file": file}} if files else {})


class Forked(LocalProvisioner):
    """Starts a kernel as a fork."""

    async def launch_kernel(self, cmd: list[str], **options: Any) -> dict[str, Any]:
        """Start it; how one talks to it."""
        argv = cmd[cmd.index("ipykernel_launcher") :]
        started = {"argv": argv, "env": options["env"], "cwd": options.get("cwd") or os.getcwd()}
        process = multiprocessing.get_context("forkserver").Process(target=become_kernel, kwargs=started)
        process.start()
        self.process, self.pid, self.pgid = Handle(process), process.pid, None
        return self.connection_info


class Handle:
    """A process of multiprocessing with the words of one of subprocess."""

    stdin = stdout = stderr = None

    def __init__(self, process: BaseProcess) -> None:
        self._process = process
        self.terminate, self.kill = process.terminate, process.kill

    def poll(self) -> int | None:
        """Its status, or None as long as it runs."""
        return self._process.exitcode

    def wait(self) -> int | None:
        """Its status, once it has ended."""
        self._process.join()
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal to it, if it is there."""
        if self.poll() is None:
            os.kill(self._process.pid, number)  # type: ignore[arg-type]


def become_kernel(argv: list[str], env: dict[str, str], cwd: str) -> None:
    """Run a kernel in this process, which ends when the one that asked for it does."""
    os.setsid()  # Ctrl-C is the build's to answer
    Thread(target=_end_with_parent, daemon=True).start()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("mtlbook_lib", "bookbuild")]:
        del sys.modules[name]
    gc.freeze()  # what was loaded stays: a search for garbage need not go through all of it, half a second each time
    sys.argv = [*argv, f"--IPKernelApp.parent_handle={os.getppid()}"]  # with a parent it says nothing at its start
    from ipykernel.kernelapp import launch_new_instance

    launch_new_instance()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
