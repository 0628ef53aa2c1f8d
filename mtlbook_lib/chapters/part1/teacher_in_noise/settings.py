"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

variance_cases: tuple[tuple[int, int, float], ...] = ((50, 200, 3.0), (50, 100, 2.0), (100, 100, 3.0), (200, 100, 4.0))
noise_cases: tuple[tuple[int, int, tuple[float, ...]], ...] = (
    (50, 100, (3.0,)),
    (50, 100, (6.0, 4.0, 2.0)),
    (400, 200, (3.0,)),
)
n_seeds_outliers: Sizes = Sizes(8, 68, 4000)
n_rows_in_all: Sizes = Sizes(4000, 36_000, 3_200_000)
n_seeds_oblong: Sizes = Sizes(15, 100, 10_000)
n_seeds_outlier_variances: Sizes = Sizes(40, 2400, 40_000)
n_seeds_hidden_overlap: Sizes = Sizes(30, 270, 20_000)
n_seeds_noise_scales: Sizes = Sizes(10, 60, 6000)
n_matrices: Sizes = Sizes(20, 100, 10_000)
n_splits_held_out_digits: Sizes = Sizes(10, 40, 1000)
n_splits_held_out_cancer: Sizes = Sizes(10, 30, 1000)
