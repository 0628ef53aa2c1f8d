"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

side: int = 24
n_images: int = 112_120
n_test_images: int = 25_596
typical_area: float = 0.84
n_rows: Sizes = Sizes(30, 60, 1000)
epochs: Sizes = Sizes(2, 12, 30)
n_sets_area_scatter: Sizes = Sizes(20, 1000, 10_000)
n_sets_noisy_weights: Sizes = Sizes(2, 40, 1000)
