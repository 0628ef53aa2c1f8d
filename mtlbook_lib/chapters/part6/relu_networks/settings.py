"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

dim: int = 8
n_test: int = 2000
few: tuple[int, ...] = (8, 16, 32, 64)  # examples of the main task
many: int = 128
features: int = 6
cosine: float = 0.9
small: float = 0.01  # weights at the start, and of the new readout
large: float = 1.0
gamma: float = 1e-3
tolerance: float = 1e-7  # mean squared error at which training stops
digits: int = 6  # digits that are kept
wide: int = 1000  # hidden units of networks that learn one task, as in the paper
hidden: int = 64  # units of networks that are trained here
fresh: int = 1000  # first seed of those
n_seeds: Sizes = Sizes(2, 32, 32)
n_wide: Sizes = Sizes(2, 32, 32)
n_units: Sizes = Sizes(64, 64, 1000)
n_aux: Sizes = Sizes(160, 160, 1024)
n_kernels: Sizes = Sizes(4, 40, 400)
n_lazy: Sizes = Sizes(2, 12, 100)
