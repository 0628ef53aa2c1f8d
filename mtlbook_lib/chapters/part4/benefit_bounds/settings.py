"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

classes: int = 10
features: int = 100
hidden: int = 50
start: float = 0.05
rate: float = 0.25
n_seeds_sandwich: Sizes = Sizes(2, 16, 400)
n_test: Sizes = Sizes(300, 2_000, 20_000)
n_seeds_vector_overlaps: Sizes = Sizes(40, 400, 40_000)
