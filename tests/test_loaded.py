"""What a process notes of the code that it loads: a small library with the real module, in a process of its own."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from mtlbook_lib import _loaded

LAW = "def law(x):\n    return x + {}\n"
EXPERIMENT = "from mtlbook_lib.law import law\n\n\ndef run():\n    return law(1)\n"
AFTER = """
from mtlbook_lib import _loaded
import json
print(json.dumps([experiment.run(), _loaded.digests(), [path.name for path in _loaded.edited()]]))
"""


@pytest.fixture
def library(tmp_path):
    """Two modules of a package that watches what is loaded."""
    folder = tmp_path / "mtlbook_lib"
    folder.mkdir()
    shutil.copy(_loaded.__file__, folder)
    (folder / "__init__.py").write_text("from mtlbook_lib import _loaded\n_loaded.watch()\n")
    (folder / "law.py").write_text(LAW.format(1))
    (folder / "experiment.py").write_text(EXPERIMENT)
    return folder


def run(library, code, *arguments):
    """What the experiment gives after some code, what is noted, and which files are no longer so."""
    command = [sys.executable, "-c", code + AFTER, *arguments]
    shown = subprocess.run(command, cwd=library.parent, env=surroundings(library), capture_output=True, check=True)
    return json.loads(shown.stdout)


def surroundings(library):
    return os.environ | {"PYTHONPATH": str(library.parent), "PYTHONDONTWRITEBYTECODE": ""}


FORBIDDEN = """
from mtlbook_lib import _loaded
def source_to_code(*_): raise AssertionError("compiled")
_loaded._Loader.source_to_code = source_to_code
"""
EDIT = """
import os, sys
from pathlib import Path
from mtlbook_lib import law
path, before = Path(law.__file__), os.stat(law.__file__)
path.write_text(path.read_text().replace("1", "2"))
os.utime(path, (before.st_atime, before.st_mtime + float(sys.argv[1])))
from mtlbook_lib import experiment
"""


@pytest.mark.parametrize("seconds", [10, 0, -3600])
def test_what_is_noted_is_what_runs_whenever_the_file_was_changed(library, seconds):
    value, noted, edited = run(library, EDIT, str(seconds))
    assert value == 2  # the law as it was
    assert noted["mtlbook_lib/law.py"] == _loaded.digest(LAW.format(1).encode())
    assert noted["mtlbook_lib/experiment.py"] == _loaded.digest(EXPERIMENT.encode())
    assert edited == ["law.py"]
    assert run(library, "from mtlbook_lib import experiment")[::2] == [3, []]


def test_byte_code_of_another_text_is_not_run(library):
    """Python would take it: the file has the size and the time of change that the byte code is of."""
    import_both = "from mtlbook_lib import experiment, law"
    plain = f"import sys; from mtlbook_lib import _loaded; sys.meta_path.remove(_loaded.Finder); {import_both}"
    assert run(library, plain)[0] == 2
    before = (library / "law.py").stat()
    (library / "law.py").write_text(LAW.format(2))
    os.utime(library / "law.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert run(library, plain)[0] == 2  # what the rule is for
    value, noted, _ = run(library, import_both)
    assert value == 3
    assert noted["mtlbook_lib/law.py"] == _loaded.digest(LAW.format(2).encode())


def test_byte_code_of_the_very_text_is_kept_and_run(library):
    assert run(library, "from mtlbook_lib import experiment, law")[0] == 2
    assert run(library, FORBIDDEN + "from mtlbook_lib import experiment, law")[0] == 2
    (library / "law.py").write_text(LAW.format(2))
    with pytest.raises(subprocess.CalledProcessError):
        run(library, FORBIDDEN + "from mtlbook_lib import experiment, law")


@pytest.mark.parametrize("spoil", [lambda kept: b"", lambda kept: kept[:40], lambda kept: kept[:16] + b"rubbish"])
def test_damaged_byte_code_is_made_again(library, spoil):
    assert run(library, "from mtlbook_lib import experiment")[0] == 2
    (cache,) = library.glob("__pycache__/law.*.pyc")
    whole = cache.read_bytes()
    cache.write_bytes(spoil(whole))
    assert run(library, "from mtlbook_lib import experiment")[0] == 2
    assert cache.read_bytes() == whole


def test_a_copy_of_the_library_runs_its_own_files(library, tmp_path):
    assert run(library, "from mtlbook_lib import experiment")[0] == 2
    copy = shutil.copytree(library, tmp_path / "other" / "mtlbook_lib")
    shown = "from mtlbook_lib import experiment, law; assert law.law.__code__.co_filename == law.__file__"
    assert run(copy, shown)[0] == 2


def test_a_module_that_was_loaded_twice_with_other_texts_is_told(library):
    again = EDIT.replace("from mtlbook_lib import experiment", "import importlib; importlib.reload(law)")
    _, noted, _ = run(library, again + "from mtlbook_lib import experiment", "10")
    assert noted["mtlbook_lib/law.py"] == "several"


def test_all_that_a_process_has_of_the_library_is_noted():
    code = """
import sys
from pathlib import Path
from mtlbook_lib import _loaded
from mtlbook_lib.chapters.part2.one_mode import experiment as one_mode
import mtlbook_lib.notebook.claims
ours = [m for name, m in sys.modules.items() if name.partition(".")[0] == "mtlbook_lib"]
files = {Path(m.__file__).resolve() for m in ours if getattr(m, "__file__", None)}
assert len(files) > 30
assert files <= _loaded.TEXTS.keys(), files - _loaded.TEXTS.keys()
"""
    subprocess.run([sys.executable, "-c", code], check=True)
