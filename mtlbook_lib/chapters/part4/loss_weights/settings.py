"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

k: int = 10
d: int = 100
hidden: int = 50
start: float = 0.05
rate: float = 0.25
snr: float = 3.0
n_axes: int = 20
n_seeds_weighted: Sizes = Sizes(2, 12, 400)
n_test_weighted: Sizes = Sizes(500, 2000, 10_000)
n_seeds_unrelated_harm: Sizes = Sizes(2, 48, 400)
n_test_unrelated_harm: Sizes = Sizes(500, 2000, 10_000)
n_seeds_gradient_course: Sizes = Sizes(2, 16, 400)
n_splits: Sizes = Sizes(4, 96, 1000)
shares: tuple[float, ...] = (0.0, 0.15, 0.3, 0.4, 0.7, 1.0)
related: float = 0.5
noise: float = 1.0
n_seeds_shared_inputs: Sizes = Sizes(60, 800, 20_000)
