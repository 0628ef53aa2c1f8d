"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

n_inputs: int = 100
n_new: int = 1000
n_seeds_linear_sweep: Sizes = Sizes(2, 24, 100)
n_examples: Sizes = Sizes(2000, 2000, 9000)
n_seeds_trained_sweep: Sizes = Sizes(2, 16, 100)
n_steps_trained_sweep: Sizes = Sizes(60, 500, 2000)
n_seeds_higher_rank: Sizes = Sizes(4, 16, 100)
n_steps_higher_rank: Sizes = Sizes(60, 300, 1000)
n_seeds_half_similar: Sizes = Sizes(4, 32, 200)
n_steps_half_similar: Sizes = Sizes(60, 300, 1000)
n_seeds_kernel_products: Sizes = Sizes(4, 140, 10000)
n_seeds_feature_norms: Sizes = Sizes(40, 4000, 100_000)
n_seeds_chain: Sizes = Sizes(2, 8, 500)
n_grid: Sizes = Sizes(90, 720, 720)
n_seeds_equal_models: Sizes = Sizes(4, 20, 1000)
n_seeds_head_ratios: Sizes = Sizes(40, 3000, 100_000)
