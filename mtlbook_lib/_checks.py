"""Argument checks shared by every part of the library.

Each check returns the argument in the form the caller works with, or raises an error whose message names the argument,
says what it may be and what it was.
"""

import math
import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
FloatOrArray = float | Array  # numbers in, a float out; arrays in, an array out
Kind = TypeVar("Kind")

_LARGEST_COUNT = 2**53  # beyond, float64 does not hold every integer
LAYERS = 10**4  # of what is an object of its own, such as a layer or a head
MANY = 10**7  # of what is done or allotted one by one: a hundred times as many would run for days, or fill a machine
_SCALES = (1e-50, 1e50)  # products and ratios of six such numbers stay within float64
WIDE = 1e120  # squares of such numbers do
_MOST_AXES = 32  # that NumPy can broadcast
_ROUNDING = 2.0**-48  # sixteen last digits: as far apart are results that would be equal without rounding


def real_array(name: str, value: ArrayLike, ndim: int | None = None) -> Array:
    """`value` as a float64 array of finite numbers (with `ndim` axes, where given)."""
    if isinstance(value, float) and ndim is None and math.isfinite(value):
        return np.array(value)  # what most calls pass: no more checks are needed
    array = reals(name, value)
    if not math.isfinite(largest(array)):
        raise ValueError(f"{name} must be finite; got {short(value)}. Remove the NaN or infinite entries.")
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} axes; got shape {array.shape}.")
    return array


def reals(name: str, value: ArrayLike) -> Array:
    """`value` as a float64 array of real numbers, which need not be finite."""
    raw = as_given(name, value)
    if raw.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be real numbers; got {short(value)}. Pass a float or an array of floats.")
    return raw.astype(np.float64) if raw.dtype.itemsize <= 8 else _narrowed(raw)


def largest(array: NDArray[Any]) -> float:
    """The largest size of an entry, NaN if one is NaN; found without an array of sizes, which takes longer."""
    return float(max(-array.min(), array.max())) if array.size else 0.0


def as_given(name: str, value: Any) -> NDArray[Any]:
    """`value` as an array of whatever it holds; what NumPy would read in another way than it is meant is refused."""
    if _has_masked(value):
        raise ValueError(f"{name} must have no masked entries; got {short(value)}. Fill them in or leave them out.")
    if isinstance(value, bytearray):
        raise TypeError(f"{name} must be numbers, not bytes; got {short(value)}.")
    try:
        array = np.asarray(value)
    except ValueError:  # numpy's own message speaks of a sequence and names no argument
        raise ValueError(f"{name} must have rows of equal length; got {short(value)}.") from None
    except MemoryError:
        raise ValueError(f"{name} must fit in memory; got {short(value)}. Ask for fewer numbers.") from None
    except (RuntimeError, TypeError) as error:  # torch's, of tensors on a device or in an autograd graph
        told = f"{name} must be an array; got {short(value)}, of which none is made ({error})."
        raise TypeError(f"{told} Pass tensor.detach().cpu().numpy().") from None
    if array.ndim > _MOST_AXES:
        raise ValueError(f"{name} must have at most {_MOST_AXES} axes; got {array.ndim}.")
    return array


def _has_masked(value: Any) -> bool:
    """Whether an entry says of itself that it is none; NumPy would take what lies under the mask, or 0."""
    if isinstance(value, (list, tuple)):
        plain = {int, float, bool, str}
        return not set(map(type, value)) <= plain and any(map(_has_masked, value))
    return isinstance(value, np.ma.MaskedArray) and bool(np.ma.getmaskarray(value).any())


def _narrowed(wide: NDArray[Any]) -> Array:
    with np.errstate(over="ignore"):  # what is too large for float64 becomes infinite, which the caller refuses
        return wide.astype(np.float64)


def positive(name: str, value: ArrayLike) -> Array:
    """`value` as an array whose entries are all > 0."""
    array = real_array(name, value)
    if (array <= 0).any():
        raise ValueError(f"{name} must be greater than 0; got {short(value)}.")
    return array


def nonnegative(name: str, value: ArrayLike) -> Array:
    """`value` as an array whose entries are all >= 0."""
    array = real_array(name, value)
    if (array < 0).any():
        raise ValueError(f"{name} must be 0 or greater; got {short(value)}.")
    return array


def increasing(
    name: str, value: ArrayLike, check: Callable[[str, ArrayLike], NDArray[Any]] = real_array
) -> NDArray[Any]:
    """`value` as a list of at least one number that passes `check`, each greater than the one before."""
    array = check(name, value)
    if array.ndim != 1 or array.size == 0 or np.any(np.diff(array) <= 0):
        raise ValueError(f"{name} must be an increasing list of at least one number; got {short(value)}.")
    return array


