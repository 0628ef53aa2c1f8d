"""Counts what a training loop would ask of a device: launches, and what makes the host wait for it.

There is no device here. The library takes the path of one, on tensors of the host, and every operation that it asks
torch for is counted. A view is no launch.
"""

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from mtlbook_lib.simulation.engine import runtime

# Their results have a shape, or are a number, that the host has to know.
_WAITING = {
    "_local_scalar_dense",
    "allclose",
    "_linalg_check_errors",
    "nonzero",
    "masked_select",
    "equal",
    "is_nonzero",
    "unique",
    "_unique2",
}
_FREE = {"empty", "empty_like", "new_empty", "empty_strided", "new_empty_strided", "detach", "alias", "lift_fresh",
         "_unsafe_view", "_reshape_alias"}  # fmt: skip
_UPLOADS = {torch.from_numpy, torch.tensor, torch.as_tensor}  # of what is no tensor yet


@dataclass
class Counts:
    """How often a loop launched something, made the host wait, or copied between both."""

    launches: Counter = field(default_factory=Counter)
    waits: Counter = field(default_factory=Counter)

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(self.launches - other.launches, self.waits - other.waits)

    def of(self, steps: int) -> tuple[float, float]:
        """Launches a step, and waits in 1,000 of them."""
        return self.launches.total() / steps, 1000 * self.waits.total() / steps


class _Operations(TorchDispatchMode):
    def __init__(self, counts: Counts):
        super().__init__()
        self.counts = counts

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = func.overloadpacket.__name__
        by_mask = name in ("index", "index_put", "index_put_", "_index_put_impl_") and any(
            part is not None and part.dtype == torch.bool for part in args[1]
        )
        if name in _WAITING or by_mask:
            self.counts.waits[f"{name} by a mask" if by_mask else name] += 1
        if name not in _FREE and not func.is_view:
            self.counts.launches[name] += 1
        return func(*args, **(kwargs or {}))


class _Copies(TorchFunctionMode):
    def __init__(self, counts: Counts):
        super().__init__()
        self.counts = counts

    def __torch_function__(self, func, types, args=(), kwargs=None):
        uploads = func in _UPLOADS and not isinstance(args[0], torch.Tensor)
        if uploads or func in (torch.Tensor.cpu, torch.Tensor.tolist):
            self.counts.waits[func.__name__] += 1
        return func(*args, **(kwargs or {}))


@contextmanager
def watched(counts):
    """What happens inside is counted."""
    with _Copies(counts), _Operations(counts):
        yield


@contextmanager
def counted(monkeypatch):
    """What happens inside, on the path of a device."""
    counts = Counts()
    with monkeypatch.context() as patch:
        patch.setattr(runtime, "_HOSTS", ())
        with watched(counts):
            yield counts
