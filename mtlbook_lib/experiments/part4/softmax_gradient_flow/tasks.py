"""The tasks of the chapter, and what its experiments watch."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from mtlbook_lib.data.classification import Examples, labelled, snr_teachers
from mtlbook_lib.simulation import softmax
from mtlbook_lib.simulation.softmax import Students

K, D, HIDDEN, N = 10, 100, 50, 200  # sizes of the paper's experiments, as far as they are known
SNR, SCALE = 3.0, 0.05
FEW, THIN, MANY = 5, 12, 400  # classes, features and examples where training goes on to the end
EXACT = torch.float64


def main_task(n_seeds: int, noise: str = "weight", n_examples: int = N) -> tuple[Examples, Examples]:
    """Training examples, and noise-free test examples, of the paper's size."""
    teachers = snr_teachers(K, D, SNR, range(n_seeds))
    return labelled(teachers, n_examples, noise=noise), labelled(teachers, 1000, "test", "none")


def small_task(n_seeds: int, noise: str) -> Examples:
    """Examples of the small task."""
    return labelled(snr_teachers(FEW, THIN, 1.0, range(n_seeds)), MANY, noise=noise)


def autograd_loss(layers: Sequence[Tensor], task: Examples) -> Tensor:
    """Sum over students of their mean cross-entropies, for automatic differentiation."""
    x = torch.as_tensor(task.inputs, device=layers[0].device)[:, None]
    for layer in layers:
        x = layer @ x
    labels = torch.as_tensor(task.labels, device=x.device).expand(*x.shape[:2], -1)
    losses = cross_entropy(x.movedim(2, 1), labels, reduction="none")
    return losses.mean(dim=-1).sum()


def squared_gradient(task: Examples) -> softmax.Observable:
    return lambda students: sum_of_squares(softmax.loss_gradient(students, [task]))


def sum_of_squares(parts: Sequence[Tensor]) -> Tensor:
    """Squared norm of several tensors together, for each seed and setting."""
    return torch.stack([part.square().sum(dim=(-2, -1)) for part in parts]).sum(dim=0)


def largest_gradient(task: Examples) -> softmax.Observable:
    def measure(students: Students) -> Tensor:
        parts = softmax.loss_gradient(students, [task])
        return torch.stack([part.abs().amax(dim=(-2, -1)) for part in parts]).amax(dim=0)

    return measure


def residual(task: Examples) -> softmax.Observable:
    """Norm of the difference of both covariances: of the gradient of a student without hidden layers."""

    def measure(students: Students) -> Tensor:
        flat = Students((), (students.composite(),))
        return sum_of_squares(softmax.loss_gradient(flat, [task])).sqrt()

    return measure


def centred_norm(students: Students) -> Tensor:
    maps = students.composite()
    return (maps - maps.mean(dim=-2, keepdim=True)).square().sum(dim=(-2, -1)).sqrt()
