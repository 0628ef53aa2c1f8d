"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

dim: int = 1000  # inputs of the paper's networks
n_descents: Sizes = Sizes(3, 12, 200)
n_seeds: Sizes = Sizes(2, 8, 100)
n_limits: Sizes = Sizes(1, 4, 100)
sizes: Sizes = Sizes((16, 32, 64, 128), (16, 32, 64, 128, 256, 384), (16, 32, 64, 128, 192, 256, 384, 512))
n_errors: Sizes = Sizes(2, 24, 200)
n_sizes: Sizes = Sizes(4, 14, 100)
