"""Keys of any function, as hashes of what it does and holds: its byte code, what it names of its module, its state.

So that a sweep tells `partial(f, 2)` from `partial(f, 3)`, two functions of one name, and a function from what it was
before it was edited. What is installed counts by its name, the library by its code.
"""

import dis
import hashlib
import io
import pickle
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec, resolve_name
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

from mtlbook_lib.chapters import keys

CONSTANT = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))
INSTALLED = ("site-packages", "dist-packages")
# What a class has that says where it stands, not what it does.
OF_PLACE = ("__dict__", "__weakref__", "__doc__", "__firstlineno__", "__module__")
STANDARD = sys.stdlib_module_names | {"builtins"}
STATELESS = ("builtins", "collections", "copyreg", "enum", "functools", "numpy")  # whose classes an argument may be of


def key_of(function: Callable[..., Any], data: bool = True) -> dict[str, str]:
    """Hashes of what a function does and holds, and of each module of the library that it reaches.

    Parameters
    ----------
    function : callable
    data : bool
        Whether what may change counts too: lists, dicts, arrays and objects that the function names. Between processes
        it does not, as a function may remember there what it has done.

    Raises
    ------
    TypeError
        If it holds what cannot be told from something else, such as an open file or the state of random numbers.
    """
    held = _Held(data)
    try:
        held.dump(function)
        files = keys.code(held.modules) if held.modules else {}
    except Exception as error:  # a class may raise anything when it is pickled
        raise TypeError(
            f"function must hold nothing but code and plain data, so that its results can be told from those of "
            f"another; {_name(function)}: {error} Pass what it needs in the settings."
        ) from None
    return {f"the code of {_name(function)}": hashlib.sha256(held.file.getvalue()).hexdigest()[:16], **files}


def _name(function: Any) -> str:
    return getattr(function, "__qualname__", type(function).__qualname__)


class _Held(pickle.Pickler):
    """A function as bytes, equal ones as equal bytes in every process, and the modules of the library it reaches."""

    def __init__(self, data: bool) -> None:
        self.file = io.BytesIO()
        super().__init__(self.file, protocol=5)
        self.fast = True  # no notes of what came before: whether two things are one object must not count
        self.data, self.modules, self.seen = data, set[str](), set[int]()

    def reducer_override(self, given: Any) -> Any:
        """How a part is written."""
        if given is tuple:  # as which all that follows is written
            return NotImplemented
        if isinstance(given, MethodType):
            return self._as(given.__func__, given.__self__)
        if isinstance(given, CodeType):
            return self._as(*_code(given))
        if isinstance(given, ModuleType):
            self._reached(given.__name__)
            return self._as("module", given.__name__)
        module = str(getattr(given, "__module__", None) or type(given).__module__)
        if isinstance(given, FunctionType | type) and _is_own(module, given.__qualname__):
            return self._own(given, module)
        if isinstance(given, FunctionType) and not _is_there(given, module):
            return self._own(given, module)
        if isinstance(given, FunctionType | BuiltinFunctionType | type):
            self._reached(module)
            return self._as("name", module, given.__qualname__)
        self._reached(type(given).__module__)
        if not _is_known(type(given).__module__):
            raise keys.NoKey(f"{given!r} may have a state that is not known.")
        return NotImplemented

    def _own(self, given: Any, module: str) -> Any:
        """A function or a class of the user: what it does. One that names itself is followed once."""
        name = _module(module), given.__qualname__
        if id(given) in self.seen:
            return self._as("again", *name)
        self.seen.add(id(given))
        if isinstance(given, type):
            parts = {key: part for key, part in sorted(vars(given).items()) if key not in OF_PLACE}
            return self._as(*name, given.__bases__, [(key, _plain(part)) for key, part in parts.items()])
        cells = [_content(cell) for cell in given.__closure__ or ()]
        named = _named(given.__code__, given.__globals__)
        kept = {key: value for key, value in named.items() if self.data or _is_fixed(value)}
        noted = [(key, value) for key, value in sorted(vars(given).items()) if self.data and key != "__wrapped__"]
        return self._as(*name, given.__code__, given.__defaults__, given.__kwdefaults__, cells, kept, noted)

    @staticmethod
    def _as(*parts: Any) -> tuple[Any, tuple[list[Any]]]:
        return tuple, ([*parts],)

    def _reached(self, module: str) -> None:
        if module.partition(".")[0] == keys.LIBRARY:
            self.modules.add(module)


