"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

failure: float = 0.1  # error margin c and probability of failure in the construction of many inputs
target_size: float = 1e-3  # of the target's labels there
n_starts_worst_pairs: Sizes = Sizes(2, 10, 50)
n_steps_worst_pairs: Sizes = Sizes(100, 1000, 5000)
n_starts_worst_noise: Sizes = Sizes(2, 10, 50)
n_steps_worst_noise: Sizes = Sizes(100, 1000, 5000)
n_seeds_many_inputs: Sizes = Sizes(2, 8, 100)
n_seeds_problems: Sizes = Sizes(2, 12, 500)
n_seeds_fitted_noise: Sizes = Sizes(8, 200, 10000)
n_seeds_transfer: Sizes = Sizes(2, 10, 1000)
n_seeds_known_before: Sizes = Sizes(5, 40, 1000)
