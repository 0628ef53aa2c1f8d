"""Surroundings that the workers of a sweep must share with its caller, and the results that come back."""

import os
import pickle
import platform
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from numpy.typing import NDArray

from mtlbook_lib import _checks
from mtlbook_lib._random import other_seeds
from mtlbook_lib.chapters import keys

PACKAGES = ("numpy", "scipy", "torch")  # other versions of these may give other last digits
# Not the device: a worker may have a GPU where the caller has none.
VARIABLES = {"MTLBOOK_DTYPE": "float64", "MTLBOOK_PROFILE": "paper"}
SETTING = "setting of the sweep"  # name of the entry of a file that says what it is the result of
Result = dict[str, NDArray[Any]]


def surroundings() -> dict[str, str]:
    """Versions, precision, profile and seeds: what a result depends on besides its setting and its function."""
    variables = {name: os.environ.get(name) or default for name, default in VARIABLES.items()}
    return {**_versions(), **variables, "MTLBOOK_SEEDS": str(other_seeds())}


@lru_cache(maxsize=64)
def code_of(function: Callable[..., Any]) -> dict[str, str]:
    """The code of a function as it lies on the disk at the first call."""
    return keys.code(function)


@cache
def _versions() -> dict[str, str]:
    versions = {"Python": ".".join(platform.python_version_tuple()[:2])}
    for name in PACKAGES:
        try:
            versions[name] = version(name).partition("+")[0]  # builds for a CPU and for a GPU have one version
        except PackageNotFoundError:
            versions[name] = "not installed"
    return versions


def call(function: Callable[..., Mapping[str, Any]], setting: Mapping[str, Any], here: Mapping[str, str]) -> Result:
    """On a worker: the function's result, if the worker's surroundings and code are those of the caller.

    The setting is one argument, since an executor may have keyword arguments of its own. What comes back are arrays, or
    an error that can be sent: an executor may wait for ever for what cannot.
    If they are not, a RuntimeError names what differs, and on which machine.
    """
    there = surroundings() | code_of(function)
    for name, value in here.items():
        if there.get(name) != value:
            raise RuntimeError(
                f"the worker on {platform.node()} has {name} = {there.get(name, 'not there')}, the caller {value}: "
                "results would differ. Start the workers with the same library, versions and variables as the caller."
            )
    try:
        return computed(function, setting)
    except Exception as error:
        if _can_be_sent(error):
            raise
        failure = RuntimeError(f"{type(error).__name__}: {error}")
    raise failure  # out here, where the error does not go with it as its context


def computed(function: Callable[..., Mapping[str, Any]], setting: Mapping[str, Any]) -> Result:
    """The arrays that a function returns for a setting; a TypeError if it returns something else."""
    result = function(**setting)
    if not isinstance(result, Mapping):
        raise TypeError(f"function must return a dict of arrays; got {type(result).__name__} for {dict(setting)!r}.")
    arrays = {name: _checks.as_given(f"what function returns as {name!r}", value) for name, value in result.items()}
    wrong = [name for name, array in arrays.items() if not isinstance(name, str) or array.dtype.kind not in "biuf"]
    if wrong or SETTING in arrays:
        raise TypeError(f"function must return arrays of numbers; {[*wrong, SETTING][0]!r} is none of them.")
    return arrays


def _can_be_sent(error: Exception) -> bool:
    try:
        return type(pickle.loads(pickle.dumps(error))) is type(error)
    except Exception:  # whatever its class raises
        return False
