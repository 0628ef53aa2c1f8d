"""Kernels that start warm: forked from one process that has the libraries loaded.

Python and the libraries take some three seconds of a processor to load, for each of fifty chapters. `warm()` starts one
process that loads them once. In its surroundings the kernel "python3" is a small client, which asks that process to
fork and then stands for the fork: it passes interrupts on, and the fork ends when its client does. Where a process
cannot be forked safely (anything but Linux), kernels start as they always do.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest import mock
from uuid import uuid4

from jupyter_core.paths import jupyter_runtime_dir
from traitlets.config import Config

ROOT = Path(__file__).resolve().parent.parent.parent
CLIENT = Path(__file__).with_name("client.py")
LONGEST = 100  # characters in the name of a connection file: on Linux a socket's name has at most 107
# What most chapters import. None of these may start a thread or open a device.
LOADED = """
    ipykernel.kernelapp ipykernel.ipkernel IPython.core.interactiveshell ipywidgets
    numpy scipy.integrate scipy.linalg scipy.optimize scipy.special scipy.stats torch torch._dynamo sympy.physics.units
    sklearn.linear_model sklearn.datasets matplotlib.pyplot matplotlib.backends.backend_svg
    mtlbook_lib.chapters.style mtlbook_lib.notebook.claims mtlbook_lib.notebook.frames mtlbook_lib.notebook.pictures
    mtlbook_lib.chapters.sizes mtlbook_lib.simulation.engine
"""


@contextmanager
def warm(environment: dict[str, str]) -> Iterator[None]:
    """Fork the kernels that start inside the block from one process, which ends with it.

    `environment` is set there, except for what this process's own environment sets.
    """
    if not sys.platform.startswith("linux"):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="mtlbook-", ignore_cleanup_errors=True) as folder:
        address = f"{folder}/socket"
        _write_spec(Path(folder), address)
        command = [sys.executable, "-m", "bookbuild.kernels.warm", address]
        # A kernel ends when its parent is gone; the kernels' class reads the parent's number when it is loaded.
        surroundings = environment | os.environ | {"JPY_PARENT_PID": str(os.getpid())}
        server = subprocess.Popen(command, cwd=ROOT, env=surroundings, stdin=subprocess.PIPE)
        try:
            # The socket's backlog holds what is asked for before the libraries are loaded.
            _await(Path(address), server)
            paths = os.pathsep.join(filter(None, [folder, os.environ.get("JUPYTER_PATH")]))
            with mock.patch.dict(os.environ, JUPYTER_PATH=paths, JUPYTER_RUNTIME_DIR=folder):
                yield
        finally:
            assert server.stdin is not None
            with suppress(OSError):  # it may have been killed
                server.stdin.close()
            server.wait()


def connection() -> Config:
    """How one talks to a kernel: by files where they can be had, since builds side by side may take the same port."""
    folder = jupyter_runtime_dir()
    file = f"{folder}/{uuid4().hex}.json"  # the sockets' names begin as its own
    files = sys.platform.startswith("linux") and Path(folder).is_dir() and len(file) <= LONGEST
    return Config({"KernelManager": {"transport": "ipc", "connection_file": file}} if files else {})


def _write_spec(folder: Path, address: str) -> None:
    spec = folder / "kernels" / "python3" / "kernel.json"
    spec.parent.mkdir(parents=True)
    # Without site-packages the client starts in hundredths of a second.
    argv = [sys.executable, "-I", "-S", str(CLIENT), address, "-f", "{connection_file}"]
    spec.write_text(json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"}), encoding="utf8")


def _await(path: Path, server: subprocess.Popen[bytes]) -> None:
    while not path.exists():
        with suppress(subprocess.TimeoutExpired):
            raise RuntimeError(f"the process that forks kernels ended with status {server.wait(0.01)}")


def serve(address: str) -> None:
    """Load the libraries, then fork a kernel for each client until the standard input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the build's to answer, which ends this process
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(address)
    listener.listen(64)
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as a kernel sets it
    sys.path.remove(str(ROOT))  # a kernel finds what is installed, not what lies beside the book
    for name in LOADED.split():
        importlib.import_module(name)
    with suppress(Exception):  # every chapter reads the register; what is wrong with it, its own kernel says
        importlib.import_module("mtlbook_lib.notebook.register").load(ROOT / "mtlbook_lib" / "chapters")
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # forks that ended leave nothing behind
    threading.Thread(target=_end_with_parent, args=[Path(address).parent], daemon=True).start()
    texts = list((ROOT / "mtlbook_lib").rglob("*.py"))
    while True:
        _parse_ahead(texts, listener)
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            _become_kernel(connection)
        connection.close()


def _parse_ahead(texts: list[Path], listener: socket.socket) -> None:
    """While nobody asks for a kernel, see what the library's texts do, which each kernel's store of results wants."""
    sources = importlib.import_module("mtlbook_lib.chapters._store.sources")
    while texts and not select.select([listener], [], [], 0)[0]:
        with suppress(Exception):  # a text that is no Python: who runs it says so
            sources.read(texts.pop())


def _end_with_parent(folder: Path) -> None:
    sys.stdin.buffer.read()
    shutil.rmtree(folder, ignore_errors=True)  # a build that is killed leaves no folder behind
    os._exit(0)


def _become_kernel(connection: socket.socket) -> None:
    """Run a kernel in the surroundings of the client."""
    asked = _request(connection)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.setsid()
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    threading.Thread(target=_follow_client, args=[connection], daemon=True).start()
    forget_edited()
    try:
        sys.argv = ["ipykernel_launcher", *asked["argv"]]
        sys.modules["ipykernel.kernelapp"].launch_new_instance()
    finally:
        os._exit(0)


def forget_edited() -> None:
    """Where a file of the library was edited since it was loaded, let the kernel load the library anew."""
    from mtlbook_lib import _loaded  # this process's own

    if _loaded.edited():
        for name in [name for name in sys.modules if name.partition(".")[0] == _loaded.PACKAGE.name]:
            del sys.modules[name]
        sys.meta_path.remove(_loaded.Finder)


def _request(connection: socket.socket) -> dict[str, Any]:
    """What the client asks for; its standard streams become those of this process."""
    text, streams, _, _ = socket.recv_fds(connection, 65536, 3)
    while not text.endswith(b"\n"):
        text += connection.recv(65536)
    for target, stream in enumerate(streams):
        os.dup2(stream, target)
        os.close(stream)
    return json.loads(text)


def _follow_client(connection: socket.socket) -> None:
    """Interrupt when the client says so, end when it is gone."""
    while connection.recv(1):
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(1)


if __name__ == "__main__":
    serve(sys.argv[1])
