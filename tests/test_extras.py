"""A part whose optional package is missing says which extra to install."""

import subprocess
import sys

import pytest

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
        ("mtlbook_lib.experiments.sizes", "torch", "simulation"),
        ("mtlbook_lib.methods.sharing", "torch", "simulation"),
        ("mtlbook_lib.data.real; mtlbook_lib.data.real.digits()", "sklearn", "data"),
        ("mtlbook_lib.data.real; mtlbook_lib.data.real.breast_cancer()", "sklearn", "data"),
        ("mtlbook_lib.notebook.claims", "yaml", "notebook"),
        ("mtlbook_lib.figures.house", "matplotlib", "notebook"),
    ],
)
def test_the_error_names_the_package_and_the_remedy(module, package, extra):
    code = HIDE.format(module=module, package=package)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: This part of mtlbook_lib needs")
    assert package in last
    assert f'pip install "mtlbook-lib[{extra}]"' in last


@pytest.mark.parametrize("module", ["mtlbook_lib.theory.spiked", "mtlbook_lib.data.teachers", "mtlbook_lib.statistics"])
def test_the_rest_needs_numpy_and_scipy_alone(module):
    code = HIDE.format(module=module, package="torch") + "import mtlbook_lib.theory"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("package", ["sklearn", "torch", "matplotlib", "pandas", "tqdm"])
def test_a_forecast_needs_numpy_and_scipy_alone(package):
    """What the docstring of the part promises; scikit-learn stood behind the whitening once."""
    call = "import numpy as np; x = np.random.default_rng(0).standard_normal((60, 3)); y = x[:, 0] + x[:, 1] ** 2"
    code = HIDE.format(module="mtlbook_lib.forecast", package=package)
    code += f"{call}; print(mtlbook_lib.forecast.advise(x[:20], y[:20], x[20:], y[20:]).verdict)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in ("likely helps", "no gain expected", "cannot tell")
