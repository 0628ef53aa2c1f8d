"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

n_seeds_half_time_ratios: Sizes = Sizes(2, 10, 200)
n_seeds_half_size_ratios: Sizes = Sizes(3, 100, 1000)
n_seeds_weak_ratios: Sizes = Sizes(3, 250, 1000)
n_seeds_square_ratios: Sizes = Sizes(3, 100, 400)
width: Sizes = Sizes(8, 32, 128)
n_seeds_noise_learning: Sizes = Sizes(2, 6, 100)
n_grid: Sizes = Sizes(6, 46, 92)
n_seeds_alignment: Sizes = Sizes(2, 24, 200)
n_seeds_stops: Sizes = Sizes(2, 20, 200)
n_times: Sizes = Sizes(43, 85, 169)
n_seeds_strong_stops: Sizes = Sizes(3, 60, 400)
