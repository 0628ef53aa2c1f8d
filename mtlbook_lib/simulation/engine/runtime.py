"""Where simulations run, in which precision, and at which size.

Three environment variables decide: ``MTLBOOK_DEVICE`` (auto, cpu, cuda, one card such as cuda:1, or mps, a Mac's),
``MTLBOOK_DTYPE`` (float64 or float32, which is all that mps has) and ``MTLBOOK_PROFILE`` (quick, paper or large). They
are read at each call.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike

from mtlbook_lib._checks import as_given, instance, one_of

_HOSTS = ("cpu",)
_AHEAD = 16  # steps on a device between two looks of the host, at most


def device() -> torch.device:
    """The device of all simulation tensors: that of ``MTLBOOK_DEVICE``, by default the GPU if torch finds one.

    Raises
    ------
    RuntimeError
        If torch finds no such device.
    """
    wanted = os.environ.get("MTLBOOK_DEVICE", "")
    card = wanted.removeprefix("cuda:")
    if card == wanted or not card.isdecimal():
        wanted, card = _variable("MTLBOOK_DEVICE", ("auto", "cpu", "cuda", "mps")), "0"
    kind = "an MPS" if wanted == "mps" else "a CUDA"
    has_card = torch.cuda.is_available() and (card == "0" or int(card) < torch.cuda.device_count())
    found = torch.backends.mps.is_available() if wanted == "mps" else has_card
    if wanted not in ("auto", "cpu") and not found:
        remedy = f"Set MTLBOOK_DEVICE=cpu, or install {kind} build of torch and its driver"
        raise RuntimeError(f"MTLBOOK_DEVICE is {wanted}, but torch {torch.__version__} finds no such device. {remedy}.")
    return torch.device(wanted if wanted != "auto" else "cuda" if found else "cpu")


def on_host(place: torch.Tensor | torch.device) -> bool:
    """Whether NumPy can multiply there, and a look at a number waits for nobody."""
    return (place.device if isinstance(place, torch.Tensor) else place).type in _HOSTS


def looks_apart(place: torch.Tensor | torch.device) -> int:
    """Steps between two looks of the host at who is done, at most: a device that is asked has to be waited for."""
    return 1 if on_host(place) else _AHEAD


def stretches(most: int) -> Iterator[int]:
    """Steps until the next look, without end: 1, 2, 4 and so on, so that what is soon done takes few steps too many."""
    ahead = 1
    while True:
        yield ahead
        ahead = min(2 * ahead, most)


def put(kept: torch.Tensor, runs: torch.Tensor, values: torch.Tensor, mask: torch.Tensor) -> None:
    """`values` (run, ...) in the place of those runs that a mask (run,) lets through; nobody asks how many they are."""
    several = mask.view(-1, *(1,) * (values.ndim - 1))
    kept[runs] = torch.where(several, values, kept[runs])


def dtype() -> torch.dtype:
    """The floating-point type of all simulation tensors: that of ``MTLBOOK_DTYPE``, by default the finest there is."""
    options = ("float64", "float32")[os.environ.get("MTLBOOK_DEVICE") == "mps" :]
    return {"float64": torch.float64, "float32": torch.float32}[_variable("MTLBOOK_DTYPE", options)]


def finest(place: torch.device) -> torch.dtype:
    """Double precision, where a device has it."""
    return torch.float32 if place.type == "mps" else torch.float64


def profile() -> str:
    """How large the simulations of the chapters are: that of ``MTLBOOK_PROFILE``, by default paper.

    ``quick`` is for authors, ``paper`` has the sizes of the papers, ``large`` is for a GPU or a cluster.
    """
    return _variable("MTLBOOK_PROFILE", ("paper", "quick", "large"))


def to_tensor(values: ArrayLike | torch.Tensor, precision: torch.dtype | None = None) -> torch.Tensor:
    """`values` on the chosen device; real numbers in `precision`, by default the chosen one, others as they are.

    A tensor that is already there is returned as it is, an array is copied.
    """
    wanted = dtype() if precision is None else instance("precision", precision, torch.dtype)
    if not isinstance(values, torch.Tensor):
        array = as_given("values", values)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"values must be real numbers; got an array of {array.dtype}.")
        # A copy, because arrays of the data part are read-only views, which torch cannot represent.
        values = torch.from_numpy(np.array(array, _known(array.dtype), order="C"))
    elif strided("values", values).is_complex():
        raise TypeError(f"values must be real numbers; got a tensor of {values.dtype}.")
    where = device()
    wanted = finest(where) if wanted == torch.float64 else wanted
    return values.to(device=where, dtype=wanted if values.is_floating_point() else None)


def strided(name: str, tensor: torch.Tensor) -> torch.Tensor:
    """`tensor`, if its entries lie in memory one by one."""
    if tensor.layout != torch.strided or tensor.is_meta:
        what = "without values (on meta)" if tensor.is_meta else f"of layout {tensor.layout}"
        raise TypeError(f"{name} must be a dense tensor; got one {what}. Pass tensor.to_dense().")
    return tensor


def _known(kind: np.dtype[Any]) -> np.dtype[Any]:
    """The type that torch has too: of this machine's byte order, without another name, and of 64 bits at most."""
    if kind.kind == "f" and kind.itemsize > 8:
        return np.dtype(np.float64)
    return np.dtype(f"{kind.kind}{kind.itemsize}") if kind.kind != "b" else kind


def to_numpy(tensor: torch.Tensor) -> Any:
    """A copy of `tensor` as an array on the CPU, without gradient; real numbers in float64, others as they are.

    A copy, so that a result does not change when the simulation goes on to update its tensors in place.
    """
    here = instance("tensor", tensor, torch.Tensor).detach().cpu()
    return np.array((here.double() if here.is_floating_point() else here).numpy())


def _variable(name: str, options: tuple[str, ...]) -> str:
    """The value of an environment variable; the first of its options if it is unset or empty."""
    return one_of(name, os.environ.get(name) or options[0], options)
