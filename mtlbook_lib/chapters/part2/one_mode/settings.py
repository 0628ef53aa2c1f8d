"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

eps: float = 1e-3
sharp: float = 1e-10  # relative error of a step of the integrator where an identity is checked
n_seeds_noisy_growth: Sizes = Sizes(1, 3, 300)
depths_deep_growth: Sizes = Sizes((3,), (3, 4, 5), (3, 4, 5, 6, 8))
depths_off_diagonal: Sizes = Sizes((2,), (2, 3, 4), (2, 3, 4, 5, 6))
n_seeds_off_diagonal: Sizes = Sizes(1, 3, 100)
depths_imbalance_drift: Sizes = Sizes((2,), (2, 3, 4), (2, 3, 4, 5, 6))
n_seeds_imbalance_drift: Sizes = Sizes(1, 3, 100)
rates: Sizes = Sizes(
    (0.005, 0.01, 0.02), (0.0025, 0.005, 0.01, 0.02), (0.0003125, 0.000625, 0.00125, 0.0025, 0.005, 0.01, 0.02)
)
