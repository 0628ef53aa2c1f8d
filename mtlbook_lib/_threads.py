"""How many threads the products of a call get: one where they are small, whatever the environment says.

On small matrices threads wait for each other longer than they compute, and most where two libraries take turns: idle
threads of both spin, on the cores that the other one needs. NumPy's and SciPy's libraries multiply one matrix after the
other, torch's a whole batch, so that the first are asked for the largest matrix, torch for the largest array.
"""

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import is_dataclass
from functools import cache, wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from threadpoolctl import LibController, ThreadpoolController

P = ParamSpec("P")
T = TypeVar("T")
Shape = tuple[int, ...]

LARGE = 2**20  # numbers: eight megabytes, more than a core's cache


def suited(function: Callable[P, T]) -> Callable[P, T]:
    """`function`, whose products are of the matrices that it is given, the last two axes of its arguments."""
    return _decorated(function, lambda shape: shape[-2:])


def suited_to_pairs(function: Callable[P, T]) -> Callable[P, T]:
    """`function`, whose products are of matrices with a number for each pair of rows that it is given."""
    return _decorated(function, lambda shape: shape[:1] * 2)


def _decorated(function: Callable[P, T], matrix_of: Callable[[Shape], Shape]) -> Callable[P, T]:
    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        shapes = list(_shapes((*args, *kwargs.values())))
        matrix = max((math.prod(matrix_of(shape)) for shape in shapes), default=0)
        with _on_few(matrix, max(map(math.prod, shapes), default=0)):
            return function(*args, **kwargs)

    return called


@contextmanager
def _on_few(matrix: int, batch: int) -> Iterator[None]:
    """A block whose largest matrix and whose largest array have so many numbers.

    Libraries that multiply small ones have one thread inside, and afterwards as many as before. Blocks may stand inside
    each other and run at the same time: NumPy's libraries are one for all threads of a process, and get their threads
    back at the end of the last block. Torch counts for each thread apart.
    """
    with ExitStack() as inside:
        if matrix < LARGE:
            inside.enter_context(_BLAS.one())
        if max(matrix, batch) < LARGE and "torch" in sys.modules:
            inside.enter_context(_TORCH.one())
        yield


def _shapes(values: Iterable[Any], depth: int = 3) -> Iterator[Shape]:
    """Of the arrays among the values, also inside lists and data classes."""
    for value in values:
        shape = getattr(value, "shape", None)
        if isinstance(shape, tuple):
            yield shape
        elif depth and (isinstance(value, list | tuple) or is_dataclass(value)):
            inner = value if isinstance(value, list | tuple) else getattr(value, "__dict__", {}).values()
            yield from _shapes(inner, depth - 1)


class _Numpys:
    """The libraries of NumPy and SciPy: who comes first takes their threads away, who goes last gives them back."""

    def __init__(self) -> None:
        self._lock, self._inside, self._before = Lock(), 0, list[tuple[LibController, int]]()

    @contextmanager
    def one(self) -> Iterator[None]:
        with self._lock:
            if not self._inside:
                found = _found("scipy.linalg" in sys.modules)
                self._before = [(library, library.get_num_threads()) for library in found]
                self._set([(library, 1) for library in found])
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if not self._inside:
                    self._set(self._before)

    @staticmethod
    def _set(numbers: list[tuple[LibController, int]]) -> None:
        for library, number in numbers:
            library.set_num_threads(number)
            # In newer versions the thread that sets a number may alone set it again, unless it gives this up.
            getattr(library, "clear_controlling_thread", bool)()


class _Torch:
    """Threads of torch, a number for each thread that calls it; a new one starts with what was last set in any."""

    def __init__(self) -> None:
        self._lock, self._inside, self._before = Lock(), 0, 1

    @contextmanager
    def one(self) -> Iterator[None]:
        torch: Any = sys.modules["torch"]
        with self._lock:
            own = torch.get_num_threads()
            if not self._inside:
                self._before = own
            elif own == 1:  # in a new thread, of which this may be our own doing
                own = self._before
            torch.set_num_threads(1)
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                torch.set_num_threads(own)
                self._inside -= 1


@cache
def _found(_scipy: bool) -> list[LibController]:
    """What this process has loaded; SciPy brings a library of its own."""
    return list(ThreadpoolController().select(user_api="blas").lib_controllers)


_BLAS, _TORCH = _Numpys(), _Torch()
