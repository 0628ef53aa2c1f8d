"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

shares: tuple[float, ...] = (0.0, 0.6)  # of random labels in the noisy tasks
shared: tuple[int, ...] = (1, 2, 3, 5, 7, 10, 14, 20, 30, 50, 100)  # units together, and of each task alone
apart: tuple[int, ...] = (1, 2, 3, 5, 10)
n_train: int = 150
n_held: int = 150
n_noisy: int = 3
n_steps: int = 400
block: int = 10  # splits that are trained together
n_tasks: int = 30  # of linear sharing in noise
n_inputs: int = 100
strengths: tuple[float, ...] = (4.0, 3.0, 2.2, 1.6)  # of the tasks' common directions
n_choosing: int = 20  # the first splits choose the best width, the others judge it
n_seeds: Sizes = Sizes(5, 100, 5000)
n_starts: Sizes = Sizes(8, 20, 500)
n_splits: Sizes = Sizes(2, 10, 200)
