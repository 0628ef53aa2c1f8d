"""Stands for a kernel that another process forks: see bookbuild/kernels/warm.py. Uses the standard library alone."""

import json
import os
import signal
import socket
import sys
from contextlib import suppress


def main(address: str, argv: list[str]) -> int:
    """Ask for a kernel, pass interrupts on to it, and end when it ends."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(address)
    except OSError as error:
        print(f"the process that forks kernels is gone ({error}): build again", file=sys.stderr)
        return 1
    signal.signal(signal.SIGINT, lambda *_: connection.send(b"!"))
    text = json.dumps({"argv": argv, "env": dict(os.environ), "cwd": os.getcwd()}).encode() + b"\n"
    sent = socket.send_fds(connection, [text], [0, 1, 2])
    with suppress(ConnectionError):  # a kernel that is gone has ended
        connection.sendall(text[sent:])
        connection.recv(1)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
