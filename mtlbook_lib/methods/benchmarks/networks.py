"""Networks that read images: DenseNet-121 with weights from a file, and a small one to try things with."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pickle import UnpicklingError

import torch
from torch import nn

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
        If the file is not there.
    ModuleNotFoundError
        If torchvision is not installed.
    ValueError
        If the file does not hold such weights.
    """

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        place = _SOURCE.place(path)
        if not place.is_file():
            raise _SOURCE.missing(f"{place} is no file")
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
