"""Do the tests notice? Small errors are drawn and put into a copy of the library, one at a time, and tests run there.

`python -m bookbuild.trials.planted --number 40 --seed 1` prints for each error its line, what became of it, and whether
a test turned red; `--only 3 17` runs two of them again. What the tests of an error are follows from names: those that
speak of its function and module, most often first, and then pages, which take longest. Settings of chapters, such as
how many rows are drawn, are a choice and no formula: they stay.
"""

import argparse
import ast
import copy
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from bookbuild.chapters import ROOT, chapters

AREAS = ("theory", "simulation", "methods", "forecast", "data", "notebook", "chapters")
EDGES = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
SIGNS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
NAMES = {"min": "max", "minimum": "maximum", "argmin": "argmax", "mean": "sum", "any": "all", "floor": "ceil"}
NAMES |= {new: old for old, new in NAMES.items()}
# Where a number is a part of a formula: an operand, a default value, a place.
COMPUTING = ("left", "right", "operand", "comparators", "defaults", "kw_defaults", "slice", "lower", "upper", "step")
WALK = "tests/bad_input/test_bad_input.py"  # over all public functions
# Texts change no number, annotations do nothing, and an f-string does not know its places before Python 3.12.
SKIPPED = (ast.JoinedStr, ast.Raise)
SIZE = re.compile(r"\w: int = \d")  # how much a chapter takes unless told is a choice of its settings
# Changed lines that compute the same, with the reason: they are drawn, and count neither as seen nor as survived.
EQUIVALENT = {
    "return [nn.Conv2d(before, after, side, stride, side // (3), bias=False), nn.BatchNorm2d(after)]": "side: 1 or 3",
    "search: Any = torch.optim.LBFGS(free, max_iter=_STEPS, history_size=20, tolerance_grad=(0.2) * _flat(u),": (
        "how far below the slope that is asked for the search goes on"
    ),
    "ratios = (sizes / np.random.default_rng(0).normal(size=(_SCREENED, len(tasks))) ** 5)": (
        "draws that a search starts from"
    ),
    "if (self.n_hidden > self.n_outputs):": "as many hidden units as outputs learn all by either branch",
    "flat = (x.reshape(-(2), modes.shape[-1]) for x in both)": "any negative size is the rest",
    "return self.layers[(1)].dtype": "the layers of a network have one precision",
    "self.n_features = _features(self.start, data.test[:(2)]).shape[1]": "the features of two pictures are as many",
    "return int(self.right.shape[(2)])": "the next to last of four axes",
    "coefficients = np.linalg.solve(gram, products.reshape(d, -(2))).reshape(products.shape)": (
        "any negative size is the rest"
    ),
    "mixed = ((marks ^ bits) - _STEP)": "another odd step mixes bits as well",
    "kept, each = float(shares[0][(1)]), shares[1]": "all entries of the first are one number",
    "if not found.met or (found.seen is not None and found.resolves and (found.seen >= FEW * found.resolves)):": (
        "no measurement is the very bound"
    ),
    "largest = max(task.inputs.shape[-1] for task in tasks) if orders is None else orders[0].shape[(1)]": (
        "how many students train at once, not what they learn"
    ),
    "columns = flat.swapaxes(1, 2).reshape(n_splits, models.shape[-2], -(2))": "any negative size is the rest",
    "kept = [(one, np.where((weight >= NEGLIGIBLE), weight, 0.0)) "
    "for one, weight in zip(members, weights, strict=True)]": "no weight is the very bound",
    "return np.where((tasks.weights >= 0), to_array(losses), 0.0)": "what has no label is NaN in the end",
    "labels = [(_outputs(x, model, relu, classes) - e) for x, model, e in zip(inputs, models, noise, strict=True)]": (
        "noise has no preferred sign"
    ),
    "useful = (alike_error(s, 0.0, 1, ASPECT) == 1) | ((error <= alike_error(s, 0.0, 1, ASPECT)))": (
        "errors are the same only where both are 1"
    ),
    "start = Students.of([torch.as_tensor(bottom.maps[:, :(2)], dtype=EXACT, device=engine.device())])": (
        "a second student beside the first, which alone is read"
    ),
}


@dataclass(frozen=True)
class Error:
    """A file, its line, this line before and after, the whole text after, and the functions around it."""

    file: str
    line: int
    before: str
    after: str
    text: str
    inside: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before} -> {self.after}"


