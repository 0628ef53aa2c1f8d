"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

k: int = 10
n_seeds_isotropic_losses: Sizes = Sizes(3, 40, 400)
n_draws_isotropic_losses: Sizes = Sizes(1_000, 20_000, 1_000_000)
n_seeds_agreements: Sizes = Sizes(4, 170, 400)
n_draws_agreements: Sizes = Sizes(1_000, 8_000, 1_000_000)
n_seeds_noisy_teachers: Sizes = Sizes(2, 50, 1000)
n_draws_noisy_teachers: Sizes = Sizes(1_000, 20_000, 300_000)
n_seeds_one_step_students: Sizes = Sizes(2, 30, 1000)
n_draws_one_step_students: Sizes = Sizes(1_000, 20_000, 300_000)
