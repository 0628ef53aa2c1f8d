"""What pyproject.toml cannot say: a built package carries the register of claims and the stored results."""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

FILES = ("book/claims.yml", "results/**/*.json")


class WithBookFiles(build_py):
    """Copies them to where mtlbook_lib/_files.py looks; a checkout (pip install -e) has them beside the package."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for path in (found for pattern in FILES for found in sorted(Path().glob(pattern))):
            target = Path(self.build_lib, "mtlbook_lib", "_book", path)
            target.parent.mkdir(parents=True, exist_ok=True)
            self.copy_file(str(path), str(target))


setup(cmdclass={"build_py": WithBookFiles})
