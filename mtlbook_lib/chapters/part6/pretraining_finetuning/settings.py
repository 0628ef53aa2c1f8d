"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

dim: int = 200
n_aux: int = 240  # examples of pretraining
n_features: int = 40
alpha: float = 1e-3  # all weights before pretraining
gammas: tuple[float, ...] = (1e-3, 0.1)  # readout after it
mains: tuple[tuple[int, int], ...] = ((0, 30), (0, 60), (20, 30), (20, 60), (40, 30))  # shared features, examples
probed: tuple[tuple[int, int], ...] = ((0, 30), (20, 60), (40, 30))  # the same, where the readout alone is trained
loss: float = 1e-10
probing_loss: float = 1e-14
n_seeds: Sizes = Sizes(3, 12, 200)

# Both phases by gradient descent.
descent_dim: int = 60
descent_features: int = 12
descent_shared: int = 6
descent_aux: int = 72
descent_main: int = 20
descent_alpha: float = 0.2
reach: float = 0.005  # largest turn of a weight in a step
n_descents: Sizes = Sizes(2, 6, 100)

# One input, whose coefficients after pretraining and finetuning are given.
slope_aux: tuple[float, ...] = (0.1, 1.0, 10.0)
slope_small: float = 1e-3
slope_large: float = 1e3
slope_gamma: float = 1e-9

# Two inputs, pretrained on a first coefficient and several second ones.
plane_aux: float = 0.3
plane_second: tuple[float, ...] = (0.001, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1, 2, 4, 10)
plane_gamma: float = 0.05
plane_loss: float = 1e-14

# How long to pretrain.
losses: tuple[float, ...] = (1e-8, 1e-10, 1e-12, 1e-14)
late_shared: tuple[int, ...] = (0, 20)
late_main: int = 60
