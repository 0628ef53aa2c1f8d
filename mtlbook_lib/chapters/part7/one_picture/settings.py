"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

n_inputs: int = 60
per_input: tuple[float, ...] = (0.2, 0.4, 0.7, 1.5, 2.5, 5.0, 20.0)  # examples for each input, simulated
dim: int = 200  # inputs; features that pretraining found; features that only the main task has
old: int = 20
new: int = 10
endless: float = 1e9  # examples of the source; ratio of heads at which it has no weight
vanishing: float = 1e8
d: int = 10  # features, hidden units, cosine of the two tasks
hidden: int = 6
related: float = 0.6
start: float = 0.05  # of every layer at strength 1; of descent, in units of the slowest mode
rate: float = 0.2
steps: int = 200
strengths: tuple[float, ...] = (4.0, 3.0, 2.0)  # of six tasks with one output each
eps: float = 1e-3
n_draws_risks: Sizes = Sizes(40, 400, 40_000)
n_seeds_errors: Sizes = Sizes(2, 8, 400)
sizes: Sizes = Sizes((20, 60, 120), (20, 40, 60, 80, 120, 160), (20, 40, 60, 80, 100, 120, 140, 160, 180))
n_seeds_crossing: Sizes = Sizes(2, 24, 400)
n_places: Sizes = Sizes(2, 8, 40)
n_seeds_lazy: Sizes = Sizes(3, 12, 1000)
n_seeds_label_courses: Sizes = Sizes(2, 4, 100)
n_examples: Sizes = Sizes(2000, 8000, 100_000)
n_seeds_ends_and_optima: Sizes = Sizes(2, 4, 400)
n_seeds_courses: Sizes = Sizes(20, 100, 20_000)
n_draws_drawn_gains: Sizes = Sizes(40, 400, 20_000)
