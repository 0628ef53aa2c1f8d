"""ResNet-18 for images of 32 × 32 pixels."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from mtlbook_lib._checks import count

_STAGES = 4  # each with two blocks; from the second on, the first of them halves the side and doubles the channels


def residual_network(width: int = 64) -> Callable[[], nn.Module]:
    """ResNet-18 with random weights and without its last layer, in the form for small images.

    The first layer has filters of 3 × 3 pixels that move by one, and no pooling follows it; the rest is as for large
    images: four stages of two blocks of two layers with batch normalisation.

    Source: He et al. (2016), Secs. 3 and 4.2; Lindsey & Lippl (2023), Sec. 7, names ResNet-18 and no more.

    Parameters
    ----------
    width : int
        Channels of the first stage, 64 in ResNet-18; the last one has eight times as many.

    Returns
    -------
    callable
        Makes the network from images (n, 3, side, side) to features (n, 8 · width).
    """
    size = count("width", width)

    def make() -> nn.Module:
        layers: list[nn.Module] = [*_normalised(3, size, 1), nn.ReLU()]
        before = size
        for stage in range(_STAGES):
            after = size * 2**stage
            layers += [_Block(before, after, 1 if stage == 0 else 2), _Block(after, after, 1)]
            before = after
        return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten())

    return make


class _Block(nn.Module):
    """Two layers of filters, and a way past them."""

    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(*_normalised(before, after, stride), nn.ReLU(), *_normalised(after, after, 1))
        same = before == after and stride == 1
        self.past = nn.Identity() if same else nn.Sequential(*_normalised(before, after, stride, side=1))

    def forward(self, images: Tensor) -> Tensor:
        return torch.relu(self.layers(images) + self.past(images))


def _normalised(before: int, after: int, stride: int, side: int = 3) -> list[nn.Module]:
    return [nn.Conv2d(before, after, side, stride, side // 2, bias=False), nn.BatchNorm2d(after)]
