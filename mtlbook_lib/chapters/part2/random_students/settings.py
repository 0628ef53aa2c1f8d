"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

n_seeds_curves: Sizes = Sizes(4, 48, 1000)
n_seeds_pair: Sizes = Sizes(3, 48, 400)
n_times_pair: Sizes = Sizes(31, 81, 161)
n_seeds_strong_gap: Sizes = Sizes(6, 192, 800)
n_times_strong_gap: Sizes = Sizes(31, 81, 161)
n_seeds_narrow_pair: Sizes = Sizes(2, 16, 200)
n_times_narrow_pair: Sizes = Sizes(31, 81, 161)
n_seeds_weak_lags: Sizes = Sizes(4, 64, 800)
n_times_weak_lags: Sizes = Sizes(31, 81, 161)
n_seeds_aligned_minima: Sizes = Sizes(4, 76, 2000)
n_times_aligned_minima: Sizes = Sizes(31, 81, 161)
n_seeds_small_students: Sizes = Sizes(1, 4, 40)
n_seeds_delays: Sizes = Sizes(5, 36, 1000)
n_seeds_crowded_delays: Sizes = Sizes(5, 120, 1000)
n_seeds_log_starts: Sizes = Sizes(50, 1500, 10000)
n_seeds_gaussian_half_times: Sizes = Sizes(2, 10, 1000)
n_seeds_integrated_slice: Sizes = Sizes(1, 3, 12)
