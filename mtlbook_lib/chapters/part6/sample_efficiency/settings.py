"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib.chapters.sparse_settings import *

overlaps: tuple[int, ...] = (0, 20, 40)  # of the main features, in the paper's Fig. 2b
others: tuple[int, ...] = (5, 10, 80)  # features of main tasks that share none
sizes: tuple[int, ...] = (16, 32, 64, 128, 256)
joint_other: int = 5
joint_sizes: tuple[int, ...] = (32, 64, 128)
sparsities: tuple[int, ...] = (5, 10, 20, 40, 80)  # features of a main task that shares none, in the limit
limit_sizes: tuple[int, ...] = (16, 24, 32, 48, 64, 96, 128, 160, 192, 224, 256, 320)
n_trained: int = 6
n_joint: int = 4
