"""The rules of the package's architecture, checked on source text. _rules.py applies them to all files."""

import ast
import re
import sys
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache

PACKAGE = "mtlbook_lib"
PARTS = ("theory", "simulation", "data", "methods", "forecast", "chapters", "notebook")
# The modules of the part "figures", which lies among the chapters.
DRAWING = re.compile(r"\.chapters\.(style\b|error_curves\b|part\d+\.\w+\.figures\b)")
# Constants alone, which all else of a chapter may import.
SETTING = re.compile(r"\.chapters\.(\w+\.){0,2}\w*settings\b")
# Modules beside the parts: _checks, _fields and _lazy are for all of them, _extras for those with optional packages,
# _random for those that draw, statistics for those that measure, _files for those that read what the book keeps,
# _parameters for what a scikit-learn user fits, _threads for what multiplies matrices, _remembered for what is made
# once, _settings for texts with numbers.
SHARED = ("_checks", "_extras", "_fields", "_files", "_lazy", "_parameters", "_random", "_remembered",
          "_settings", "_threads", "statistics")  # fmt: skip
FOR_ALL = ("_checks", "_fields", "_lazy", "_remembered", "_settings", "_threads")
# The command line is above all parts: it may import any, and none of them may import it.
# For each part: the parts it may import, those it may import inside a function only, and the third-party packages that
# its modules are limited to (None: any). All may import themselves, FOR_ALL and (but theory)
# _extras.
MAY_IMPORT = {
    "simulation": {"_random", "statistics"},
    "data": {"_random"},
    "methods": {"theory", "data", "statistics", "_parameters"},
    "forecast": {"theory", "data", "methods", "statistics", "_parameters"},
    "chapters": {"theory", "simulation", "data", "methods", "forecast", "statistics", "settings", "_files", "_random"},
    "figures": {"settings", "statistics"},
    "settings": set(),
    "notebook": {"_files"},
    "_settings": {"_files"},
}
MAY_IMPORT_INSIDE = {"methods": {"simulation"}, "forecast": {"simulation"}}
THIRD_PARTY = {
    "theory": {"numpy", "scipy"},
    "simulation": {"numpy", "scipy", "torch"},
    "data": {"numpy", "sklearn", "statsmodels", "PIL"},
    **{name: {"numpy"} for name in SHARED},
    "_threads": {"threadpoolctl"},
    "settings": {"numpy"},
}
# What of torch touches the global random state, unless it has a generator. For that of NumPy and the standard library
# ruff asks.
TORCH_RANDOM = {"seed", "manual_seed", "rand", "randn", "randint", "randperm", "normal", "bernoulli", "multinomial",
                "rand_like", "randn_like", "randint_like"}  # fmt: skip
TORCH_RANDOM_FILL = {"normal_", "uniform_", "random_", "bernoulli_"}
MAX_FUNCTION_LINES = 60
NUMBER_CHECKS = {"real_array", "positive", "nonnegative", "increasing", "in_scale", "bounded", "within", "scalar",
                 "share", "whole", "count", "counts", "place"}  # fmt: skip
COMPUTES = re.compile(r"(np|math)\.(?!size|shape|ndim)|range$")


@dataclass(frozen=True)
class Import:
    """One imported module (or name of a module), and whether the import stands inside a function."""

    target: str
    line: int
    inside: bool


@cache
def imports(source: str, module: str, is_package: bool = False) -> tuple[Import, ...]:
    """All imports of a module, with relative ones resolved; `from a import b` counts as a.b.

    Remembered, because most rules ask it of the same files.
    """
    found = []
    for node, inside in _nodes(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [Import(alias.name, node.lineno, inside) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = module.split(".")[: len(module.split(".")) - node.level + is_package]
                base = ".".join([*parents, *filter(None, [node.module])])
            found += [Import(f"{base}.{alias.name}", node.lineno, inside) for alias in node.names]
    return tuple(found)


def import_violations(source: str, module: str, is_package: bool = False) -> list[str]:
    """Imports that the module's part may not make."""
    part = _part(module)
    if part is None:
        return []
    found = []
    for imported in imports(source, module, is_package):
        if not _allowed(imported, module, part):
            where = "inside a function" if imported.inside else "at the top"
            found.append(f"line {imported.line}: {module} may not import {imported.target} {where}")
    return found


def inner_violations(
    source: str, module: str, modules: set[str], packages: set[str], is_package: bool = False
) -> list[str]:
    """Imports of inner files from outside their package.

    Inner are the files of a closed package (one that lists its public names in ``__all__``), and files whose name
    begins with an underscore, for those outside the folder that they lie in.
    """
    found = []
    for imported in imports(source, module, is_package):
        target = _module_of(imported.target, modules)
        if target is None:
            continue
        owners = [package for package in packages if target.startswith(f"{package}.")]
        folder, _, name = target.rpartition(".")
        owners += [folder] if name.startswith("_") else []
        for owner in owners:
            if module != owner and not module.startswith(f"{owner}."):
                found.append(f"line {imported.line}: {module} may not import {target}, an inner file of {owner}")
    return found


def is_closed(source: str) -> bool:
    """The source of a package's ``__init__`` lists its public names."""
    return any(
        isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "__all__" for target in node.targets)
        for node in ast.parse(source).body
    )


def random_violations(source: str) -> list[str]:
    """Uses of torch's global random state: what draws without a generator."""
    tree = ast.parse(source)
    names = _aliases(tree)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not any(keyword.arg == "generator" for keyword in node.keywords):
            name = _dotted(node.func, names)
            filled = isinstance(node.func, ast.Attribute) and node.func.attr in TORCH_RANDOM_FILL
            if filled or (name.startswith("torch.") and name.split(".", 1)[1] in TORCH_RANDOM):
                found.append(f"line {node.lineno}: {ast.unparse(node.func)} without a generator")
    return found


def raw_uses(source: str) -> list[str]:
    """Parameters that a function computes with as they were given, after it has checked that they are numbers."""
    found = []
    for function in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)):
        nodes = list(ast.walk(function))
        given = {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}
        given -= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        checked = {
            call.args[1].id: call.lineno
            for call in nodes
            if isinstance(call, ast.Call) and [type(one) for one in call.args[:2]] == [ast.Constant, ast.Name]
            and getattr(call.func, "attr", getattr(call.func, "id", "")) in NUMBER_CHECKS
        }  # fmt: skip
        for node in nodes:
            used = [node.left, node.right] if isinstance(node, ast.BinOp) else []
            if isinstance(node, ast.Call) and COMPUTES.match(ast.unparse(node.func)):
                used = node.args
            found += [f"line {name.lineno}: {function.name} computes with {name.id}, not with what was checked of it"
                      for name in used if isinstance(name, ast.Name) and name.id in given
                      and name.lineno >= checked.get(name.id, name.lineno + 1)]  # fmt: skip
    return found


