"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

sizes: tuple[int, ...] = (30, 50, 75, 100, 150, 200, 300, 600, 1000)
weights: tuple[float, ...] = (0.01, 0.03, 0.1, 0.3, 1.0)
n_seeds_gains: Sizes = Sizes(3, 20, 200)
n_draws_drawn_labels: Sizes = Sizes(200, 4000, 100_000)
n_seeds_more_source: Sizes = Sizes(3, 20, 200)
n_folds: int = 5
n_seeds_partners: Sizes = Sizes(3, 20, 200)
n_draws_partners: Sizes = Sizes(1, 5, 5)
n_seeds_left_out_weight: Sizes = Sizes(3, 20, 200)
widths: tuple[int, ...] = (1, 2, 8, 32, 128)
width: int = 32
n_seeds_shared_layers: int = 5
rank: int = 1  # of Algorithm 2; splits on which weights of the tasks are compared
n_weighted: int = 40
sizes_shared_layers: tuple[int, ...] = (30, 300)  # texts of the target beside those of the source
n_seeds_joint: int = 5
n_few_shared_layers: int = 300
n_source: int = 1000
n_test_shared_layers: int = 600
half_shared_layers: float = 0.5
