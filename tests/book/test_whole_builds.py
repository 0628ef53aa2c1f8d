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
# A module that the warm process has loaded, and one that no kernel has loaded before a chapter does.
WARM, COLD = "mtlbook_lib/chapters/sizes.py", "mtlbook_lib/theory/late.py"
# What these chapters need of what the warm process loads; the rest takes seconds of every build.
LOADED = "ipykernel.kernelapp ipykernel.ipkernel IPython.core.interactiveshell mtlbook_lib.chapters.sizes"
EDITED = """import os
from pathlib import Path
from mtlbook_lib.chapters import sizes

path, before = Path(sizes.__file__), os.stat(sizes.__file__)
path.write_text(path.read_text().replace("NUMBER = 1", "NUMBER = 2"))
os.utime(path, (before.st_atime, before.st_mtime - 3600))
print("number", sizes.NUMBER)"""
USED = "from mtlbook_lib.chapters import sizes\n\nprint('number', sizes.NUMBER)"
# Loads a text that lies there neither before nor after.
SWAPPED = """from pathlib import Path

path = Path("../mtlbook_lib/theory/late.py")
path.write_text("NUMBER = 2\\n")
from mtlbook_lib.theory import late

path.write_text("NUMBER = 1\\n")
print("number", late.NUMBER)"""


@pytest.fixture
def book(tmp_path):
    """A function that writes a book with these chapters, its library and its tools."""

    def write(**chapters):
        for name in ("mtlbook_lib", "bookbuild"):
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "_book"))
        with (tmp_path / WARM).open("a") as file:
            file.write("\n\nNUMBER = 1\n")
        (tmp_path / COLD).write_text("NUMBER = 1\n")
        forks = tmp_path / "bookbuild/kernels/warm.py"
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

execute.workers, execute.AHEAD, execute.PRINTED = lambda: 1, 0, 1_000_000
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


def test_code_that_is_edited_during_a_build_is_never_recorded_as_what_did_not_run(book):
    """With an older time of change: the first ran the old text and is not stored, the second loads the new one.

    The third loads a text that lies there neither before nor after.
    """
    root = book(a=EDITED, b=USED, c=SWAPPED)
    said, status = build(root)
    told = failures(said)
    assert (status, told.keys()) == (1, {"a", "c"}), said
    assert re.search(r"what it depends on changed|ran with another text of mtlbook_lib/chapters/sizes", told["a"])
    assert f"it ran with another text of {COLD}" in told["c"]
    assert numbers(root) == ["2"]
    (root / "book/c.md").write_text(PAGE.format(title="c", code="print('number 3')"))
    said, status = build(root)
    assert (executed(said), status) == (2, 0), said
    assert numbers(root) == ["2", "2", "3"]
    assert executed(build(root)[0]) == 0


SPOILED = """import json

json.dumps = lambda *args, **options: "spoiled"
print("number 1")"""
FLOOD = """while True:
    try:
        print("x" * 10_000)
    except KeyboardInterrupt:
        pass"""
ENDED = "import os, signal\n\nos.kill(os.getpid(), signal.SIGKILL)"


def test_a_chapter_that_spoils_what_its_kernel_talks_with_fails_alone(book):
    root = book(a=SPOILED, b=USED)
    said, status = build(root)
    assert (failures(said).keys(), status) == ({"a"}, 1), said
    assert numbers(root) == ["1"]


def test_chapters_that_end_their_kernel_or_print_without_end_fail_alone(book):
    root = book(a=FLOOD, b=ENDED, c=USED)
    said, status = build(root)
    assert status == 1
    told = failures(said)
    assert told.keys() == {"a", "b"}, said
    assert "a cell failed" in told["b"]
    assert "it printed more than 1000000 characters" in said
    assert "Traceback" not in said
    assert numbers(root) == ["1"]


ORPHANED = f"""{USED}  # {"it runs second " * 8}
import os, signal

os.kill(os.getppid(), signal.SIGKILL)"""


def test_without_the_process_that_forks_kernels_chapters_fail_in_a_line_each(book):
    root = book(a=f"{USED}  # {'it runs first ' * 20}", b=ORPHANED, c=USED, d=f"{USED}  # short")
    said, status = build(root)
    assert status == 1
    assert {"c", "d"} <= failures(said).keys() <= {"b", "c", "d"}, said
    assert "Traceback" not in said
    (root / "book/b.md").write_text(PAGE.format(title="b", code="print('number 2')"))
    said, status = build(root)
    assert (executed(said), status) == (3, 0), said
    assert numbers(root).count("2") == 1


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
