"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes
from mtlbook_lib.chapters.classifier_settings import *

relatedness: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
sizes: tuple[int, ...] = (50, 100, 200, 400, 800)
fresh: int = 1000  # the first seed that the stored grid has not
block: int = 8
n_blocks: int = 6
late_auxiliary: tuple[tuple[float, float], ...] = ((100.0, 1.0), (100.0, 0.0), (0.01, 0.0))
n_seeds_fresh_cells: Sizes = Sizes(3, 6, 100)
n_seeds_along_training: Sizes = Sizes(2, 48, 1000)
n_seeds_rank_three: Sizes = Sizes(2, 16, 200)
n_steps: Sizes = Sizes(120, 200, 300)
