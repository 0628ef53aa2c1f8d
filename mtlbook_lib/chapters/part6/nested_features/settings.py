"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib.chapters.sparse_settings import *

tasks: tuple[tuple[int, int], ...] = ((2, 2), (5, 5), (10, 10), (20, 20), (40, 40), (5, 0))  # features, old ones
factors: tuple[float, ...] = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
sizes: tuple[int, ...] = (16, 20, 24, 28, 32, 40, 48, 64, 96, 128)  # examples of the main task
trained_factors: tuple[float, ...] = (0.01, 0.1, 1.0, 10.0)
trained_sizes: tuple[int, ...] = (16, 32, 64, 128)
joint_tasks: tuple[tuple[int, int], ...] = ((5, 5), (40, 40))
joint_sizes: tuple[int, ...] = (16, 32, 64)
limit_subsets: tuple[int, ...] = (2, 5, 10, 12, 14, 16, 18, 20, 40)
limit_sizes: tuple[int, ...] = (32, 64)
n_trained: int = 12
n_joint: int = 6
order_gamma: float = 1e-9  # readout of networks of one input
