"""Which errors are made in a line of code, and where none are made."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mutants.operators import mutants


def after(source: str) -> set[str]:
    """The mutated lines of a source of one line."""
    return {mutant.after for mutant in mutants("x.py", source.encode())}


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("y = a + b", {"y = a - b"}),
        ("y = a - b", {"y = a + b"}),
        ("y += a", {"y -= a"}),
        ("y /= a", {"y *= a"}),
        ("y = -a", {"y = a"}),
        ("y = a * b", {"y = a / b"}),
        ("y = a / b", {"y = a * b"}),
        ("y = a // b", {"y = a * b"}),
        ("y = a**b", {"y = a*b"}),
        ("y = a**2", {"y = a*2", "y = a**3"}),
        ("y = np.sqrt(a)", {"y = np.square(a)"}),
        ("y = 0", {"y = 1"}),
        ("y = 12", {"y = 6"}),
        ("y = 2.0", {"y = 3.0"}),
        ("y = 0.0", {"y = 1.0"}),
        ("y = 1e-10", {"y = 1e-05"}),
        ("y = a < b", {"y = a <= b", "y = a >= b"}),
        ("y = a >= b", {"y = a > b", "y = a < b"}),
        ("y = a == b", {"y = a != b"}),
        ("y = a is not b", {"y = a is b"}),
        ("y = a not in b", {"y = a in b"}),
        ("y = a < b <= c", {"y = a <= b <= c", "y = a >= b <= c", "y = a < b < c", "y = a < b > c"}),
        ("y = min(a, b)", {"y = max(a, b)"}),
        ("y = np.maximum(a, b)", {"y = np.minimum(a, b)"}),
        ("y = a.argmin()", {"y = a.argmax()"}),
        ("y = a and b", {"y = a or b"}),
        ("y = not a", {"y = a"}),
        ("y = not (a)", {"y = (a)"}),
        ("y = (a) | (b)", {"y = (a) & (b)"}),
        ("y = ~a", {"y = a"}),
        ("y = True", {"y = False"}),
        ("y = any(a)", {"y = all(a)"}),
        ("def f(a=1): return a", {"def f(a=2): return a"}),
    ],
)
def test_each_kind_of_error_is_made(source: str, wanted: set[str]) -> None:
    assert after(source) == wanted


@pytest.mark.parametrize(
    "source",
    [
        "y = zip(a, b, strict=True)",
        "'one + two'",
        "y = f'{a + 1} of {b:.3f}'",
        "y: Literal[1] = a",
        "def f(a: Literal[1]) -> Literal[2]: return a",
        "@cache(maxsize=8)\ndef f(a): return a",
        "raise ValueError('x', 1 + 2)",
        "y = 'a' + b",
        "y = [a] * b",
        "y = a | None",
        "minimum = a\ny = minimum.value",
        "sqrt = a\ny = sqrt(b)",
    ],
)
def test_what_does_not_compute_is_left_alone(source: str) -> None:
    assert after(source) == set()


def test_an_error_is_one_edit_that_keeps_the_lines_and_the_rest():
    source = "π = 3\ny = (\n    a  # not + but\n    + b * π\n)\n"
    found = {mutant.kind: mutant for mutant in mutants("x.py", source.encode())}
    changed = found["sign"].apply(source.encode()).decode()
    assert changed == source.replace("    + b", "    - b")
    assert found["sign"].lines == (3, 4)
    assert "x.py:4: factor" in str(found["factor"])
    assert (found["factor"].before, found["factor"].after) == ("+ b * π", "+ b / π")


def test_what_an_import_executes_is_told_from_what_a_call_does():
    source = "a = 1\ndef f(b=2):\n    return 3\nclass C:\n    c = 4\n    def g(self):\n        return lambda: 5\n"
    called = {mutant.before: mutant.called for mutant in mutants("x.py", source.encode())}
    assert [line for line, inside in called.items() if inside] == ["return 3", "return lambda: 5"]
    assert [line for line, inside in called.items() if not inside] == ["a = 1", "def f(b=2):", "c = 4"]


def test_every_error_of_a_real_module_is_another_program():
    source = ast.unparse(ast.parse(Path(ast.__file__).read_text(encoding="utf8")))
    whole = ast.dump(ast.parse(source))
    found = mutants("ast.py", source.encode())
    assert len(found) > 100
    for mutant in found[::20]:
        assert ast.dump(ast.parse(mutant.apply(source.encode()))) != whole
