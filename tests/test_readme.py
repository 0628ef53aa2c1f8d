"""The examples of the README run, and print what the README says they print."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
PROMISE = re.compile(r"# -> (.+)$", re.MULTILINE)


def promised(source: str) -> list[str]:
    """What the comments of an example say that it prints, line by line."""
    return PROMISE.findall(source)


def printed(source: str) -> list[str]:
    """What an example prints, run on its own."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(compile(source, "README.md", "exec"), {})
    return stream.getvalue().splitlines()


def test_readme_shows_the_uses_of_the_library() -> None:
    shown = "".join(EXAMPLES)
    assert len(EXAMPLES) == 3
    for name in ("noise_scale", "optimal_shrinkage", "test_error", "shrinkage_error", "forecast_transfer"):
        assert name in shown, name


@pytest.mark.parametrize("source", EXAMPLES, ids=["shrink a matrix", "predict a curve", "forecast transfer"])
def test_example_prints_what_the_readme_says(source: str) -> None:
    assert promised(source), "an example without a promised line shows nothing"
    assert source.count("print(") == len(promised(source))
    assert printed(source) == promised(source)
