"""Small errors that a program can have, one at a time: a sign, a factor, an exponent, a constant, a comparison …

Each is an edit of a few characters of the source, so that every line keeps its number. Left out is what does not
compute: text (also the braces of f-strings), annotations, decorators' and error messages' arguments, and the `strict`
of a `zip`, which only makes other errors visible.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate

BINARY = {
    ast.Add: ("+", "-", "sign"),
    ast.Sub: ("-", "+", "sign"),
    ast.Mult: ("*", "/", "factor"),
    ast.Div: ("/", "*", "factor"),
    ast.FloorDiv: ("//", "*", "factor"),
    ast.Pow: ("**", "*", "exponent"),
    ast.BitAnd: ("&", "|", "boolean"),
    ast.BitOr: ("|", "&", "boolean"),
}
COMPARISON = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
PAIRS = [("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"), ("amin", "amax"), ("nanmin", "nanmax")]
PAIRS += [("floor", "ceil"), ("clamp_min", "clamp_max"), ("fmin", "fmax")]
EXTREMES = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}
LOGIC = {"any": "all", "all": "any", "logical_and": "logical_or", "logical_or": "logical_and"}
BUILT_IN = {"min", "max", "any", "all"}
POWERS = {"sqrt": "square", "square": "sqrt"}
NOT_NUMBERS = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.JoinedStr)
TOLERANCE = 1e-5  # a smaller number is a tolerance: it loses half its digits
LARGE = 10  # a whole number from here on is a count of steps or seeds: it is halved


@dataclass(frozen=True)
class Mutant:
    """One edit: in `path` (relative to the root), the bytes [start, stop) become `text`."""

    path: str
    kind: str
    start: int
    stop: int
    text: str
    lines: tuple[int, ...]
    before: str
    after: str
    called: bool = True  # inside a function; otherwise an import executes it

    def apply(self, source: bytes) -> bytes:
        """The source with the error in it."""
        return source[: self.start] + self.text.encode() + source[self.stop :]

    def __str__(self) -> str:
        return f"{self.path}:{self.lines[0]}: {self.kind}\n    - {self.before}\n    + {self.after}"


@cache
def mutants(path: str, source: bytes) -> tuple[Mutant, ...]:
    """All mutants of a module, in the order of the source."""
    found = _File(path, source)
    return tuple(sorted(found.mutants(ast.parse(source)), key=lambda m: (m.start, m.stop, m.text)))


class _File:
    """A module's source, and its edits."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source

    @cached_property
    def _starts(self) -> list[int]:
        lengths = [len(line) for line in self.source.split(b"\n")]
        return [0, *accumulate([length + 1 for length in lengths], initial=0)]

    def at(self, line: int, column: int) -> int:
        return self._starts[line] + column

    def span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def mutants(self, node: ast.AST, called: bool = False) -> Iterator[Mutant]:
        if isinstance(node, ast.expr | ast.AugAssign):
            for kind, start, stop, text in self._edits(node):
                yield replace(self._mutant(node, kind, start, stop, text), called=called)
        body = getattr(node, "body", []) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
        for child in _computing(node):
            yield from self.mutants(child, called or child in body)

    def _mutant(self, node: ast.expr | ast.AugAssign, kind: str, start: int, stop: int, text: str) -> Mutant:
        first, last = self.source.rfind(b"\n", 0, start) + 1, (self.source + b"\n").find(b"\n", stop)
        after = self.source[first:start] + text.encode() + self.source[stop:last]
        lines = tuple(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        return Mutant(self.path, kind, start, stop, text, lines, _plain(self.source[first:last]), _plain(after))

    def _edits(self, node: ast.expr | ast.AugAssign) -> Iterator[tuple[str, int, int, str]]:
        if isinstance(node, ast.BinOp) and type(node.op) in BINARY and not _is_text(node):
            old, new, kind = BINARY[type(node.op)]
            yield kind, *self._between(node.left, node.right, old), new
        elif isinstance(node, ast.AugAssign) and type(node.op) in BINARY:
            old, new, kind = BINARY[type(node.op)]
            yield kind, *self._between(node.target, node.value, f"{old}="), f"{new}="
        elif isinstance(node, ast.Compare):
            for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
                old, others = COMPARISON[type(operator)]
                for new in others:
                    yield "comparison", *self._between(left, right, old), new
        elif isinstance(node, ast.BoolOp):
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield "boolean", *self._between(left, right, old), new
        elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
            start, stop = self.span(node)[0], self.span(node.operand)[0]
            opening = self.source[start:stop].lstrip(b"-~not \n").decode()
            yield "sign" if isinstance(node.op, ast.USub) else "boolean", start, stop, opening
        elif isinstance(node, ast.Constant):
            for text in _other_constants(node.value):
                yield "boolean" if isinstance(node.value, bool) else "constant", *self.span(node), text
        elif isinstance(node, ast.Name | ast.Attribute):
            yield from self._names(node)

    def _names(self, node: ast.Name | ast.Attribute) -> Iterator[tuple[str, int, int, str]]:
        if isinstance(node, ast.Name) and node.id not in BUILT_IN:
            return  # a variable may be called `minimum`
        name, stop = node.id if isinstance(node, ast.Name) else node.attr, self.span(node)[1]
        for kind, others in (("min/max", EXTREMES), ("boolean", LOGIC), ("exponent", POWERS)):
            if name in others and isinstance(node.ctx, ast.Load) and (others is not POWERS or _of_arrays(node)):
                yield kind, stop - len(name), stop, others[name]

    def _between(self, left: ast.expr, right: ast.expr, operator: str) -> tuple[int, int]:
        """Where the operator stands between its operands (brackets and line ends may stand there too)."""
        start, stop = self.span(left)[1], self.span(right)[0]
        gap = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self.source[start:stop])
        found = re.search(re.escape(operator).replace(r"\ ", r"\s+").encode(), gap)
        assert found
        return start + found.start(), start + found.end()


def _computing(node: ast.AST) -> Iterator[ast.AST]:
    """The children of a node that compute something."""
    if isinstance(node, ast.Raise | ast.JoinedStr):
        return
    skipped: list[ast.AST | None] = []
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        skipped += node.decorator_list
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        skipped.append(node.returns)
    if isinstance(node, ast.arg | ast.AnnAssign):
        skipped.append(node.annotation)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip":
        skipped += node.keywords
    yield from (child for child in ast.iter_child_nodes(node) if child not in skipped)


def _of_arrays(node: ast.Name | ast.Attribute) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("np", "torch")


def _is_text(node: ast.BinOp) -> bool:
    """One side is text, a list or a type: another operator would only be a type error."""
    sides = [node.left, node.right]
    sides += [side.operand for side in sides if isinstance(side, ast.UnaryOp)]
    return any(
        isinstance(side, NOT_NUMBERS) or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes | None))
        for side in sides
    )


def _other_constants(value: object) -> Iterator[str]:
    if isinstance(value, bool):
        yield str(not value)
    elif isinstance(value, int):
        yield str(value // 2 if value >= LARGE else value + 1)
    elif isinstance(value, float) and math.isfinite(value):
        yield repr(math.sqrt(value) if 0 < value < TOLERANCE else 1.5 * value or 1.0)


def _plain(text: bytes) -> str:
    return " ".join(text.decode().split())
