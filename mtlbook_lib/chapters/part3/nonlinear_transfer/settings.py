"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

rank: int = 4
n_outputs: int = 50
n_inputs: int = 100
n_hidden: int = 50
slope: float = 0.2
eps: float = 1e-3
rate: float = 0.02
modest: float = 3.0
strong: float = 100.0
grid: tuple[float, ...] = (0, 0.5, 0.8, 1)
alone: float = 3.5  # time at which the student alone is behind its minimum
later: float = 3.6  # the same for joint students of other output or input modes
n_seeds_mean_linear_part: Sizes = Sizes(8, 16, 400)
n_seeds_change_by_turning: Sizes = Sizes(1, 2, 50)
n_seeds_figure_twelve: Sizes = Sizes(2, 16, 400)
n_seeds_least_help: Sizes = Sizes(2, 64, 400)
n_seeds_learned_alone: Sizes = Sizes(4, 64, 400)
n_seeds_stopped_by_validation: Sizes = Sizes(2, 16, 400)
n_seeds_slopes: Sizes = Sizes(2, 8, 200)
n_seeds_weak_linear: Sizes = Sizes(2, 32, 400)
n_seeds_aligned_linear: Sizes = Sizes(5, 100, 2000)
n_seeds_starts: Sizes = Sizes(2, 8, 400)
