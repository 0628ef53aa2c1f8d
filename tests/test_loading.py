"""What a package loads: a module when it is used, and an optional package with the line that installs it."""

import importlib
import subprocess
import sys
from pkgutil import iter_modules, walk_packages

import pytest

import mtlbook_lib
from mtlbook_lib import chapters, theory
from mtlbook_lib.forecast.policy import VERDICTS

# Without what a user does not import from: chapters, private packages, and the parts of `hard_sharing`.
PRIVATE = ("mtlbook_lib.chapters", "mtlbook_lib.theory.hard_sharing.")
WALKED = [one.name for one in walk_packages(mtlbook_lib.__path__, "mtlbook_lib.") if one.ispkg]
PACKAGES = ["mtlbook_lib", *(name for name in WALKED if not name.startswith(PRIVATE) and "._" not in name)]

HIDE = """
import importlib.abc, sys
class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == {package!r}:
            raise ModuleNotFoundError(name)
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == {package!r} else found(name, package)
sys.meta_path.insert(0, Hidden())
import {module}
"""


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("mtlbook_lib.simulation.spectra", "torch", "simulation"),
        ("mtlbook_lib.simulation.engine", "torch", "simulation"),
        ("mtlbook_lib.chapters.sizes", "torch", "simulation"),
        ("mtlbook_lib.methods.sharing", "torch", "simulation"),
        ("mtlbook_lib.data.real; mtlbook_lib.data.real.digits()", "sklearn", "data"),
        ("mtlbook_lib.data.real; mtlbook_lib.data.real.breast_cancer()", "sklearn", "data"),
        ("mtlbook_lib.notebook.claims", "yaml", "notebook"),
        ("mtlbook_lib.chapters.style", "matplotlib", "notebook"),
    ],
)
def test_the_error_names_the_package_and_the_remedy(module, package, extra):
    code = HIDE.format(module=module, package=package)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: This part of mtlbook_lib needs")
    assert package in last
    assert f'pip install ".[{extra}]"' in last


@pytest.mark.parametrize("module", ["mtlbook_lib.theory.spiked", "mtlbook_lib.data.teachers", "mtlbook_lib.statistics"])
def test_the_rest_needs_numpy_and_scipy_alone(module):
    code = HIDE.format(module=module, package="torch") + "import mtlbook_lib.theory"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("package", ["sklearn", "torch", "matplotlib", "pandas", "tqdm"])
def test_a_forecast_needs_numpy_and_scipy_alone(package):
    """What the docstring of the part promises; scikit-learn stood behind the whitening once."""
    call = "import numpy as np; x = np.random.default_rng(0).standard_normal((60, 3)); y = x[:, 0] + x[:, 1] ** 2"
    code = HIDE.format(module="mtlbook_lib.forecast", package=package)
    code += f"{call}; print(mtlbook_lib.forecast.recommend(x[:20], y[:20], x[20:], y[20:]).verdict)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in VERDICTS


def test_dir_shows_the_modules_a_reader_may_use() -> None:
    assert {"marchenko_pastur", "learning_curves", "implicit_bias"} <= set(dir(theory))
    assert not [name for name in dir(theory) if name.startswith("_")]
    assert "part1" in dir(chapters)


@pytest.mark.parametrize("package", PACKAGES)
def test_dir_of_a_package_shows_what_a_user_may_call_and_nothing_else(package: str) -> None:
    found = importlib.import_module(package)
    modules = {one.name for one in iter_modules(found.__path__) if not one.name.startswith("_")}
    assert set(dir(found)) == set(getattr(found, "__all__", modules)) != set()
    assert all(hasattr(found, name) for name in dir(found))


def test_importing_the_library_leaves_the_import_system_as_it_was() -> None:
    code = "import sys; before = [*sys.meta_path]; import mtlbook_lib; print(sys.meta_path == before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


def test_every_name_that_dir_shows_can_be_used() -> None:
    for name in dir(theory):
        assert getattr(theory, name).__name__ == f"mtlbook_lib.theory.{name}"


def test_an_unknown_name_is_refused_and_the_known_ones_are_listed() -> None:
    with pytest.raises(AttributeError, match=r"no module 'spectra'; it has .*marchenko_pastur"):
        _ = theory.spectra
    assert not hasattr(theory, "__wrapped__")


def test_nothing_is_loaded_before_it_is_used() -> None:
    script = (
        "import sys, mtlbook_lib.theory as t\n"
        "before = 'mtlbook_lib.theory.tracy_widom' in sys.modules\n"
        "t.tracy_widom\n"
        "print(before, 'mtlbook_lib.theory.tracy_widom' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"]
