"""Objectives of a step: a weighted sum of the tasks' losses, learned weights, or gradients combined in another way."""

from collections.abc import Callable
from typing import Protocol

import torch
from torch import nn

from mtlbook_lib.methods.sharing._fitting.network import Network


class Objective(Protocol):
    """Turns the losses of the tasks, shape (k,), into gradients, and into one number to stop by."""

    def parameters(self) -> list[nn.Parameter]:
        """Parameters of its own, trained with those of the network."""

    def backward(self, losses: torch.Tensor, network: Network) -> None:
        """Add to the gradients of all parameters."""

    def value(self, losses: torch.Tensor) -> float:
        """Of held-out losses; less is better."""


class Weighted:
    """The sum of the losses, each times the weight of its task."""

    def __init__(self, weights: torch.Tensor) -> None:
        self.weights = weights

    def parameters(self) -> list[nn.Parameter]:
        return []

    def backward(self, losses: torch.Tensor, network: Network) -> None:
        torch.autograd.backward(self.weights @ losses)

    def value(self, losses: torch.Tensor) -> float:
        return float(self.weights @ losses)


class Uncertain:
    """Weights 1/2s² with learned noise levels s, none below that of the least loss.

    The form for classes, L/s² + log s, is this one with √2 s for s: weights and training are the same.
    """

    def __init__(self, losses: torch.Tensor, least: torch.Tensor) -> None:
        self.least = least
        self.log_scales = nn.Parameter(0.5 * torch.log(torch.maximum(losses, least)))  # best for the first losses

    def weights(self) -> torch.Tensor:
        """Of the tasks; 1/2L at the optimum."""
        return torch.exp(-2 * self.log_scales) / 2

    @torch.no_grad()
    def bound(self) -> None:
        """Raise noise levels to the least one: without it, a task that is fitted exactly would take all weight."""
        self.log_scales.copy_(torch.maximum(self.log_scales, 0.5 * torch.log(self.least)))

    def parameters(self) -> list[nn.Parameter]:
        return [self.log_scales]

    def backward(self, losses: torch.Tensor, network: Network) -> None:
        self.bound()
        torch.autograd.backward((self.weights() * losses + self.log_scales).sum())

    def value(self, losses: torch.Tensor) -> float:
        return float(torch.log(torch.maximum(losses, self.least)).sum())


class Aggregated:
    """Gradients of the shared parameters, a row a task, combined by a function; heads follow their own task."""

    def __init__(self, combine: Callable[[torch.Tensor], torch.Tensor]) -> None:
        self.combine = combine

    def parameters(self) -> list[nn.Parameter]:
        return []

    def backward(self, losses: torch.Tensor, network: Network) -> None:
        shared = [parameter for parameter in network.encoder.parameters() if parameter.requires_grad]
        rows = [torch.autograd.grad(loss, shared, retain_graph=True, materialize_grads=True) for loss in losses]
        jacobian = torch.stack([torch.cat([part.reshape(-1) for part in row]) for row in rows])
        torch.autograd.backward(losses.sum(), inputs=list(network.heads.parameters()))
        parts = torch.split(self.combine(jacobian), [parameter.numel() for parameter in shared])
        for parameter, part in zip(shared, parts, strict=True):
            parameter.grad = part.reshape(parameter.shape)

    def value(self, losses: torch.Tensor) -> float:
        return float(losses.sum())
