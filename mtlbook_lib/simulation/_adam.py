"""Adam, for tensors that are moved in place."""

from collections.abc import Sequence

import torch
from torch import Tensor

_DECAY, _SQUARE_DECAY, _FLOOR = 0.9, 0.999, 1e-8


class Adam:
    """Running means of the gradient and of its square, (network, weight), for the layers (network, ...) of networks.

    All layers lie side by side: a step asks a device for as little as that of one layer.
    """

    def __init__(self, layers: Sequence[Tensor], rate: float) -> None:
        self.mean = _side_by_side([torch.zeros_like(layer) for layer in layers])
        self.square, self.count, self.rate = torch.zeros_like(self.mean), 0, rate

    def step(self, layers: Sequence[Tensor], gradients: Sequence[Tensor], going: Tensor | None = None) -> None:
        """Move the layers in place, of all networks or of those that are going."""
        self.count += 1
        gradient = _side_by_side(gradients)
        self.mean.lerp_(gradient, 1 - _DECAY)
        self.square.lerp_(gradient**2, 1 - _SQUARE_DECAY)
        root = (self.square / (1 - _SQUARE_DECAY**self.count)).sqrt_().add_(_FLOOR)
        move = (self.mean / (1 - _DECAY**self.count)).mul_(self.rate).div_(root)
        move = move if going is None else torch.where(going[:, None], move, 0.0)
        sizes = [layer[0].numel() for layer in layers]
        for layer, part in zip(layers, torch.split(move, sizes, dim=1), strict=True):
            layer -= part.view(layer.shape)

    def keep(self, networks: Tensor) -> None:
        """Go on with some of the networks."""
        self.mean, self.square = self.mean[networks], self.square[networks]


def _side_by_side(layers: Sequence[Tensor]) -> Tensor:
    return torch.cat([layer.flatten(1) for layer in layers], dim=1)
