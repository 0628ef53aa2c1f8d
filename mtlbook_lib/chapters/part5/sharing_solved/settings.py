"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

weights: tuple[float, ...] = (1.0, 2.0, 0.5, 3.0)
scales: tuple[float, ...] = (1.0, 2.0, 0.5, 1.5)
n_examples: int = 12
n_inputs: int = 5
condition: float = 3.0
noise: float = 5.0
n_noisy: int = 3  # digit tasks with noisy labels, training images, ridge
n_train: int = 150
ridge: float = 10.0
n_problems_from_many_starts: Sizes = Sizes(2, 4, 40)
n_starts_from_many_starts: Sizes = Sizes(4, 50, 500)
n_steps_from_many_starts: Sizes = Sizes(200, 4000, 6000)
n_problems_trained_longer: Sizes = Sizes(2, 4, 40)
n_starts_trained_longer: Sizes = Sizes(4, 50, 500)
n_steps_trained_longer: Sizes = Sizes(800, 16_000, 24_000)
n_problems_reweighted: Sizes = Sizes(8, 300, 3000)
n_trained: Sizes = Sizes(2, 10, 100)
n_steps_reweighted: Sizes = Sizes(200, 3000, 6000)
n_problems_greedy: Sizes = Sizes(3, 20, 500)
n_starts_greedy: Sizes = Sizes(3, 10, 40)
n_steps_greedy: Sizes = Sizes(150, 2000, 6000)
n_splits: Sizes = Sizes(12, 150, 2000)
