"""Tasks on which the tests of gradient flow and of descent agree, and a watch over devices."""

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation.linear import observables, students

SEEDS = [0, 1]
TIMES = np.array([0.0, 0.3, 0.35, 1.7, 4.0])
SIZES = {2: (7, 4, 5), 3: (7, 3, 6, 5), 5: (7, 4, 5, 3, 6, 5)}
MAP = {"map": observables.composite_map()}


def task(depth, n_settings=2):
    """Training data, a covariance with condition number 10, and students that move visibly from the start."""
    sizes = SIZES[depth]
    data = low_rank_teachers(sizes[-1], sizes[0], np.linspace(1.0, 3.0, n_settings)[:, None], SEEDS).training
    spread = np.diag(np.geomspace(0.2, 2.0, sizes[0]))
    layers = students.gaussian(sizes[-1], sizes[0], sizes[1:-1], 0.4, SEEDS, depth=depth, n_settings=n_settings)
    return layers, data, spread


class DevicesAreNamed(TorchFunctionMode):
    """Fails when a tensor is created without saying where."""

    factories = (
        torch.zeros, torch.ones, torch.full, torch.empty, torch.arange, torch.linspace, torch.eye, torch.tensor,
        torch.as_tensor, torch.rand, torch.randn,
    )  # fmt: skip

    def __torch_function__(self, func, types, args=(), kwargs=None):
        assert func not in self.factories or "device" in (kwargs or {}), f"{func.__name__} without a device"
        return func(*args, **(kwargs or {}))
