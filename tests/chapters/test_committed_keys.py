"""The key of a committed result: another one for other settings or code, the same for other words."""

import os
import shutil

import pytest

from mtlbook_lib._files import PACKAGE
from mtlbook_lib.chapters import keys, sizes

sizes.load_all()
DATA = "chapters/part4/auxiliary_data/experiment.py"
PART5 = "chapters/part5/covariance_alignment"
SET = "chapters/part4/auxiliary_data/settings.py"


@pytest.fixture
def key_with(tmp_path):
    """The key of a result where a text of the library is another."""

    def made(name, file, old, new):
        ignored = shutil.ignore_patterns("*.json", "*.yml", "__pycache__")
        shutil.copytree(PACKAGE, tmp_path / PACKAGE.name, ignore=ignored, copy_function=os.symlink)
        files = (tmp_path / PACKAGE.name).glob(file)
        path, text = next((one, text) for one in files if old in (text := one.read_text(encoding="utf8")))
        path.unlink()
        path.write_text(text.replace(old, new), encoding="utf8")
        run = sizes.COMMITTED[name].run
        return keys.key_of(run.__module__, run.__qualname__, tmp_path)

    return made


@pytest.mark.parametrize(
    ("name", "file", "old", "new"),
    [
        ("part4/auxiliary-data", DATA, '("small", 400): (240, 400, 600)', '("small", 400): (4, 4, 4)'),
        ("part4/auxiliary-data", SET, "grid_steps: int = 240", "grid_steps: int = 3"),
        ("part4/auxiliary-data", "chapters/classifier_pairs.py", "KEEPING = 1.0", "KEEPING = 1.1"),
        ("part7/joint-model", "forecast/**/*.py", "INTERCEPT = 1.0", "INTERCEPT = 2.0"),
        ("part5/covariance-alignment", f"{PART5}/experiment.py", "N_SPLITS, DIGITS = ", "N_SPLITS, DIGITS = 1 + "),
        ("part6/relu-networks", "chapters/part6/relu_networks/settings.py", "Sizes(160, 160,", "Sizes(160, 161,"),
    ],
    ids=["steps", "steps of a grid", "inside", "prior of the tool", "constant", "size of a profile"],
)
def test_other_settings_and_other_code_have_another_key(key_with, name, file, old, new):
    assert key_with(name, file, old, new) != keys.key(sizes.COMMITTED[name].run)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (SET, "# data sets that are trained together", "# in one go"),
        (DATA, '"""Data sets of one block."""', '"""Other words."""'),
        (DATA, "minutes=10", "minutes=11"),
    ],
)
def test_words_and_what_is_not_stored_leave_the_key(key_with, file, old, new):
    assert key_with("part4/auxiliary-data", file, old, new) == keys.key(sizes.COMMITTED["part4/auxiliary-data"].run)
