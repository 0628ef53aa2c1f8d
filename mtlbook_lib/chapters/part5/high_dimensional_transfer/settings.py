"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

n_inputs: int = 40
n_both: int = 240  # examples of both tasks under covariate shift
n_grid: int = 101  # ratios of either sign; the sections refine them
d: int = 20
n_target: int = 60
# Examples of the source to one of the target.
levels: tuple[float, ...] = (0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0, 32.0)
cosines: tuple[float, ...] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
tested: tuple[float, ...] = (0.2, 0.5, 0.8, 0.95)  # cosines, and how far from the border, in noise
factor: float = 1.6
n_draws_fixed_inputs: Sizes = Sizes(400, 40_000, 1_000_000)
n_draws_any_covariances: Sizes = Sizes(20, 2000, 100_000)
n_draws_near_capacity: Sizes = Sizes(20, 1500, 100_000)
n_draws_bias_alone: Sizes = Sizes(200, 3000, 100_000)
n_draws_by_ratio: Sizes = Sizes(10, 1050, 20_000)
n_draws_model_shift: Sizes = Sizes(20, 950, 50_000)
n_draws_few_source_examples: Sizes = Sizes(20, 7000, 50_000)
n_draws_covariate_shift: Sizes = Sizes(20, 1200, 50_000)
n_draws_free_heads: Sizes = Sizes(20, 2400, 100_000)
n_draws_many_examples: Sizes = Sizes(10, 400, 20_000)
n_draws_sides: Sizes = Sizes(10, 240, 20_000)
