"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

n_target: int = 20  # angle between the two boundaries; slope of the logistic law
slope: float = 3.0
n_examples: int = 12
n_small: int = 5
noise: float = 5.0
n_steps: int = 1000
n_inputs: int = 100
cosine: float = 0.96
condition: float = 100.0
n_new: int = 1000  # examples on which models are ranked
n_seeds_plane: Sizes = Sizes(40, 400, 20_000)
n_seeds_gains_of_many_draws: Sizes = Sizes(40, 2400, 20_000)
n_pairs_certified: Sizes = Sizes(4, 60, 2000)
n_starts_certified: Sizes = Sizes(10, 40, 100)
n_pairs_descent: Sizes = Sizes(2, 6, 100)
n_starts_descent: Sizes = Sizes(5, 20, 100)
n_seeds_optimum: Sizes = Sizes(2, 16, 200)
n_seeds_ahead_of_other: Sizes = Sizes(2, 96, 1000)
n_seeds_without_noise: Sizes = Sizes(2, 8, 200)
n_target_experiment: Sizes = Sizes(1500, 9000, 9000)
n_seeds_trained: Sizes = Sizes(2, 24, 1000)
n_seeds_after_longer_training: Sizes = Sizes(2, 24, 1000)
n_seeds_slight_help: Sizes = Sizes(8, 840, 2000)
n_seeds_large_source: Sizes = Sizes(2, 64, 1000)
