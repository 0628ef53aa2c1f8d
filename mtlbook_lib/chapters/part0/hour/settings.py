"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

inputs: int = 40  # principal axes of the images; images of the target and of its partner
n_a: int = 120
n_b: int = 160
# Images of the target, where their number is moved.
sizes: tuple[int, ...] = (60, 80, 100, 120, 160, 240, 400, 700, 1200)
eps: float = 1e-3  # of training, and the strength that it starts from
classes: int = 10  # of a softmax, and of the scores that are drawn
norms: tuple[float, ...] = (0.3, 1.0, 2.0, 5.0, 15.0)
n_splits: Sizes = Sizes(3, 20, 640)
n_splits_course: Sizes = Sizes(2, 12, 200)
n_draws: Sizes = Sizes(40, 400, 20_000)
n_seeds: Sizes = Sizes(3, 20, 200)