def files() -> list[Path]:
    """Those that compute: figures are looked at."""
    found = (path for area in AREAS for path in sorted((ROOT / "mtlbook_lib" / area).rglob("*.py")))
    return [path for path in found if not re.search(r"figures|plots|style|__init__", str(path.relative_to(ROOT)))]


def errors(text: str, file: str) -> list[Error]:
    """All that can be planted in a file."""
    lines, found = text.splitlines(keepends=True), []
    for node, changed, inside in _changes(ast.parse(text), (), ""):
        if node.lineno != node.end_lineno:
            continue
        line = lines[node.lineno - 1].encode()  # columns count bytes
        new = b"".join((line[: node.col_offset], f"({ast.unparse(changed)})".encode(), line[node.end_col_offset :]))
        whole = "".join([*lines[: node.lineno - 1], new.decode(), *lines[node.lineno :]])
        found.append(Error(file, node.lineno, line.decode().strip(), new.decode().strip(), whole, inside))
    return found


def _changes(node: ast.AST, inside: tuple[str, ...], role: str) -> Iterator[tuple[ast.expr, ast.expr, tuple[str, ...]]]:
    """Pairs of an expression and what it becomes, with the functions and classes around it."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        inside = (*inside, node.name)
    if isinstance(node, ast.expr) and (role in COMPUTING or not isinstance(node, ast.Constant)):
        yield from ((node, new, inside) for new in _planted(node))
    for name, value in ast.iter_fields(node):
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST) and not isinstance(one, SKIPPED) and name not in ("annotation", "returns"):
                yield from _changes(one, inside, name)


def _planted(node: ast.expr) -> Iterator[ast.expr]:
    new = copy.deepcopy(node)
    if isinstance(new, ast.Compare) and type(new.ops[0]) in EDGES:
        new.ops[0] = EDGES[type(new.ops[0])]()
        yield new
    elif isinstance(new, ast.BinOp) and type(new.op) in SIGNS and not _is_text(new.left) and not _is_text(new.right):
        new.op = SIGNS[type(new.op)]()
        yield new
    elif isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.USub):
        yield new.operand
    elif isinstance(new, ast.BoolOp):
        new.op = ast.Or() if isinstance(new.op, ast.And) else ast.And()
        yield new
    elif isinstance(new, ast.Constant) and isinstance(new.value, bool | int | float):
        value = new.value  # a place or a count by one, a number by a factor
        new.value = not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else 2 * value
        yield from [new] if new.value != value else []
    elif isinstance(new, ast.Call):
        for name in ("attr", "id"):
            if (called := getattr(new.func, name, "")) in NAMES and (name, called) != ("id", "sum"):
                setattr(new.func, name, NAMES[called])
                yield new


def draw(number: int, seed: int) -> list[Error]:
    """As many of each part of the library, whatever its length."""
    rng, found = np.random.default_rng(seed), list[Error]()
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf8") for path in files()}
    while len(found) < number:
        area = AREAS[len(found) % len(AREAS)]
        names = [name for name in texts if name.split("/")[1] == area]
        sizes = np.array([len(texts[name]) for name in names])
        name = rng.choice(names, p=sizes / sizes.sum())
        possible = [one for one in errors(texts[name], name) if area != "chapters" or not SIZE.search(one.before)]
        found += [possible[rng.integers(len(possible))]] if possible else []
    return found


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr | ast.List) or isinstance(getattr(node, "value", None), str)


def tests_of(error: Error) -> list[str]:
    """Files of tests, the nearest first: of the chapter with its page, or what names the function and its module."""
    path = Path(error.file).relative_to("mtlbook_lib").with_suffix("")
    area, chapter = path.parts[0], "/".join(path.parts[1:3])
    if area == "chapters" and (ROOT / "tests/chapters" / chapter).is_dir() and len(path.parts) > 2:
        page = ROOT / "book" / f"{chapter.replace('_', '-')}.md"
        return [f"tests/chapters/{chapter}", *[str(page.relative_to(ROOT))] * page.exists()]
    names = [name for name in error.inside if not name.startswith("_")] or re.findall(
        r"^(?:def|class) ([a-zA-Z]\w+)", error.text, re.MULTILINE)  # fmt: skip
    seen = [part for part in path.parts[1:-1] if not part.startswith("_")]  # tests lie in folders of these names
    word, module = (
        rf"\b({'|'.join(some)})\b" for some in (names or [path.stem], [*(seen or path.parts)[-1:], path.stem])
    )
    tests, pages = _texts(ROOT)
    said = {one: len(re.findall(word, text)) for one, text in (tests | pages).items() if re.search(module, text)}
    found = {one for one, times in said.items() if times}
    found |= {one for one in tests if f"/{area}/" in one and Path(one).stem.endswith(path.stem)}
    found.discard(WALK)
    folder = "/".join(("tests", area, *seen))

    def far(one: str) -> tuple[bool, bool, int, str]:
        return not one.startswith(f"{folder}/"), f"/{area}/" not in one, -said.get(one, 0), one

    order = sorted(found - {*pages}, key=far)
    own = sum(one.startswith(f"{folder}/") for one in order)
    whole = [folder] * bool(seen and (ROOT / folder).is_dir())  # of inner functions no test speaks
    nearest = order[:own] + whole + order[own:12] + sorted(found & {*pages})[:3]
    return nearest or [folder if (ROOT / folder).is_dir() else f"tests/{area}"]


@cache
def _texts(root: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The files of tests and the pages with cells, which are tests too, by their path."""
    pages = [chapter.path for chapter in chapters(root)] if (root / "_toc.yml").exists() else []
    read = [
        {str(one.relative_to(root)): one.read_text(encoding="utf8") for one in some}
        for some in ((root / "tests").rglob("test_*.py"), pages)
    ]
    return read[0], read[1]


