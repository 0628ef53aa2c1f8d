"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

eps: float = 1e-3
aspect: float = 0.5
n_test: Sizes = Sizes(2000, 20000, 2_000_000)
n_seeds_networks: Sizes = Sizes(2, 20, 1000)
n_seeds_narrow_networks: Sizes = Sizes(20, 200, 5000)
n_sets_data_sets: Sizes = Sizes(10, 200, 5000)
n_sets_more_sets: Sizes = Sizes(10, 400, 5000)
n_sets_mean_test_errors: Sizes = Sizes(10, 1000, 5000)
n_times: Sizes = Sizes(3, 10, 100)
share: Sizes = Sizes(0.5, 1.0, 1.0)
n_sets_bulk_sums: Sizes = Sizes(50, 1350, 20000)
n_total_size_deviation: Sizes = Sizes(1000, 20000, 200_000)
n_total_outlier_jitter: Sizes = Sizes(1000, 20000, 200_000)
