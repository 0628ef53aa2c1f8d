"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes
from mtlbook_lib.chapters.sparse_settings import *

small_dim: int = 60  # inputs of networks from many starts
examples: tuple[int, int] = (25, 15)  # of their two tasks
alphas: tuple[float, ...] = (1.0, 0.3, 0.1, 0.03, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6)
start_loss: float = 1e-10
n_starts: Sizes = Sizes(4, 64, 1000)
n_alone: Sizes = Sizes(4, 32, 1000)
course_dim: int = 30  # inputs of networks whose whole course is followed
course_examples: tuple[int, ...] = (10, 8, 6)  # of their tasks
course_error: float = 1e-10  # of a step, relative
n_least: Sizes = Sizes(5, 25, 2000)  # searches for least weights
sizes: tuple[int, ...] = (16, 32, 64, 128, 256)
overlaps: tuple[int, ...] = (0, 20, 40)
n_seeds: int = 8