def in_scale(name: str, value: ArrayLike) -> Array:
    """`value` as an array of positive numbers whose products, powers and ratios float64 holds."""
    positive(name, value)
    return within(name, value, *_SCALES)


def bounded(
    name: str,
    value: ArrayLike,
    check: Callable[[str, ArrayLike], Array] = real_array,
    ndim: int | None = None,
    most: float = _SCALES[1],
) -> Array:
    """`value` as an array that passes `check` (with `ndim` axes) and whose products and powers do not overflow.

    Those of a matrix do not all vanish. `most` is `WIDE` where a function takes the scale out before it multiplies.
    """
    array = check(name, value)
    if ndim is not None and array.ndim != ndim:
        real_array(name, array, ndim)  # says so
    size = largest(array)
    if size > most:
        raise ValueError(f"{name} must be at most {most:g} in size; got {short(value)}. Choose other units.")
    if most < WIDE and array.ndim > 1 and 0 < size < 1 / WIDE:  # all its squares are zero
        got = f"got {short(value)}. Choose other units"
        raise ValueError(f"{name} must be zero or at least {1 / WIDE:g} in size; {got}.")
    return array


def varies(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether numbers differ along the first axis by more than rounding makes them, measured by the largest of them."""
    low, high = values.min(axis=0), values.max(axis=0)
    return np.asarray(high - low > _ROUNDING * np.maximum(high, -low))


def within(name: str, value: ArrayLike, lower: float, upper: float) -> Array:
    """`value` as an array whose entries all lie in the closed interval [lower, upper]."""
    array = real_array(name, value)
    if (array < lower).any() or (array > upper).any():
        raise ValueError(f"{name} must lie in [{lower:g}, {upper:g}]; got {short(value)}.")
    return array


def broadcast(**arrays: Array) -> tuple[Array, ...]:
    """The arrays, given by the names of the arguments, brought to their common shape."""
    if len({array.shape for array in arrays.values()}) == 1:
        return tuple(arrays.values())
    try:
        return tuple(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays.values())
        raise ValueError(f"{', '.join(arrays)} must have shapes that broadcast; got {shapes}.") from None


def scalar(name: str, value: Any, check: Callable[[str, ArrayLike], Array] = real_array) -> float:
    """`value` as one Python float that passes `check`."""
    array = check(name, value)
    if array.ndim != 0:
        raise TypeError(f"{name} must be a single number; got an array of shape {array.shape}.")
    return array.item()


def share(name: str, value: Any) -> float:
    """`value` as one number above 0 and at most 1."""
    scalar(name, value, positive)
    return scalar(name, value, lambda name, value: within(name, value, 0.0, 1.0))


def similarity_gram(q: ArrayLike, rank_a: int, rank_b: int) -> Array:
    """Gram matrices [[I, Q], [Q', I]], shape (setting, K, K), of two tasks' modes, from their similarity `q`.

    A number, or one per setting, stands for that multiple of the (rectangular) identity.
    """
    similarity = real_array("q", q)
    if similarity.ndim < 2:
        similarity = similarity.reshape(-1, 1, 1) * np.eye(rank_a, rank_b)
    elif similarity.ndim > 3 or similarity.shape[-2:] != (rank_a, rank_b):
        raise ValueError(f"q must be numbers, or matrices of shape ({rank_a}, {rank_b}); got shape {similarity.shape}.")
    similarity = similarity.reshape(-1, rank_a, rank_b)
    gram = np.tile(np.eye(rank_a + rank_b), (len(similarity), 1, 1))
    gram[:, :rank_a, rank_a:] = similarity
    gram[:, rank_a:, :rank_a] = similarity.swapaxes(-1, -2)
    return gram


def whole(name: str, value: Any, minimum: int = 1) -> int:
    """`value` as a Python int that only stands in a formula, or a seed: up to what float64 counts exactly."""
    return count(name, value, minimum, _LARGEST_COUNT)


def count(name: str, value: Any, minimum: int = 1, maximum: int = MANY) -> int:
    """`value` as a Python int from `minimum` to `maximum`: how often something is done, or how much is allotted."""
    if not is_integer(value):
        raise TypeError(f"{name} must be an integer; got {short(value)}.")
    number = int(value)
    if number < minimum:
        raise ValueError(f"{name} must be at least {minimum}; got {short(number)}.")
    if number > maximum:
        most = "2**53" if maximum == _LARGEST_COUNT else maximum
        got = number if number <= _LARGEST_COUNT else f"an integer of {number.bit_length()} bits"
        raise ValueError(f"{name} must be at most {most}; got {got}.")
    return number


def place(name: str, value: Any, n: int, of: str) -> int:
    """`value` as the place of one of `n` things, from 0."""
    at = whole(name, value, 0)
    if at >= n:
        raise ValueError(f"{name} must be the place of a {of}, 0 to {n - 1}; got {short(value)}.")
    return at


def counts(name: str, value: ArrayLike, minimum: int = 1) -> NDArray[np.int64]:
    """`value`, an integer or an array of integers, as an array whose entries are at least `minimum`."""
    raw = as_given(name, value)
    if raw.dtype.kind not in "iu":
        raise TypeError(f"{name} must be an integer or an array of integers; got {short(value)}.")
    if np.any(raw < minimum):
        raise ValueError(f"{name} must be at least {minimum}; got {short(value)}.")
    if np.any(raw > _LARGEST_COUNT):
        raise ValueError(f"{name} must be at most 2**53; got {short(value)}.")
    return raw.astype(np.int64)


def is_integer(value: Any) -> bool:
    """Whether this is one integer; NumPy registers spans of time as such, which they are not."""
    return isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.timedelta64))


def member(name: str, value: Any, options: Sequence[Any], of: str = "") -> int:
    """The place of `value` among `options`; what cannot be looked up is none of them."""
    try:
        return {option: at for at, option in enumerate(options)}[value]
    except (KeyError, TypeError):
        told = f"{name} must be one of {of}{', '.join(map(repr, options))}; got {short(value)}."
        raise ValueError(told) from None


def one_of(name: str, value: Any, options: tuple[str, ...]) -> str:
    """`value`, if it is one of the named `options`."""
    if not isinstance(value, str) or value not in options:
        error = ValueError if isinstance(value, str) else TypeError
        raise error(f"{name} must be one of {', '.join(map(repr, options))}; got {short(value)}.")
    return str(value)


def function(name: str, value: Any) -> Callable[..., Any]:
    """`value`, if it can be called."""
    if not callable(value):
        raise TypeError(f"{name} must be a function; got {short(value)}.")
    checked: Callable[..., Any] = value
    return checked


def watched(name: str, value: Any, items: Iterable[Kind]) -> Iterable[Kind]:
    """`items` inside a progress bar of the caller's, which has to hand them on."""
    found = function(name, value)(items)
    if not isinstance(found, Iterable) or isinstance(found, str):
        raise TypeError(f"{name} must return something to iterate over, as tqdm does; got {short(found)}.")
    return found


def text(name: str, value: Any) -> str:
    """`value`, if it is text that a file can hold."""
    given = instance(name, value, str)
    try:
        given.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} must be text that UTF-8 can write; got {short(value)}.") from None
    return given


def sequence(name: str, value: Any) -> list[Any]:
    """The entries of `value`: of a list, of a tuple, or of an array along its first axis."""
    if not isinstance(value, (list, tuple)) and not (isinstance(value, np.ndarray) and value.ndim):
        raise TypeError(f"{name} must be a sequence, with one entry for each; got {short(value)}.")
    return list(value)


def entries(name: str, value: Any) -> list[Any]:
    """Entries of `value` as a list; text is one, not a row of letters, and an array without axes is one number."""
    if isinstance(value, str) or not isinstance(value, Iterable) or getattr(value, "ndim", 1) == 0:
        raise TypeError(f"{name} must be something to iterate over, such as a list; got {short(value)}.")
    if isinstance(value, Sized) and len(value) > MANY:
        raise ValueError(f"{name} must have at most {MANY} entries; got {short(value)}.")
    return list(value)


def texts(name: str, value: Any) -> list[str]:
    """`value`, a list of texts or of what else iterates over them, as a list."""
    found = entries(name, value)
    if not all(isinstance(text, str) for text in found):
        raise TypeError(f"{name} must hold texts; got {short(value)}.")
    return found


def flag(name: str, value: Any) -> bool:
    """`value` as a Python bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False; got {short(value)}.")
    return bool(value)


def instance(name: str, value: Any, kind: type[Kind]) -> Kind:
    """`value`, if it is of the given type."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}; got {short(value)}.")
    return value


def mapping(name: str, value: Any) -> dict[Any, Any]:
    """The entries of `value`, if it is a mapping such as a dict."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a mapping, such as a dict; got {short(value)}.")
    return dict(value)


def generator(name: str, value: Any) -> np.random.Generator:
    """`value`, if it is a numpy.random.Generator."""
    if not isinstance(value, np.random.Generator):
        raise TypeError(f"{name} must be a numpy.random.Generator (default_rng(seed)); got {short(value)}.")
    return value


def like_input(result: Array | np.float64) -> FloatOrArray:
    """A Python float for a 0-d result, the array itself otherwise (scalars in, scalars out)."""
    return float(result) if np.ndim(result) == 0 else np.asarray(result)


def short(value: Any) -> str:
    """`value` as a message shows it: in a line, whatever it is."""
    try:
        text = repr(value)
    except ValueError:  # Python does not write out integers of thousands of digits
        text = "an integer too long to show"
    except Exception:  # of an object that cannot be written out
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."
