"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

classes: int = 10
features: int = 100
hidden: int = 50
start: float = 0.05
rate: float = 0.5
clean: float = 1e6  # a signal-to-noise ratio at which the noise changes no label
n_seeds_confined: Sizes = Sizes(2, 4, 64)
n_examples: Sizes = Sizes(500, 10_000, 200_000)
n_seeds_curves: Sizes = Sizes(2, 4, 64)
n_test_curves: Sizes = Sizes(300, 20_000, 100_000)
largest: Sizes = Sizes(500, 20_000, 20_000)
n_seeds_wide: Sizes = Sizes(2, 8, 400)
n_seeds_stopped: Sizes = Sizes(2, 12, 400)
n_test_stopped: Sizes = Sizes(200, 2_000, 4_000)
n_seeds_at_once: Sizes = Sizes(2, 16, 400)
