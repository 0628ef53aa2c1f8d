"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

strengths: tuple[float, ...] = (6.0, 4.0, 2.0)
eps: float = 1e-3
outputs: int = 50
inputs: int = 100
ranks: tuple[int, ...] = (1, 2, 3, 5, 8, 10, 12, 16, 20, 25, 35, 50)
n_seeds_label_spectra: Sizes = Sizes(40, 200, 20_000)
n_seeds_label_training: Sizes = Sizes(3, 24, 2400)
n_seeds_dilution_training: Sizes = Sizes(2, 12, 1200)
n_seeds_dilution_spectra: Sizes = Sizes(12, 200, 2000)
n_shuffles_digits_training: Sizes = Sizes(3, 20, 2000)
n_shuffles_shuffled_digits: Sizes = Sizes(20, 560, 20_000)
n_seeds_ratios_of_tops: Sizes = Sizes(8, 60, 2000)
n_shuffles_cancer_half_times: Sizes = Sizes(3, 20, 2000)
