"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

ridge: float = 3.0
n_folds: int = 4
least: float = 1e-4
most_rounds: int = 20
n_splits: int = 60
digits: int = 6
n_inputs: int = 100
n_target: int = 100
cosine: float = 0.96
condition: float = 100.0
size: float = 10.0
epochs: int = 30
n_new: int = 1000
n_splits_course: Sizes = Sizes(2, 12, 1000)
n_splits_open_gate: Sizes = Sizes(2, 60, 400)
n_seeds_synthetic_correlations: Sizes = Sizes(2, 24, 500)
n_seeds_with_many_examples: Sizes = Sizes(2, 24, 100)
n_draws_scores_of_stretched: Sizes = Sizes(2, 20, 2000)
n_draws_by_definition: Sizes = Sizes(2, 10, 1000)