def run(error: Error, tests: list[str], folder: str, seconds: int = 1800) -> str:
    """In a copy of the tree, which is left as it was: the first test that turned red, or nothing. Pages come last."""
    file = Path(folder, error.file)
    right = file.read_text(encoding="utf8")
    file.write_text(error.text, encoding="utf8")
    try:
        pages = [one for one in tests if one.endswith(".md")]
        return (
            _red([one for one in tests if one not in pages], folder, seconds)
            or _red([WALK] * Path(folder, WALK).exists(), folder, seconds, "-k", _module(error))
            or _red(pages, folder, seconds)
        )
    finally:
        file.write_text(right, encoding="utf8")


def _module(error: Error) -> str:
    """The public module of an error, as the walk over all public functions calls it."""
    area, *rest = Path(error.file).relative_to("mtlbook_lib").with_suffix("").parts
    return f"{area}-" if rest[0].startswith("_") else f"{area}.{rest[0]}"


def _red(tests: list[str], folder: str, seconds: int, *options: str) -> str:
    if not tests:
        return ""
    # No byte code: a file that changes twice in a second would be read from the old one.
    surroundings = os.environ | {"PYTHONPATH": folder, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *options, *tests]
    try:
        done = subprocess.run(command, cwd=folder, env=surroundings, timeout=seconds, stdout=subprocess.PIPE, text=True,
                              check=False)  # fmt: skip
    except subprocess.TimeoutExpired:
        return "no end"
    red = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    if not red and done.returncode not in ((0, 5) if options else (0,)):  # of a test that is not there, nothing follows
        raise RuntimeError(f"pytest ended with {done.returncode} on {tests}:\n{done.stdout[-2000:]}")
    return red[0] if red else ""


def main(argv: list[str] | None = None) -> int:
    """Draw, plant and tell; 1 if fewer than 95 % were seen."""
    parser = argparse.ArgumentParser(prog="python -m bookbuild.trials.planted", description=__doc__)
    parser.add_argument("--number", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="of those that are drawn, from 0")
    options = parser.parse_args(argv)
    every = draw(options.number, options.seed)
    chosen = every if options.only is None else [every[place] for place in options.only]
    drawn, survived = [one for one in chosen if one.after not in EQUIVALENT], []
    with tempfile.TemporaryDirectory(prefix="mtlbook-") as folder:
        hidden = shutil.ignore_patterns(".*", "_build", "__pycache__", "node_modules")
        shutil.copytree(ROOT, folder, ignore=hidden, dirs_exist_ok=True)
        for error in drawn:
            red = run(error, tests_of(error), folder)
            survived += [error] * (not red)
            print(f"{'seen' if red else 'SURVIVED'}  {error}  {red}", flush=True)
    share = 1 - len(survived) / max(len(drawn), 1)
    print(f"{len(drawn) - len(survived)} of {len(drawn)} seen; {len(chosen) - len(drawn)} equivalent")
    return int(share < 0.95)


if __name__ == "__main__":
    sys.exit(main())
