"""One bad entry in an otherwise good array, other shapes, and containers that NumPy reads in another way than meant.

Whole arguments are replaced in ``rubbish``; here the array keeps its shape, its other entries and its companions, as a
table with one wrong cell does. The function must refuse it with a ValueError or a TypeError that names an argument, or
return finite numbers.
"""

import warnings
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from rubbish import Case, copied, is_finite, names

NEVER = {"NaN": np.nan, "infinity": np.inf}  # the argument is refused by its own name
SOMETIMES = {
    "huge": 1e308,
    "hugely negative": -1e308,
    "very large": 1e160,
    "large": 1e50,
    "zero": 0.0,
    "small": 1e-50,
    "very small": 1e-160,
    "tiny": 1e-308,
}


def one_entry_faults(
    case: tuple[str, str],
    function: Callable[..., Any],
    call: Mapping[str, Any],
    admitted: Container[Case] = (),
    given: Container[str] = (),
) -> list[str]:
    """What is wrong with how a function takes one bad entry, one line for each; `given` arguments are left alone."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a column that dominates is said, and computed with
        warnings.simplefilter("error", RuntimeWarning)  # an overflow; what packages say while they load is none
        for argument, valid in call.items():
            if argument in given:
                continue
            for kind, value, refused in spoiled(argument, valid):
                if (*case, argument, kind) in admitted:
                    continue
                problem = _fault(argument, function, {**copied(call), argument: value}, refused)
                if problem:
                    found.append(f"{argument} with {kind}: {problem}")
    return found


def spoiled(argument: str, valid: Any) -> Iterator[tuple[str, Any, bool]]:
    """The kinds of bad values that such an argument can have, each with the value, and whether it must be refused."""
    if argument == "seeds":
        yield "no axis", np.array(3), True
        yield "a masked seed", np.ma.masked_array([0, 1], [False, True]), True
    if isinstance(valid, int) and not isinstance(valid, bool):
        yield "NumPy's kind of integer", np.int64(valid), False
        yield "a time", np.timedelta64(valid), True
        yield "an integer beyond int64", np.uint64(2**63), False
    if holds_numbers(valid):
        yield "one masked entry", replaced(valid, _masked), True
        for kinds, refused in ((NEVER, True), (SOMETIMES, False)):
            for kind, entry in kinds.items():
                yield f"one entry {kind}", replaced(valid, lambda array, entry=entry: _with(array, entry)), refused
        if holds_counts(valid):
            yield "one entry beyond int64", replaced(valid, lambda array: _with(array.astype(np.uint64), 2**63)), False
        graph = replaced(valid, lambda array: torch.tensor(array, dtype=torch.float64).requires_grad_())
        yield "a gradient", graph, False
        for kind, other in reshaped(valid):
            yield kind, other, False


def reshaped(valid: Any) -> Iterator[tuple[str, Any]]:
    """The same numbers in a shape that the other arguments may not fit, or that is none: a function must say so."""
    yield "one row less", replaced(valid, lambda array: array[:-1])
    yield "no row", replaced(valid, lambda array: array[:0])
    yield "one axis more", replaced(valid, lambda array: array[None])
    yield "one axis less", replaced(valid, lambda array: array[0])
    yield "one column less", replaced(valid, lambda array: array[..., :-1] if array.ndim > 1 else array)
    if isinstance(valid, list) and isinstance(valid[0], np.ndarray | list):
        yield "one part less", valid[:-1]


def holds_numbers(valid: Any) -> bool:
    """An array of more than one number, a regular list of them, or a list of such arrays."""
    if isinstance(valid, np.ndarray):
        return valid.size > 1 and valid.dtype.kind in "iuf"
    if not isinstance(valid, list | tuple) or not valid:
        return False
    if all(isinstance(part, int | float) and not isinstance(part, bool) for part in valid):
        return len(valid) > 1
    return all(holds_numbers(part) for part in valid)


def holds_counts(valid: Any) -> bool:
    """All numbers are integers."""
    return all(np.asarray(part).dtype.kind in "iu" for part in _arrays(valid))


def replaced(valid: Any, change: Callable[[np.ndarray], Any]) -> Any:
    """The last array in it changed; of a list of lists, all of it as one array."""
    if isinstance(valid, list | tuple) and (any(isinstance(part, np.ndarray) for part in valid) or _is_ragged(valid)):
        made = getattr(valid, "_make", type(valid))
        return made([*valid[:-1], replaced(valid[-1], change)])
    return change(np.array(valid))


def _is_ragged(valid: list | tuple) -> bool:
    try:
        np.array(valid)
    except ValueError:
        return True
    return any(isinstance(part, tuple) for part in valid)


def _arrays(valid: Any) -> Iterator[Any]:
    if isinstance(valid, list | tuple) and any(isinstance(part, np.ndarray | list | tuple) for part in valid):
        for part in valid:
            yield from _arrays(part)
    else:
        yield valid


def _with(array: np.ndarray, entry: float) -> np.ndarray:
    changed = array.astype(float) if isinstance(entry, float) else array.copy()
    changed.flat[-1] = entry
    return changed


def _masked(array: np.ndarray) -> np.ma.MaskedArray:
    mask = np.zeros(array.shape, dtype=bool)
    mask.flat[-1] = True
    return np.ma.masked_array(array, mask)


def _fault(argument: str, function: Callable[..., Any], call: dict[str, Any], refused: bool) -> str | None:
    try:
        result = function(**call)
    except (TypeError, ValueError) as error:
        # Whether a size is wrong is seen only with the others: they may be named instead.
        blamed = [argument] if refused else list(call)
        return None if names(str(error), blamed) else f"{type(error).__name__}: {error}"
    except ModuleNotFoundError as error:
        return None if "Install it with" in str(error) else f"ModuleNotFoundError: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if refused:
        return "accepted"
    return None if is_finite(result) else "a result that is not finite"
