"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes
from mtlbook_lib.chapters.classifier_settings import *

n_main: int = 100
amounts: tuple[int, ...] = (25, 50, 100, 200, 400, 800)  # examples of the auxiliary task
main: tuple[float, ...] = (1.0, 3.0, 100.0)
auxiliary: tuple[float, ...] = (0.3, 3.0, 100.0)
relatedness: tuple[float, ...] = (0.0, 0.5, 1.0)
layers: tuple[int, ...] = (1, 2, 3)
fine: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
grid_layers: tuple[int, ...] = (1, 2)
grid_examples: int = 800
grid_steps: int = 240
block: int = 8  # data sets that are trained together
many: int = 1600  # so many examples get twice the blocks: their small shifts need more data sets
fresh: int = 1000  # the first seed that the stored runs have not
n_seeds_fresh_amounts: Sizes = Sizes(2, 12, 200)
n_seeds_fresh_trunks: Sizes = Sizes(2, 8, 200)
n_seeds_weighted: Sizes = Sizes(2, 12, 200)
n_seeds_three_layers: Sizes = Sizes(2, 4, 200)
n_examples: Sizes = Sizes(200, 1600, 1600)
n_seeds_first_pull: Sizes = Sizes(4, 64, 1000)
