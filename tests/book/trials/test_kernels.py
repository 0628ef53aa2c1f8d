"""A kernel that is forked from a warm process behaves as any other."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager, start_new_kernel

from bookbuild.chapters import ROOT
from bookbuild.kernels import client
from bookbuild.kernels import warm as warm_kernels
from bookbuild.kernels.warm import connection, warm
from mtlbook_lib.chapters._store import sources

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kernels are forked on Linux only")


@pytest.fixture(scope="module")
def warm_process():
    with warm({"MTLBOOK_TRIED": "at the start"}):
        yield


@pytest.fixture
def kernel(warm_process, tmp_path):
    manager = KernelManager(kernel_name="python3", config=connection())
    manager.start_kernel(cwd=str(tmp_path), env=os.environ | {"MTLBOOK_X": "y"})
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def ask(client, code):
    """What a cell prints."""
    printed = []
    reply = client.execute_interactive(code, timeout=60, output_hook=lambda message: printed.append(message["content"]))
    return reply["content"]["status"], "".join(content.get("text", "") for content in printed).strip()


def test_it_has_the_libraries_and_the_surroundings_that_were_asked_for(kernel, tmp_path):
    code = "import sys, os; print('torch' in sys.modules, os.getcwd(), os.environ['MTLBOOK_X'], 'MTLBOOK_TRIED' in os.environ)"  # noqa: E501
    assert ask(kernel[1], code) == ("ok", f"True {tmp_path} y False")


def test_it_takes_no_port_that_another_build_could_take(kernel):
    manager, _ = kernel
    assert manager.transport == "ipc"
    sockets = [Path(f"{manager.ip}-{port}") for port in manager.ports]
    assert len(set(sockets)) == 5
    assert all(path.is_socket() for path in sockets)
    longest = max(len(str(path)) for path in sockets) - len(manager.connection_file)
    assert warm_kernels.LONGEST + longest <= 107


def test_without_a_folder_of_a_short_name_it_takes_ports(tmp_path, monkeypatch):
    long = tmp_path / ("long" * 20)
    long.mkdir()
    for folder in (long, tmp_path / "missing"):
        monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(folder))
        assert not connection()


def test_it_has_read_the_register(kernel):
    code = f"""
from mtlbook_lib.notebook import register
kept = register._load.cache_info().currsize
claims = register.load({str(ROOT / "mtlbook_lib" / "chapters")!r})
print(kept, register._load.cache_info().hits, len(claims) > 100)
"""
    assert ask(kernel[1], code) == ("ok", "1 1 True")


def test_it_reads_the_library_while_nobody_asks_for_a_kernel(tmp_path):
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(tmp_path / "socket"))
    listener.listen(1)
    (tmp_path / "mtlbook_lib").mkdir()
    texts = [tmp_path / f"mtlbook_lib/{name}.py" for name in ("one", "broken")]
    for text, code in zip(texts, (f"x = {str(tmp_path)!r}", "x ="), strict=True):
        text.write_text(code)
    before, left = sources.parse.cache_info().misses, list(texts)
    warm_kernels._parse_ahead(left, listener)
    assert left == []
    assert sources.parse.cache_info().misses == before + 2
    assert sources.read(texts[0]).strings == (str(tmp_path),)
    assert sources.parse.cache_info().misses == before + 2
    with listener, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect(str(tmp_path / "socket"))
        warm_kernels._parse_ahead(texts, listener)
        assert len(texts) == 2


def test_it_finds_what_is_installed_and_not_what_lies_beside_the_book(kernel):
    assert ask(kernel[1], f"import sys; print({str(ROOT)!r} in sys.path)")[1] == "False"


def test_one_kernel_leaves_no_trace_in_the_next(kernel, warm_process):
    assert ask(kernel[1], "import numpy; numpy.left = 1; print(numpy.left)") == ("ok", "1")
    manager, client = start_new_kernel(kernel_name="python3")
    try:
        assert ask(client, "import numpy; print(hasattr(numpy, 'left'))") == ("ok", "False")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_an_interrupt_reaches_it_and_it_ends_when_its_client_does(kernel):
    manager, client = kernel
    pid = int(ask(client, "import os; print(os.getpid())")[1])
    message = client.execute("import time; time.sleep(60)")
    time.sleep(0.5)
    manager.interrupt_kernel()
    reply = client.get_shell_msg(timeout=10)
    while reply["parent_header"].get("msg_id") != message:
        reply = client.get_shell_msg(timeout=10)
    assert reply["content"]["ename"] == "KeyboardInterrupt"
    manager.shutdown_kernel(now=True)
    deadline = time.monotonic() + 10
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{pid}")


def test_the_client_asks_for_its_kernel_and_passes_interrupts_on(tmp_path):
    """It ends well, as a kernel does that is shut down."""
    address = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(address)
        listener.listen()
        listener.settimeout(60)
        command = [sys.executable, client.__file__, address, "-f", "some file"]
        process = subprocess.Popen(command, cwd=tmp_path, env=os.environ | {"MTLBOOK_X": "y"})
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(60)
            text, streams, _, _ = socket.recv_fds(connection, 65536, 3)
            while not text.endswith(b"\n"):
                text += connection.recv(65536)
            for stream in streams:
                os.close(stream)
            process.send_signal(signal.SIGINT)
            assert connection.recv(1) == b"!"
    assert process.wait(60) == 0
    asked = json.loads(text)
    assert (asked["argv"], asked["cwd"], asked["env"]["MTLBOOK_X"]) == (["-f", "some file"], str(tmp_path), "y")
    assert len(streams) == 3
