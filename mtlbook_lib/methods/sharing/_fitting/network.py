"""One encoder that all tasks share, a head for each, and the data as tensors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from mtlbook_lib._checks import count, function, short
from mtlbook_lib.methods.sharing._fitting.loop import Training
from mtlbook_lib.methods.sharing._fitting.targets import Target, encoded
from mtlbook_lib.methods.sharing._fitting.tasks import Tasks

Encoder = int | Callable[[], nn.Module]
Head = Callable[[int, int], nn.Module]
_CHUNK = 1024  # rows that pass through a network at once when nothing is learned


class Network(nn.Module):
    """Outputs of every task, from features of one encoder."""

    def __init__(self, encoder: nn.Module, heads: Sequence[nn.Module]) -> None:
        super().__init__()
        self.encoder = encoder
        self.heads = nn.ModuleList(heads)

    def features(self, x: torch.Tensor) -> torch.Tensor:
        """Of the shared encoder, shape (n, r)."""
        outputs: torch.Tensor = self.encoder(x)
        return outputs

    def outputs(self, features: torch.Tensor) -> list[torch.Tensor]:
        """Of each head, shapes (n, outputs of the task)."""
        return [head(features) for head in self.heads]

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        return self.outputs(self.features(x))


def check_encoder(encoder: Encoder) -> Encoder:
    """A number of linear features, or a function that makes a module."""
    if isinstance(encoder, nn.Module):
        raise TypeError("encoder must be a function that makes a module, so that every fit starts anew; got a module. "
                        "Pass functools.partial(copy.deepcopy, module) to start from this one.")  # fmt: skip
    return encoder if callable(encoder) else count("encoder", encoder)


def check_head(head: Head | None) -> Head | None:
    """A function of the numbers of features and outputs that makes a module, or None."""
    if isinstance(head, nn.Module):
        raise TypeError("head must be a function of the numbers of features and outputs; got a module.")
    return head if head is None else function("head", head)


def made_module(name: str, made: Any) -> nn.Module:
    """The module that a caller's function made; anything else is refused."""
    if not isinstance(made, nn.Module):
        raise TypeError(f"{name} must return a torch.nn.Module; got {short(made)}.")
    return made


def make_network(
    encoder: Encoder, head: Head | None, targets: Sequence[Target], x: NDArray[Any], training: Training
) -> Network:
    """Fresh parameters on the device of the training; a user's encoder keeps its precision if not float16."""
    check_encoder(encoder)
    device, dtype = training.place()
    module = encoder() if callable(encoder) else _linear(encoder, x)
    made_module("encoder", module)
    own = callable(encoder) and training.dtype is None and not _is_half(module)
    module = module.to(device=device, dtype=None if own else dtype)
    _keep_precision(module, dtype)
    n_features = _width(module, to_tensor(x[:2], training))
    make = check_head(head) or nn.Linear
    made = [made_module("head", make(n_features, target.n_outputs)) for target in targets]
    heads = [head.to(device=device, dtype=dtype) for head in made]
    return Network(module, heads)


def _is_half(module: nn.Module) -> bool:
    """Whether parameters are of a precision in which Adam divides by what has become zero."""
    return any(parameter.dtype == torch.float16 for parameter in module.parameters())


def _keep_precision(encoder: nn.Module, outside: torch.dtype) -> None:
    """Let an encoder in a precision of its own work in it, with tables and heads in the one of the training."""
    own = next((parameter.dtype for parameter in encoder.parameters() if parameter.is_floating_point()), outside)
    if own != outside:
        encoder.register_forward_pre_hook(partial(_cast_inputs, own))
        encoder.register_forward_hook(partial(_cast_output, outside))


def _cast_inputs(dtype: torch.dtype, encoder: nn.Module, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(x.to(dtype) if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in inputs)


def _cast_output(dtype: torch.dtype, encoder: nn.Module, inputs: tuple[Any, ...], output: Any) -> Any:
    return output.to(dtype) if isinstance(output, torch.Tensor) else output


def _linear(n_features: int, x: NDArray[Any]) -> nn.Module:
    if x.dtype.kind in "iu":
        raise TypeError("X holds integers, which pass as they are; a linear encoder needs X.astype(float).")
    return nn.Sequential(nn.Flatten(), nn.Linear(int(np.prod(x.shape[1:])), n_features, bias=False))


def _width(encoder: nn.Module, x: torch.Tensor) -> int:
    encoder.eval()
    with torch.no_grad():
        features = encoder(x)
    if not isinstance(features, torch.Tensor) or features.ndim != 2 or len(features) != len(x):
        shape = tuple(features.shape) if isinstance(features, torch.Tensor) else type(features).__name__
        raise ValueError(f"encoder must turn {len(x)} rows of X into features of shape ({len(x)}, r); got {shape}.")
    return int(features.shape[1])


def to_tensor(x: NDArray[Any], training: Training) -> torch.Tensor:
    """On the device; real numbers in the precision of the training, integers as they are."""
    device, dtype = training.place()
    return torch.from_numpy(np.array(x)).to(device=device, dtype=None if x.dtype.kind in "iu" else dtype)


@dataclass
class TensorTasks:
    """The table of the tasks on the device, and the mean weight of a row for each task."""

    x: torch.Tensor
    codes: torch.Tensor
    weights: torch.Tensor
    targets: Sequence[Target]

    def __len__(self) -> int:
        return len(self.x)

    def losses(self, outputs: Sequence[torch.Tensor], rows: torch.Tensor | slice = slice(None)) -> torch.Tensor:
        """Mean loss of each task, shape (k,); of some rows an unbiased estimate of it."""
        share = self.weights[rows] / self.weights.mean(dim=0)
        # A label that is missing has weight 0, and the code 0 that every target can take.
        return (row_losses(self.targets, outputs, self.codes[rows]) * share).mean(dim=0)


def row_losses(targets: Sequence[Target], outputs: Sequence[torch.Tensor], codes: torch.Tensor) -> torch.Tensor:
    """Loss of each row and task, shape (n, k)."""
    columns = zip(targets, outputs, codes.T, strict=True)
    return torch.stack([target.row_losses(out, column) for target, out, column in columns], dim=1)


def tensor_tasks(tasks: Tasks, targets: Sequence[Target], training: Training) -> TensorTasks:
    """The table on the device of the training."""
    codes, weights = encoded(targets, tasks), tasks.weights
    return TensorTasks(to_tensor(tasks.x, training), to_tensor(codes, training), to_tensor(weights, training), targets)


@torch.no_grad()
def all_outputs(network: nn.Module, x: torch.Tensor) -> list[torch.Tensor]:
    """Outputs of every task on all rows, in evaluation mode."""
    network.eval()
    parts = [network(x[start : start + _CHUNK]) for start in range(0, len(x), _CHUNK)]
    return [torch.cat(of_task) for of_task in zip(*parts, strict=True)]
