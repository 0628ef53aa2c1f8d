"""A package shows its modules, and loads one when it is used."""

import subprocess
import sys

import pytest

from mtlbook_lib import experiments, figures, theory


def test_dir_shows_the_modules_a_reader_may_use() -> None:
    assert {"marchenko_pastur", "learning_curves", "implicit_bias"} <= set(dir(theory))
    assert not [name for name in dir(theory) if name.startswith("_")]
    assert "part1" in dir(experiments)
    assert "part1" in dir(figures)


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
