"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

strengths: tuple[float, ...] = (0.9, 1, 1.2, 1.5, 2, 3, 4, 6)
scales: tuple[float, ...] = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
missed: tuple[float, ...] = (1.5, 2.0, 3.0, 4.0)  # strengths of which it is shown what the best stop misses
n_seeds_best_strengths: Sizes = Sizes(20, 540, 40_000)
n_seeds_rank_one_sets: Sizes = Sizes(10, 100, 2000)
n_seeds_trained_networks: Sizes = Sizes(2, 20, 500)
n_strengths: Sizes = Sizes(5, 25, 100)
sizes: Sizes = Sizes((50,), (50, 200, 1000), (50, 200, 1000, 10_000))
n_rows_in_all: Sizes = Sizes(1000, 10_000, 1_000_000)
n_seeds_captured_and_slope: Sizes = Sizes(5, 20, 1000)
n_sets: Sizes = Sizes(20, 600, 20_000)
n_seeds_validation_stop: Sizes = Sizes(20, 100, 5000)
