"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

examples: tuple[int, ...] = (4, 8, 16, 32, 64)  # images of the main task, half of them of either class
n_aux: int = 512
n_test: int = 280
factors: tuple[float, ...] = (0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0, 1.25, 1.6)  # of the trunk after pretraining
heads: tuple[float, ...] = (1.0, 0.01)  # new heads: the usual size, and a hundredth
tolerance: float = 1e-3
rate: float = 1e-3
probing_rate: float = 1e-2
most_steps: int = 5000
block: int = 9  # data sets that are trained together
classes: int = 6
n_blocks: Sizes = Sizes(1, 5, 100)
