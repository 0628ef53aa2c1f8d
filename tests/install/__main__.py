"""`python -m tests.install`: do README and reference work for someone who has nothing but Python?

For every install line that they document, an empty virtual environment in a temporary folder, the line as it is
written, and every example of them and of the docstrings that needs it. Nothing of this environment is used, and
the examples run in a copy of the repository's files. Lines with torch take minutes and a GB; they are left out unless
`--all` is given, and so is the cell that begins a notebook of the book.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from bookbuild.first_cell import install_cell
from tests.install.examples import BASE, ROOT, Example, examples, fits, install_lines

TORCH = ("simulation", "baselines", "images", "bert")
LEFT = shutil.ignore_patterns(".git", ".venv", "_build", "__pycache__", "build", "*.egg-info")


def main() -> int:
    """The number of things that do not work, at most 1."""
    asked = argparse.ArgumentParser(prog="python -m tests.install", description=__doc__)
    asked.add_argument("--all", action="store_true", help="also the lines that need torch")
    asked.add_argument("--only", metavar="LINE", help='one line, such as ".[tables]"')
    given = asked.parse_args()
    shown = examples()
    lines = [BASE, *install_lines()]
    failures: list[str] = []
    for line in dict.fromkeys(lines):
        if given.only not in (None, line):
            continue
        if not given.all and any(extra in line for extra in TORCH):
            print(f"pip install {line}: left out, it needs torch (--all)")
            continue
        failures += try_line(line, [one for one in shown if one.install == line])
    if given.all and given.only is None:
        failures += try_first_cell()
    print("\n".join(failures) or "every install line and every example works")
    return int(bool(failures))


def try_line(line: str, shown: list[Example]) -> list[str]:
    """What fails after one install line, in an environment of its own."""
    with tempfile.TemporaryDirectory() as folder:
        copy, home = Path(folder, "repository"), Path(folder, "environment")
        shutil.copytree(ROOT, copy, ignore=LEFT)
        venv.create(home, with_pip=True)
        python = str(home / "bin" / "python")
        built = run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", line], copy, home)
        if built.returncode:
            return [f"pip install {line}: {built.stderr.strip()}"]
        # The package that was installed is what runs, not the folder beside the examples.
        shutil.move(copy / "mtlbook_lib", Path(folder, "source"))
        found = [problem for one in shown if (problem := problem_of(one, python, copy, home))]
    print(f"pip install {line}: {len(shown)} examples, {len(found)} fail", flush=True)
    return [f"pip install {line}: {problem}" for problem in found]


def try_first_cell() -> list[str]:
    """What fails of the cell that begins a notebook, run in an environment of its own and in a folder of the book."""
    with tempfile.TemporaryDirectory() as folder:
        copy, home = Path(folder, "repository"), Path(folder, "environment")
        shutil.copytree(ROOT, copy, ignore=LEFT)
        venv.create(home, with_pip=True)
        cell = f"{install_cell()}\n{USED}"
        done = run([str(home / "bin" / "python"), "-c", cell], copy / "book" / "part1", home)
    print(f"the first cell of a notebook: {'fails' if done.returncode else 'installs the library'}", flush=True)
    return [f"the first cell of a notebook: {done.stderr.strip()}"] if done.returncode else []


def problem_of(one: Example, python: str, folder: Path, home: Path) -> str:
    """What is wrong with one example, or nothing."""
    source = [python, "-c", DOCTEST.format(module=one.text) if one.kind == "doctest" else one.text]
    done = run(["sh", "-c", one.text] if one.kind == "console" else source, folder, home)
    printed, last = done.stdout.splitlines(), (done.stderr.strip().splitlines() or [""])[-1]
    title = one.text.strip().splitlines()[-1 if one.kind == "python" else 0]
    if done.returncode:
        return f"{title}\n  ends with {done.returncode}: {last or done.stdout}"
    if one.kind != "doctest" and not fits(printed, one.printed):
        return f"{title}\n  prints {printed}, not {list(one.printed)}"
    return ""


# What the cells of a chapter import.
USED = "import sympy, mtlbook_lib.notebook.claims, mtlbook_lib.simulation.engine, mtlbook_lib.data.real"

DOCTEST = """
import doctest, importlib, sys
module = importlib.import_module("{module}")
found = doctest.testmod(module, extraglobs=vars(importlib.import_module(module.__package__)))
sys.exit(not found.attempted or bool(found.failed))
"""


def run(command: list[str], folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """A command in the new environment alone."""
    own = ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")
    kept = {name: value for name, value in os.environ.items() if name not in own}
    path = f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(command, cwd=folder, env={**kept, "PATH": path}, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
