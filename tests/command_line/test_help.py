"""Every module that can be run answers --help, and refuses an option that it does not have, before it does any work."""

import re
import runpy
import sys

import pytest

from bookbuild.chapters import ROOT

FOLDERS = ("bookbuild", "benchmarks", "mtlbook_lib", "tests/install")
SCRIPTS = sorted(
    str(path.relative_to(ROOT))
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.py")
    if re.search(r"^if __name__ == .__main__.:", path.read_text(encoding="utf8"), re.MULTILINE)
)


def test_scripts_are_found():
    assert {"bookbuild/trials/machines.py", "benchmarks/__main__.py"} <= set(SCRIPTS)


@pytest.mark.parametrize("script", SCRIPTS)
def test_help_and_unknown_options(script, monkeypatch, capsys):
    for option, status in (("--help", 0), ("--nonsense", 2)):
        monkeypatch.setattr(sys, "argv", [str(ROOT / script), option])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(ROOT / script), run_name="__main__")
        assert ended.value.code == status, (script, option)
        assert "usage" in "".join(capsys.readouterr())
