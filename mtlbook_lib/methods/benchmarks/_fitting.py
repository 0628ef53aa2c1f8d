"""Training of a trunk with a head for each task, until every loss is low enough."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from mtlbook_lib.methods.sharing import Training


@dataclass(frozen=True)
class Task:
    """Inputs of one task, (n, ...), and its classes, (n,)."""

    inputs: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)


class Loop:
    """Training of one seed; everything random comes from it."""

    def __init__(self, training: Training, tolerance: float, seed: int) -> None:
        self.training, self.tolerance, self.seed = training, tolerance, seed
        self.device, self.dtype = training.place()

    def fresh(self, make: Callable[[], nn.Module], part: int = 0) -> nn.Module:
        """A module with first weights drawn for this seed and part."""
        with self.training.random_state(1000 * self.seed + part):
            return make().to(device=self.device, dtype=self.dtype)

    def fit(
        self, trunk: nn.Module, heads: Sequence[nn.Module], tasks: Sequence[Task], told: str, speed: float = 1.0
    ) -> None:
        """Train in place at `speed` times the rate; warn, by what it is `told`, if a loss stays above the tolerance."""
        modules = nn.ModuleList([trunk, *heads]).train()
        rule = self._rule(modules, speed)
        generator = torch.Generator().manual_seed(self.seed)
        size = self.training.batch_size or max(map(len, tasks))
        streams = [_batches(task, size, generator) for task in tasks]
        n_steps, worst = math.ceil(max(map(len, tasks)) / size), math.inf
        for epoch in range(1, self.training.epochs + 1):
            sums = torch.zeros(len(tasks))
            for _ in range(n_steps):
                losses = _losses(trunk, heads, [next(batches) for batches in streams])
                rule.zero_grad()
                torch.autograd.backward(losses.sum())
                rule.step()
                sums += losses.detach().cpu()
            worst = float(sums.max()) / n_steps
            if not math.isfinite(worst):
                raise RuntimeError(f"{told}: training diverges. Choose a smaller rate.")
            if self.training.progress is not None:
                self.training.progress(epoch, self.training.epochs, worst)
            if worst <= self.tolerance:
                break
        else:
            ended = f"ended after {self.training.epochs} epochs at a loss of {worst:.2g}, above {self.tolerance:g}"
            warnings.warn(f"{told}: training {ended}.", stacklevel=2)
        _settle(trunk, torch.cat([task.inputs for task in tasks]), size)
        modules.eval()

    def _rule(self, modules: nn.Module, speed: float) -> torch.optim.Optimizer:
        rate, decay = speed * self.training.rate, self.training.decay
        kind = torch.optim.Adam if self.training.optimizer == "adam" else torch.optim.SGD
        return kind(modules.parameters(), lr=rate, weight_decay=decay)


@torch.no_grad()
def _settle(trunk: nn.Module, inputs: Tensor, size: int) -> None:
    """Let normalisation take its means and variances from the training inputs and the last weights.

    Its running means forget by a tenth a step. After a training of few steps they are those of other weights, and the
    network decides at random.
    """
    norms = [module for module in trunk.modules() if isinstance(module, nn.BatchNorm2d)]
    kept = [norm.momentum for norm in norms]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None  # a plain mean over the passes
    for part in torch.split(inputs, size) if norms else ():
        trunk(part)
    for norm, momentum in zip(norms, kept, strict=True):
        norm.momentum = momentum


def _batches(task: Task, size: int, generator: torch.Generator) -> Iterator[Task]:
    """Batches without end; each pass over the examples has another order."""
    while True:
        order = torch.randperm(len(task), generator=generator).to(task.labels.device)
        for rows in torch.split(order, size):
            yield Task(task.inputs[rows], task.labels[rows])


def _losses(trunk: nn.Module, heads: Sequence[nn.Module], batches: Sequence[Task]) -> Tensor:
    """Mean cross-entropy of each task; all pass through the trunk as one batch."""
    features = trunk(torch.cat([batch.inputs for batch in batches]))
    parts = torch.split(features, [len(batch) for batch in batches])
    found = [cross_entropy(head(x), batch.labels) for head, x, batch in zip(heads, parts, batches, strict=True)]
    return torch.stack(found)
