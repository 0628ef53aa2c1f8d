"""The training loop that all methods share: minibatches, Adam or plain descent, and early stopping."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.optim import SGD, Adam, Optimizer

from mtlbook_lib._checks import Array, count, function, nonnegative, one_of, positive, scalar, short, within
from mtlbook_lib._parameters import Parameters

Report = Callable[[int, int, float], object]
_DTYPES = {"float32": torch.float32, "float64": torch.float64}
_STREAM = RLock()  # torch has one stream for all threads, and a user's modules draw from no other


class Training(Parameters):
    """How a network is trained.

    Parameters
    ----------
    optimizer : str
        ``"adam"``, or ``"sgd"`` for plain descent; with `batch_size` None that is gradient descent.
    rate : float
        Learning rate, > 0.
    epochs : int
        Most passes over the data.
    batch_size : int or None
        Rows of a step, drawn without replacement; None for all rows in each step.
    decay : float
        Factor of the squared norm of all parameters in the optimizer's gradient, >= 0.
    validation : float
        Share of the rows of each task held out for early stopping, 0 to 0.9; 0 trains for all epochs.
    patience : int
        Epochs without a lower held-out loss after which training stops. The parameters of the best epoch are kept; the
        start counts as one.
    progress : callable, optional
        Called after each epoch with its number, the number of epochs, and the held-out loss (of training, if no rows
        are held out).
    device : str, optional
        As torch names it. By default that of the book's simulations, ``MTLBOOK_DEVICE``.
    dtype : str, optional
        ``"float32"`` or ``"float64"``. By default that of the book's simulations, ``MTLBOOK_DTYPE``, and
        of an encoder that a user makes its own, unless that is float16.
    """

    def __init__(
        self,
        optimizer: str = "adam",
        rate: float = 1e-2,
        epochs: int = 200,
        batch_size: int | None = 64,
        decay: float = 0.0,
        validation: float = 0.2,
        patience: int = 20,
        progress: Report | None = None,
        device: str | None = None,
        dtype: str | None = None,
    ) -> None:
        self.optimizer = optimizer
        self.rate = rate
        self.epochs = epochs
        self.batch_size = batch_size
        self.decay = decay
        self.validation = validation
        self.patience = patience
        self.progress = progress
        self.device = device
        self.dtype = dtype

    def check(self) -> Training:
        """Itself, if every setting is in its range."""
        one_of("optimizer", self.optimizer, ("adam", "sgd"))
        scalar("rate", self.rate, positive)
        count("epochs", self.epochs)
        if self.batch_size is not None:
            count("batch_size", self.batch_size)
        scalar("decay", self.decay, nonnegative)
        scalar("validation", self.validation, lambda name, value: within(name, value, 0.0, 0.9))
        count("patience", self.patience)
        if self.progress is not None:
            function("progress", self.progress)
        if self.dtype is not None:
            one_of("dtype", self.dtype, tuple(_DTYPES))
        if self.device is not None:
            _device(self.device)
        return self

    def place(self) -> tuple[torch.device, torch.dtype]:
        """Device and precision of all tensors."""
        from mtlbook_lib.simulation.engine import device, dtype

        where = device() if self.device is None else _device(self.device)
        return where, dtype() if self.dtype is None else _DTYPES[self.dtype]

    @contextmanager
    def random_state(self, seed: int) -> Iterator[None]:
        """Torch's own stream, from which layers are drawn and dropout draws, set by the seed and put back afterwards.

        On the device of the training alone: the streams of other cards are neither read nor set. Other threads that
        ask for it wait, so that what is drawn is what would be drawn without them.
        """
        where, _ = self.place()
        cards = [torch.cuda.current_device() if where.index is None else where.index] if where.type == "cuda" else []
        with _STREAM, torch.random.fork_rng(devices=cards):
            torch.default_generator.manual_seed(seed)
            for card in cards:
                torch.cuda.default_generators[card].manual_seed(seed)
            yield

    def make_optimizer(self, decayed: Iterable[nn.Parameter], free: Iterable[nn.Parameter] = ()) -> Optimizer:
        """Of the kind and rate that were asked for; `free` parameters do not decay."""
        kind = Adam if self.optimizer == "adam" else SGD
        decays = (decayed, float(self.decay)), (free, 0.0)
        groups = [{"params": list(parameters), "weight_decay": decay} for parameters, decay in decays]
        return kind([group for group in groups if group["params"]], lr=float(self.rate))


def _device(name: Any) -> torch.device:
    """A device that torch finds on this machine."""
    if not isinstance(name, str | torch.device):
        raise TypeError(f"device must be a name such as 'cpu' or 'cuda', or None; got {short(name)}.")
    try:
        return torch.empty(0, device=name).device
    except (RuntimeError, AssertionError, NotImplementedError) as error:  # of no such kind, or none of it here
        raise ValueError(f"device must be one that torch finds here; got {short(name)} ({error!s:.60}).") from None


def make_training(training: Training | None) -> Training:
    """The settings, checked; the default ones for None."""
    if training is not None and not isinstance(training, Training):
        raise TypeError(f"training must be a Training; got {short(training)}.")
    return (Training() if training is None else training).check()


@dataclass
class History:
    """Losses, an entry an epoch, and the best epoch.

    In training the mean over the tasks; held out, and there before the first epoch too, what is minimised: their sum,
    each times its weight, or that of their logarithms where weights are learned.
    """

    training: list[float] = field(default_factory=list)
    held_out: list[float] = field(default_factory=list)
    best_epoch: int = 0


def descend(
    module: nn.Module,
    step: Callable[[torch.Tensor], torch.Tensor],
    held_out_loss: Callable[[], float] | None,
    n_rows: int,
    training: Training,
    seed: int,
) -> History:
    """Take `step` on the rows of batch after batch, and keep the parameters of the epoch with the least held-out loss.

    Rows are numbers 0 to `n_rows` - 1, on the device of the training; `step` returns the loss of its batch. A device is
    waited for at the end of an epoch only, for its losses.
    """
    history, rng = History(), np.random.default_rng([seed, 2])
    least = 2 if any(isinstance(part, nn.BatchNorm1d) for part in module.modules()) else 1
    best, kept = np.inf, copy.deepcopy(module.state_dict())
    if held_out_loss is not None:
        best = held_out_loss()
        history.held_out.append(best)
    for epoch in range(1, training.epochs + 1):
        batches = _batches(n_rows, training.batch_size, rng, least, training.place()[0])
        losses = [step(batch).detach() for batch in batches]
        history.training.append(_finite(float(torch.stack(losses).mean()), epoch, training.rate))
        if held_out_loss is not None:
            history.held_out.append(_finite(held_out_loss(), epoch, training.rate))
            if history.held_out[-1] < best:
                best, kept, history.best_epoch = history.held_out[-1], copy.deepcopy(module.state_dict()), epoch
        if training.progress is not None:
            training.progress(epoch, training.epochs, (history.held_out or history.training)[-1])
        if held_out_loss is not None and epoch - history.best_epoch >= training.patience:
            break
    if held_out_loss is None:
        history.best_epoch = training.epochs
    else:
        module.load_state_dict(kept)
    return history


def _batches(
    n_rows: int, size: int | None, rng: np.random.Generator, least: int, device: torch.device
) -> Sequence[torch.Tensor]:
    """All rows in a new order; a rest of fewer than `least` joins the batch before, as one row has no variance."""
    if min(n_rows, size or n_rows) < least:
        raise ValueError(f"batch_size must be at least {least}, of as many rows, for a BatchNorm1d; got {size!r}.")
    if size is None or size >= n_rows:
        return [torch.arange(n_rows, device=device)]
    order = torch.from_numpy(rng.permutation(n_rows)).to(device)
    return torch.tensor_split(order, list(range(size, n_rows - least + 1, size)))


def _finite(loss: float, epoch: int, rate: float) -> float:
    if not np.isfinite(loss):
        raise RuntimeError(f"the loss is {loss} in epoch {epoch}: training diverges. Lower the rate ({rate:g}).")
    return loss


def to_array(tensor: torch.Tensor) -> Array:
    """On the CPU, in float64."""
    return tensor.detach().cpu().numpy().astype(np.float64)
