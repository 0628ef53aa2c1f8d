"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

network_dim: int = 100
n_aux: int = 120
network_main: int = 30
features: int = 20
shared: int = 10
gamma: float = 0.05
pretraining_loss: float = 1e-9
loss: float = 1e-10
reach: float = 0.01  # largest turn of a weight in a step of descent
dim: int = 200
old: int = 40
n_main: int = 32
n_apart: int = 24  # examples from which the references differ
n_flows: Sizes = Sizes(1, 12, 200)
n_descents: Sizes = Sizes(1, 4, 100)
n_treatments: Sizes = Sizes(1, 3, 3)
n_across: Sizes = Sizes(4, 9, 65)
n_betas: Sizes = Sizes(2, 5, 50)
n_distances: Sizes = Sizes(3, 104, 1000)
n_errors: Sizes = Sizes(3, 64, 1000)
