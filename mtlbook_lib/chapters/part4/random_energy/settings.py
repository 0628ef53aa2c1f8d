"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

classes: tuple[int, ...] = (2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
around: tuple[float, ...] = (0.5, 1.0, 2.0)  # multiples of the critical norm
norms: tuple[float, ...] = (0.3, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
n_seeds_measured: Sizes = Sizes(3, 48, 400)
n_numbers_measured: Sizes = Sizes(3_000, 120_000, 2_000_000)
n_seeds_around_freezing: Sizes = Sizes(3, 40, 400)
n_numbers_around_freezing: Sizes = Sizes(5_000, 1_000_000, 10_000_000)
n_seeds_near_usable_norm: Sizes = Sizes(3, 60, 400)
n_numbers_near_usable_norm: Sizes = Sizes(3_000, 200_000, 2_000_000)
