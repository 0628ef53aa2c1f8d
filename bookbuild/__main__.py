"""Build the book: execute the chapters that changed, then make the pages. Run as `python -m bookbuild`."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bookbuild import without_options


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Of two builds that write into a folder the second waits for the first, and says so; not on Windows."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    place = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"Another build writes into {folder}: this one begins when that has ended.", flush=True)
        fcntl.flock(place, fcntl.LOCK_EX)
    except OSError:
        pass  # a file system without locks
    try:
        yield
    finally:
        os.close(place)  # which ends the lock, as the end of a process does


def main() -> int:
    """Count, execute and build; 1 if that fails, 130 if it is interrupted."""
    from bookbuild import execute, html, lint
    from bookbuild.chapters import BUILD
    from mtlbook_lib.notebook.register import RegisterError

    try:
        BUILD.mkdir(parents=True, exist_ok=True)
        with alone(BUILD):
            faults = lint.counted()
            print("".join(f"{fault}\n" for fault in faults), end="")
            return 1 if faults else execute.main() or html.main()
    except KeyboardInterrupt:
        print("Interrupted. What is finished is stored; the next build goes on from there.", flush=True)
        return 130
    except RegisterError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"error: {error}. The build writes below {BUILD}: see that it may.", file=sys.stderr)
        return 1


if __name__ == "__main__":
    without_options("bookbuild", __doc__)
    sys.exit(main())
