"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

dim: int = 40
n: int = 20
n_aux: int = 60
features: int = 4
gamma: float = 1e-3  # readout after pretraining, and -log of the loss that pretraining ends at
pretrained: float = 10.0
marks: tuple[float, ...] = (0.5, 1, 2, 5, 10, 20, 50, 100, 250)
scales: tuple[float, ...] = (3, 1, 0.3, 0.1, 0.03, 0.01, 0.001)
n_seeds: Sizes = Sizes(2, 48, 400)
n_descents: Sizes = Sizes(2, 12, 200)
n_starts: Sizes = Sizes(2, 24, 400)
