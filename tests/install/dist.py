"""`python -m tests.install.dist`: build the wheel and the source archive, and install each where there is nothing else.

Both are built from a copy of the repository into `dist/`, by the package `build` in an environment of its
own. Each then goes into an empty environment, and what a user does first is run there, away from the repository: the
command, a formula, and the register of claims, which is data.
"""

import shutil
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

from bookbuild import without_options
from tests.install.__main__ import run
from tests.install.examples import ROOT
from tests.install.extras import environment

DIST = ROOT / "dist"
FIRST_USE = """
from importlib.metadata import version
import mtlbook_lib
from mtlbook_lib.theory.linear_dynamics import mode_strength
from mtlbook_lib._files import CHAPTERS
assert version("mtlbook-lib") == mtlbook_lib.__version__ == "{version}"
assert 0 < mode_strength(1.0, 2.0, 0.1) < 2
assert len(list(CHAPTERS.glob("part*/*/claims.yml"))) == {registers}
"""


def main() -> int:
    """1 if something cannot be built or installed, or fails where it is installed."""
    found = [problem for archive in built() for problem in tried(archive)]
    print("\n".join(found) or f"both archives work where nothing else is installed; they are in {DIST}")
    return int(bool(found))


def built() -> list[Path]:
    """The two archives, in an empty `dist/`."""
    shutil.rmtree(DIST, ignore_errors=True)
    with environment("build") as (copy, home):
        done = run(["python", "-m", "build", "--outdir", str(DIST)], copy, home)
    if done.returncode:
        raise SystemExit(f"python -m build: {done.stderr.strip()[-2000:] or done.stdout[-2000:]}")
    archives = sorted(DIST.iterdir())
    if [archive.suffix for archive in archives] != [".whl", ".gz"]:
        raise SystemExit(f"a wheel and a source archive were to be built; found {[one.name for one in archives]}")
    return archives


def tried(archive: Path) -> list[str]:
    """What is wrong with one archive in an empty environment."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "environment")
        venv.create(home, with_pip=True)
        code = FIRST_USE.format(version=version(), registers=len(list((ROOT / "mtlbook_lib").rglob("claims.yml"))))
        install = ["python", "-m", "pip", "install", "--quiet", str(archive)]
        for command in (install, ["mtlbook", "--help"], ["python", "-c", code]):
            done = run(command, Path(folder), home)
            if done.returncode:
                return [f"{archive.name}: {' '.join(command[:4])}: {done.stderr.strip()[-2000:]}"]
    return []


def version() -> str:
    """The version that pyproject.toml states."""
    stated: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]["version"]
    return stated


if __name__ == "__main__":
    without_options("tests.install.dist", __doc__)
    sys.exit(main())
