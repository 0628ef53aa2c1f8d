"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

eps: float = 1e-3
significant: float = 4.0  # standard errors
n_splits_digit_maps: Sizes = Sizes(3, 160, 2560)
n_splits_long_digit_maps: Sizes = Sizes(3, 320, 2560)
n_splits_teacher_maps: Sizes = Sizes(5, 160, 2560)
n_splits_flipped_maps: Sizes = Sizes(3, 10, 160)
strengths: tuple[float, ...] = (3.0, 2.5)
similarities: tuple[float, ...] = (0.0, 0.4, 0.8)
# Similarity, and correlation of the noise.
cases: tuple[tuple[float, ...], ...] = ((0.3, 0.0), (0.9, 0.0), (0.3, 0.6), (0.9, 0.6))
n_splits_cancer_benefits: Sizes = Sizes(10, 160, 2560)
n_splits_five_output_forecasts: Sizes = Sizes(2, 12, 160)
n_draws: Sizes = Sizes(2, 40, 200)
n_seeds_known_estimates: Sizes = Sizes(6, 240, 1000)
n_seeds_law_gaps: Sizes = Sizes(100, 1500, 24000)
n_seeds_noise_of_sharing: Sizes = Sizes(60, 400, 6400)
tail: float = 0.1  # share of the splits that is left out at each end: one split in hundreds can outweigh all others
n_images: int = 1797
