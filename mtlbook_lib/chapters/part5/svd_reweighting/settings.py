"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

ridge: float = 10.0  # of the fits; least loss in Kendall's weighting, as a share of the labels' energy
least: float = 1e-4
n_splits: int = 30
digits: int = 6
n_splits_weak_annotators: Sizes = Sizes(5, 100, 2000)
n_splits_clean_alone: Sizes = Sizes(5, 400, 2000)
n_splits_good_from_sixty: Sizes = Sizes(5, 300, 2000)
n_splits_many_tasks: Sizes = Sizes(5, 100, 2000)
n_splits_ten_digits: Sizes = Sizes(5, 300, 3000)
n_splits_pairs: Sizes = Sizes(3, 60, 2000)
n_splits_entropies: Sizes = Sizes(5, 60, 2000)
n_problems: Sizes = Sizes(5, 40, 2000)
n_splits_raw_weights: Sizes = Sizes(5, 60, 2000)