def long_functions(source: str) -> list[str]:
    """Functions of more than MAX_FUNCTION_LINES lines, their docstrings not counted."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = node.end_lineno - node.lineno + 1
            if ast.get_docstring(node) is not None:
                lines -= node.body[0].end_lineno - node.body[0].lineno + 1
            if lines > MAX_FUNCTION_LINES:
                found.append(f"line {node.lineno}: {node.name} has {lines} lines")
    return found


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """The modules of one import cycle, in order, or an empty list."""
    state: dict[str, str] = {}

    def visit(module: str, path: list[str]) -> list[str]:
        state[module] = "open"
        for target in sorted(graph.get(module, ())):
            if state.get(target) == "open":
                return [*path[path.index(target) :], target]
            if target not in state and (found := visit(target, [*path, target])):
                return found
        state[module] = "done"
        return []

    for module in sorted(graph):
        if module not in state and (found := visit(module, [module])):
            return found
    return []


def import_graph(sources: dict[str, tuple[str, bool]]) -> dict[str, set[str]]:
    """Edges between our modules; `sources` maps a module to its text and whether it is a package."""
    graph: dict[str, set[str]] = {}
    for module, (source, is_package) in sources.items():
        targets = {_module_of(item.target, sources) for item in imports(source, module, is_package)}
        graph[module] = {target for target in targets if target is not None}
    return graph


def _module_of(target: str, sources: Container[str]) -> str | None:
    """`target` is a module, or a name in one."""
    parent = target.rpartition(".")[0]
    return target if target in sources else parent if parent in sources else None


def _allowed(imported: Import, module: str, part: str) -> bool:
    root = imported.target.split(".")[0]
    if root == PACKAGE:
        wanted = _part(imported.target) or imported.target.removeprefix(PACKAGE).strip(".").split(".")[0]
        inside = MAY_IMPORT_INSIDE.get(part, set()) if imported.inside else set()
        everywhere = {part, *FOR_ALL} | ({"_extras"} if part != "theory" else set())
        return wanted in everywhere | MAY_IMPORT.get(part, set()) | inside
    # A module named at run time would escape these rules.
    if root == "importlib" and part in THIRD_PARTY and part not in ("_extras", "_lazy", "_settings"):
        return False
    return part not in THIRD_PARTY or root in THIRD_PARTY[part] or root in sys.stdlib_module_names


def _part(module: str) -> str | None:
    if SETTING.search(module):
        return "settings"
    if DRAWING.search(module):
        return "figures"
    names = module.split(".")
    return names[1] if len(names) > 1 and names[0] == PACKAGE and names[1] in (*PARTS, *SHARED) else None


def _nodes(tree: ast.AST, inside: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes, and whether they stand inside a function."""
    for child in ast.iter_child_nodes(tree):
        yield child, inside
        yield from _nodes(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))


def _aliases(tree: ast.AST) -> dict[str, str]:
    """What each imported name of a module stands for."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name.split(".")[0]: alias.name if alias.asname else alias.name.split(".")[0]
                      for alias in node.names}  # fmt: skip
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return names


def _dotted(node: ast.AST, names: dict[str, str]) -> str:
    """The absolute dotted name of an expression such as t.randn, or an empty string."""
    if isinstance(node, ast.Name):
        return names.get(node.id, "")
    if isinstance(node, ast.Attribute) and (base := _dotted(node.value, names)):
        return f"{base}.{node.attr}"
    return ""
