"""The experiments on probing before tuning, at tiny sizes."""

import pytest

from mtlbook_lib.chapters.part6.probe_then_tune.experiment import problems


def test_unknown_strengths_are_named():
    with pytest.raises(ValueError, match="strengths"):
        problems(20, 15, range(1), "large")
