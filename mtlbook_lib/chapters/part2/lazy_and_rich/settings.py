"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

eps: float = 1e-3
imbalances: tuple[float, ...] = (0, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 100)
shared: tuple[float, ...] = (0, 0.03, 0.1, 0.3, 1, 3, 10)
n_seeds_least_errors: Sizes = Sizes(10, 300, 8000)
n_inputs: Sizes = Sizes(20, 100, 100)
n_seeds_network_deviation: Sizes = Sizes(2, 4, 200)
n_seeds_random_errors: Sizes = Sizes(2, 40, 1000)
n_seeds_transfer: Sizes = Sizes(10, 100, 2000)