def _module(name: str) -> str:
    """The name of a module; of a script the one that it has where it is imported, as in other processes."""
    file = getattr(sys.modules.get(name), "__file__", None)
    return Path(file).stem if name in ("__main__", "__mp_main__") and file else name


def _is_own(module: str, name: str) -> bool:
    """Whether a function or class is a user's, or was made inside another one: its name does not tell what it does."""
    if module.partition(".")[0] == keys.LIBRARY:
        return "<" in name
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return module.partition(".")[0] not in STANDARD and not any(part in file for part in INSTALLED)


def _is_there(function: FunctionType, module: str) -> bool:
    """Whether the module has the function under its name: one made by `exec`, or inside another, it has not."""
    named: Any = sys.modules.get(module)
    for part in function.__qualname__.split("."):
        named = getattr(named, part, None)
    return named is function


def _is_known(module: str) -> bool:
    """Whether objects of the classes of a module are written with all their state."""
    package = module.partition(".")[0]
    stateless = package in STATELESS and not module.startswith("numpy.random")
    return stateless or package == keys.LIBRARY or package in ("pathlib", "types") or _is_own(module, "")


def _plain(part: Any) -> Any:
    """What a part of a class does: the functions of a property or method, of a slot its name."""
    if isinstance(part, staticmethod | classmethod):
        return part.__func__
    if isinstance(part, property):
        return [part.fget, part.fset, part.fdel]
    return str(part) if isinstance(part, MemberDescriptorType | GetSetDescriptorType) else part


def _is_fixed(value: Any) -> bool:
    return isinstance(value, (*CONSTANT, FunctionType, BuiltinFunctionType, type, ModuleType))


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return "empty"


def _code(code: CodeType) -> Iterator[Any]:
    """What makes two pieces of byte code do the same; not where they stand in their files."""
    yield from (code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    yield from (code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount, code.co_flags)
    for constant in code.co_consts:
        # The order of a set is another in every process.
        yield sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant


def _named(code: CodeType, known: dict[str, Any]) -> dict[str, Any]:
    """What byte code asks its module for, or imports, and what it names of a user's modules, as in ``helper.g``."""
    asked, names, imports = set[str](), set[str](), dict[str, tuple[str, ...]]()
    _note(code, str(known.get("__package__") or ""), asked, names, imports)
    found = {key: known[key] for key in sorted(asked & known.keys())}
    found |= {name: __import__(name, fromlist=of) for name, of in sorted(imports.items()) if _is_followed(name)}
    todo, done = list(found.items()), set[int]()
    for place, module in todo:  # it grows by the modules in modules
        if isinstance(module, ModuleType) and _is_own(module.__name__, "") and id(module) not in done:
            done.add(id(module))
            parts = {f"{place}.{name}": getattr(module, name) for name in sorted(names) if hasattr(module, name)}
            if not parts:
                raise keys.NoKey(f"what it takes of the module {module.__name__} cannot be seen; name it there.")
            todo += parts.items()
            found |= parts
    return found


def _note(code: CodeType, package: str, asked: set[str], names: set[str], imports: dict[str, tuple[str, ...]]) -> None:
    """Note what byte code asks its module for, all its names and imports, also inside the functions that it makes."""
    steps = [one for one in dis.get_instructions(code) if one.opname != "EXTENDED_ARG"]
    asked |= {str(one.argval) for one in steps if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    names |= {*code.co_names}
    for level, of, step in zip(steps, steps[1:], steps[2:], strict=False):
        if step.opname == "IMPORT_NAME":
            name = resolve_name("." * level.argval + step.argval, package)
            imports[name] = imports.get(name, ()) + (of.argval or ())
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            _note(inner, package, asked, names, imports)


def _is_followed(name: str) -> bool:
    """Whether a module is the library's or a user's; of what is installed, or not there, the name counts."""
    top = name.partition(".")[0]
    if top in sys.modules or top in STANDARD:
        return top == keys.LIBRARY or _is_own(top, "")
    spec = find_spec(top)
    return spec is not None and not any(part in (spec.origin or "") for part in INSTALLED)
