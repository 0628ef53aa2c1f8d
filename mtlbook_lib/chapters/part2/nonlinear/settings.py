"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

eps: float = 1e-3
rate: float = 0.02
leaky: float = 0.2
linear: float = 1.0
slopes: tuple[float, ...] = (1.0, 0.8, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.01)
seeds: int = 24  # networks that are trained, and those of them whose whole curves are kept
curves: int = 8
rise: float = 0.05  # of the teacher's energy: an onset of overfitting that is the same rise for every network
tested: tuple[float, ...] = (0.5, 0.2, 0.05)
n_seeds_train_tasks: Sizes = Sizes(2, 8, 500)
n_inputs: Sizes = Sizes(40, 100, 100)
n_probes_train_tasks: Sizes = Sizes(50, 300, 1000)
n_seeds_deep_runs: Sizes = Sizes(2, 8, 500)
n_steps: Sizes = Sizes(16, 600, 1400)
n_seeds_train_clean: Sizes = Sizes(2, 8, 400)
n_probes_train_clean: Sizes = Sizes(200, 3000, 3000)
n_seeds_paired_inputs: Sizes = Sizes(1, 4, 500)
n_seeds_floor_by_width: Sizes = Sizes(2, 20, 2000)
n_seeds_late_errors: Sizes = Sizes(1, 8, 500)
steps: Sizes = Sizes(500, 1000, 1000)
