"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

tiny: tuple[float, ...] = (-50.0, -1000.0)
n_trainable: Sizes = Sizes(6, 100, 5000)
n_tiny: Sizes = Sizes(6, 24, 1200)
n_alike: Sizes = Sizes(2, 4, 100)
n_times: Sizes = Sizes(6, 41, 400)
n_networks: Sizes = Sizes(2, 8, 500)
n_recoveries: Sizes = Sizes(8, 390, 20_000)
