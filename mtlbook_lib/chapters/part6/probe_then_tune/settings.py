"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

dim: int = 500
features: int = 20
alpha: float = 1e-3
gamma: float = 1e-3
times: tuple[float, ...] = (0.0, 100, 500, 1000.0, 2000.0, 5000.0, 10000.0, 30000.0, 100000.0)
network_times: tuple[float, ...] = (0.0, 1000.0, 10000.0)
seen: int = 12
examples: int = 48
# Size of the error of the pretrained features, relative to the features.
missed: tuple[float, ...] = (0.0, 0.1, 0.3, 1.0)
heads: tuple[float, ...] = (1.0, 0.5, 0.001)  # length of the head at which tuning starts, relative to the right one
n_seeds: Sizes = Sizes(4, 36, 5000)
n_long: Sizes = Sizes(6, 300, 5000)
n_sides: Sizes = Sizes(4, 48, 5000)
n_charge: Sizes = Sizes(8, 400, 20_000)
n_networks: Sizes = Sizes(3, 36, 2000)
n_trained: Sizes = Sizes(3, 15, 200)
n_heads: Sizes = Sizes(3, 120, 2000)
n_axes: Sizes = Sizes(4, 24, 2000)
