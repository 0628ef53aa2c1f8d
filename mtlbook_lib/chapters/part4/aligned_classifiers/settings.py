"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

classes: int = 10
start: float = 0.05
clean: float = 1e6  # a signal-to-noise ratio at which the noise changes no label
n_seeds_growth: Sizes = Sizes(2, 6, 64)
n_examples_growth: Sizes = Sizes(500, 20_000, 200_000)
n_seeds_leaks: Sizes = Sizes(2, 4, 64)
largest_leaks: Sizes = Sizes(2_500, 20_000, 200_000)
n_seeds_losses: Sizes = Sizes(2, 4, 400)
n_test: Sizes = Sizes(200, 16_000, 20_000)
largest_losses: Sizes = Sizes(1_000, 20_000, 20_000)
n_seeds_turning: Sizes = Sizes(2, 4, 64)
n_examples_turning: Sizes = Sizes(500, 10_000, 200_000)
n_seeds_turning_of_many: Sizes = Sizes(2, 24, 64)
n_examples_turning_of_many: Sizes = Sizes(500, 10_000, 200_000)
n_seeds_binary: Sizes = Sizes(2, 4, 64)
n_examples_binary: Sizes = Sizes(500, 40_000, 400_000)
