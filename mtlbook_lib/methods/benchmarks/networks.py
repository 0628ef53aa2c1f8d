"""Networks that read images: DenseNet-121 with weights from a file, ResNet-18 for 32 × 32 pixels, and a small one."""

import os
import re
from collections.abc import Callable
from pickle import UnpicklingError

import torch
from torch import Tensor, nn

from mtlbook_lib._checks import count
from mtlbook_lib._extras import require
from mtlbook_lib.data.benchmarks import Source

_SOURCE = Source(
    "DenseNet",
    "MTLBOOK_DENSENET",
    "a file of torchvision's weights of DenseNet-121, such as densenet121-a639ec97.pth",
    "Save it where you have it, by torch.save(model.state_dict(), ...).",
    argument="path",
)
# Names of layers in the older files of weights: "norm.1" for what is "norm1" now.
_OLD_NAMES = re.compile(r"(denselayer\d+\.(?:norm|conv))\.([12]\.)")


class DenseNet:
    """DenseNet-121 of torchvision with weights from a file, without its last layer.

    Called, it makes the network from images (n, 3, side, side) to 1024 features.

    Source: Wu, Zhang & Ré (2020), App. B.2.

    Parameters
    ----------
    path : path or None
        None for the one that ``MTLBOOK_DENSENET`` names.

    Raises
    ------
    MissingData
        If the file was not found.
    ModuleNotFoundError
        If torchvision is not installed.
    ValueError
        If the file does not hold such weights.
    """

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        place = _SOURCE.place(path)
        if not place.is_file():
            raise _SOURCE.missing(f"{place}: file not found")
        require("images", "torchvision")
        try:
            kept = torch.load(place, map_location="cpu", weights_only=True)
            self.weights = {_OLD_NAMES.sub(r"\1\2", name): value for name, value in kept.items()}
            self()
        except (RuntimeError, AttributeError, OSError, EOFError, UnpicklingError) as error:
            raise ValueError(f"path {place} holds no weights of DenseNet-121: {error}") from None

    def __call__(self) -> nn.Module:
        from torchvision.models import densenet121

        model = densenet121()
        model.load_state_dict(self.weights)
        return nn.Sequential(model.features, nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())


def small_network(width: int = 32) -> Callable[[], nn.Module]:
    """A small convolutional network without weights from elsewhere, to try the comparison with.

    Parameters
    ----------
    width : int
        Number of features.

    Returns
    -------
    callable
        Makes the network from images (n, 3, side, side) to features (n, width).
    """
    n_features = count("width", width)

    def make() -> nn.Module:
        first, second = nn.Conv2d(3, 16, 5, stride=2, padding=2), nn.Conv2d(16, n_features, 3, stride=2, padding=1)
        return nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())

    return make


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
