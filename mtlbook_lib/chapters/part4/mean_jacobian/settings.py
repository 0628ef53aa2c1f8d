"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

k: int = 10
n_seeds_of_drawn_jacobians: Sizes = Sizes(3, 26, 200)
n_draws_of_drawn_jacobians: Sizes = Sizes(1_000, 20_000, 1_000_000)
n_seeds_identities: Sizes = Sizes(3, 100, 1000)
n_draws_identities: Sizes = Sizes(1_000, 10_000, 100_000)
n_seeds_gains: Sizes = Sizes(3, 40, 400)
n_draws_gains: Sizes = Sizes(1_000, 20_000, 1_000_000)
n_maps_closures: Sizes = Sizes(2, 6, 200)
n_draws_closures: Sizes = Sizes(2_000, 100_000, 1_000_000)
n_maps_low_rank_closures: Sizes = Sizes(2, 18, 200)
n_draws_low_rank_closures: Sizes = Sizes(2_000, 50_000, 1_000_000)
n_seeds_rank_one: Sizes = Sizes(3, 24, 200)
n_draws_rank_one: Sizes = Sizes(2_000, 40_000, 1_000_000)
n_maps_null_directions: Sizes = Sizes(5, 200, 5000)
