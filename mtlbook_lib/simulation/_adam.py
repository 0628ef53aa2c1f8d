"""Adam, for tensors that are moved in place."""

from __future__ import annotations

import torch
from torch import Tensor

_DECAY, _SQUARE_DECAY, _FLOOR = 0.9, 0.999, 1e-8


class Adam:
    """Running means of the gradient and of its square, for one layer."""

    def __init__(self, layer: Tensor, rate: float) -> None:
        self.mean, self.square, self.count, self.rate = torch.zeros_like(layer), torch.zeros_like(layer), 0, rate

    def step(self, layer: Tensor, gradient: Tensor) -> None:
        """Move the layer in place."""
        self.count += 1
        self.mean.lerp_(gradient, 1 - _DECAY)
        self.square.lerp_(gradient**2, 1 - _SQUARE_DECAY)
        root = (self.square / (1 - _SQUARE_DECAY**self.count)).sqrt_().add_(_FLOOR)
        layer -= (self.mean / (1 - _DECAY**self.count)).mul_(self.rate).div_(root)
