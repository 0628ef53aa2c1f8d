"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

n: int = 100
eps: float = 1e-3
strengths: tuple[float, ...] = (1.5, 3.0, 6.0)
slides: tuple[int, ...] = (10, 25, 50, 75, 90, 100, 110, 150, 200, 300, 400)
numbers: tuple[int, ...] = (25, 50, 100, 150, 200, 400)
n_seeds_four_flows: Sizes = Sizes(2, 6, 600)
n_seeds_mode_overlaps: Sizes = Sizes(20, 600, 5000)
n_seeds_floors: Sizes = Sizes(4, 40, 4000)
n_seeds_learning_curves: Sizes = Sizes(2, 64, 2000)
n_seeds_mode_curves: Sizes = Sizes(10, 200, 5000)
n_seeds_minima: Sizes = Sizes(2, 9, 900)
n_seeds_first_fall: Sizes = Sizes(2, 48, 900)
n_seeds_later_falls: Sizes = Sizes(2, 16, 900)
n_seeds_leak: Sizes = Sizes(2, 6, 600)
n_seeds_least_squares: Sizes = Sizes(4, 40, 4000)
n_seeds_output_overlaps: Sizes = Sizes(6, 40, 4000)
n_seeds_start_inside: Sizes = Sizes(2, 6, 600)
