"""Builds of a small book with a copy of the library, edited while they run, spoiled or killed; and the next build."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from bookbuild.chapters import ROOT

PAGE = """---
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  name: python3
---
# {title}

```{{code-cell}} ipython3
{code}
```
"""
SIZES = "mtlbook_lib/chapters/sizes.py"
# What these chapters need of what the fork server loads; the rest takes seconds of every build.
LOADED = "ipykernel.kernelapp ipykernel.ipkernel IPython.core.interactiveshell"
EDITED = """import os
from pathlib import Path
from mtlbook_lib.chapters import sizes

path, before = Path(sizes.__file__), os.stat(sizes.__file__)
path.write_text(path.read_text().replace("NUMBER = 1", "NUMBER = 2"))
os.utime(path, (before.st_atime, before.st_mtime - 3600))
print("number", sizes.NUMBER)"""
USED = "from mtlbook_lib.chapters import sizes\n\nprint('number', sizes.NUMBER)"


@pytest.fixture
def book(tmp_path):
    """A function that writes a book with these chapters, its library and its tools."""

    def write(**chapters):
        for name in ("mtlbook_lib", "bookbuild"):
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "_book"))
        with (tmp_path / SIZES).open("a") as file:
            file.write("\n\nNUMBER = 1\n")
        forks = tmp_path / "bookbuild/kernels.py"
        text, found = re.subn(r'(?ms)^LOADED = """.*?"""$', f'LOADED = "{LOADED}"', forks.read_text())
        assert found == 1
        forks.write_text(text)
        (tmp_path / "book").mkdir()
        for name, code in chapters.items():
            (tmp_path / f"book/{name}.md").write_text(PAGE.format(title=name, code=code))
        (tmp_path / "requirements.txt").touch()
        names = list(chapters)
        rest = "".join(f"\n  - file: book/{name}" for name in names[1:])
        (tmp_path / "_toc.yml").write_text(f"format: jb-book\nroot: book/{names[0]}\nparts:\n- chapters:{rest}\n")
        return tmp_path

    return write


def start(root):
    """A build under way; one chapter after the other, the longest page first."""
    code = """
import sys
from bookbuild import execute

execute.workers = lambda: 1
if __name__ == "__main__":
    sys.exit(execute.main())
"""
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("MTLBOOK_")}
    where = {"cwd": root, "env": surroundings | {"PYTHONPATH": str(root)}, "text": True}
    # A shell that runs the tests in the background lets them ignore interrupts.
    where["preexec_fn"] = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen([sys.executable, "-c", code], start_new_session=True, **where, **streams)


def build(root):
    """What a build says, and its status."""
    with start(root) as process:
        return process.communicate(timeout=300)[0], process.returncode


def numbers(root):
    """What the chapters printed, as it lies in the cache."""
    found = [path.read_text() for path in (root / "_build/.jupyter_cache").glob("executed/*/base.ipynb")]
    return sorted(re.findall(r"number (\d)\\n", "".join(found)))


def executed(said):
    return int(re.search(r"(\d+) to execute", said)[1])


def failures(said):
    """The lines that say what failed, by chapter."""
    return {line[7:].partition(":")[0]: line for line in said.splitlines() if line.startswith("FAILED ")}


def test_a_chapter_whose_code_is_edited_while_it_runs_runs_again(book):
    """With an older time of change; what was executed before it is executed again by the next build."""
    root = book(a=f"{USED}  # {'it runs first ' * 20}", b=EDITED)
    said, status = build(root)
    assert status == 0, said
    assert "b: what it depends on was edited while it ran: it runs again" in said
    assert numbers(root) == ["1", "2"]
    said, status = build(root)
    assert (executed(said), status) == (1, 0), said
    assert numbers(root) == ["2", "2"]
    assert executed(build(root)[0]) == 0


ENDED = "import os, signal\n\nos.kill(os.getpid(), signal.SIGKILL)"


def test_a_chapter_that_ends_its_kernel_fails_alone(book):
    root = book(b=ENDED, c=USED)
    said, status = build(root)
    assert status == 1
    told = failures(said)
    assert told.keys() == {"b"}, said
    assert "a cell failed" in told["b"]
    assert "Traceback" not in said
    assert numbers(root) == ["1"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_build_that_is_stopped_or_killed_leaves_nothing_running_and_the_next_goes_on(book, how):
    root = book(a=f"{USED}  # {'first ' * 20}", b="import time\n\ntime.sleep(60)\nprint('number 2')")
    slow = root / "book/b.md"
    with start(root) as process:
        while " a: " not in process.stdout.readline():
            assert process.poll() is None
        while len(running(root)) < 3:  # the build, the process that forks, a kernel
            time.sleep(0.1)
        # A terminal sends it to all of them.
        os.killpg(process.pid, how) if how == signal.SIGINT else process.send_signal(how)
        rest = process.communicate(timeout=60)[0]
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    assert "Traceback" not in rest
    deadline = time.monotonic() + 30
    while running(root) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert running(root) == []
    assert numbers(root) == ["1"]
    slow.write_text(slow.read_text().replace("60", "0"))
    said, status = build(root)
    assert (executed(said), status) == (1, 0), said
    assert numbers(root) == ["1", "2"]


def running(root):
    """The processes of a build of this book."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found += [folder.name] * (f"PYTHONPATH={root}".encode() in (folder / "environ").read_bytes().split(b"\0"))
    return found
