"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

k: int = 10  # sizes of the paper's experiments, as far as they are known
d: int = 100
hidden: int = 50
n: int = 200
snr: float = 3.0
scale: float = 0.05
few: int = 5  # classes, features and examples where training goes on to the end
thin: int = 12
many: int = 400
n_seeds_gradient_gaps: Sizes = Sizes(2, 4, 200)
n_seeds_falling_loss: Sizes = Sizes(2, 6, 400)
n_seeds_rising_steps: Sizes = Sizes(2, 8, 400)
n_seeds_balance_drifts: Sizes = Sizes(2, 4, 200)
n_seeds_least_losses: Sizes = Sizes(2, 16, 1000)
n_seeds_training_ends: Sizes = Sizes(2, 6, 100)
n_steps_training_ends: Sizes = Sizes(400, 2000, 20_000)
n_seeds_growth: Sizes = Sizes(2, 8, 100)
n_steps_growth: Sizes = Sizes(800, 4000, 100_000)
n_seeds_widths: Sizes = Sizes(2, 6, 100)
n_steps_widths: Sizes = Sizes(800, 4000, 40_000)
n_seeds_hovering: Sizes = Sizes(2, 12, 200)
n_steps_hovering: Sizes = Sizes(300, 2000, 20_000)
n_seeds_curvatures: Sizes = Sizes(4, 20, 1000)
