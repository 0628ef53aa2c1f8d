"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

k: int = 10
d: int = 100
ranks: tuple[int, ...] = (1, 2, 3, 5, 9, 10)
pairs: tuple[tuple[float, float, float], ...] = (
    (1.0, 1.0, 1.0),
    (3.0, 1.0, 0.5),
    (100.0, 0.3, 1.0),
    (3.0, 3.0, 0.0),
    (3.0, 100.0, 0.5),
    (0.01, 100.0, 1.0),
)
n_seeds_agreement: Sizes = Sizes(8, 250, 4000)
n_examples_agreement: Sizes = Sizes(100, 500, 2000)
n_seeds_output_ratios: Sizes = Sizes(4, 200, 5000)
n_seeds_label_covariances: Sizes = Sizes(2, 40, 400)
n_examples_label_covariances: Sizes = Sizes(500, 10_000, 50_000)
n_seeds_class_shares: Sizes = Sizes(2, 24, 400)
n_examples_class_shares: Sizes = Sizes(500, 20_000, 100_000)
n_seeds_class_laws: Sizes = Sizes(2, 12, 300)
n_examples_class_laws: Sizes = Sizes(2000, 100_000, 400_000)
n_seeds_law_summary: Sizes = Sizes(10, 400, 20_000)
n_seeds_noisy_overlaps: Sizes = Sizes(4, 100, 4000)
