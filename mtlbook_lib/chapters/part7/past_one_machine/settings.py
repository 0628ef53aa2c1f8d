"""The settings of the chapter; claims, captions and experiments take them from here."""

gpu_sizes: tuple[int, ...] = (8, 16, 32, 64, 128, 192, 384)
gpu_students: tuple[int, ...] = (1, 64)
n_rounds: int = 3
n_declared: int = 12
draw: int = 2026
limit: float = 9.0  # seconds on the GPU after which an experiment is ended
min_steps: int = 60  # of a measured run: on a GPU a step takes a fraction of a millisecond, whatever its size
sizes: tuple[int, ...] = (8, 16, 32, 64, 128, 192)
students: tuple[int, ...] = (1, 4, 16, 64)
fitted: int = 64  # the largest size that the law is fitted to
n_rounds_steps: int = 6
n_declared_steps: int = 12
draw_steps: int = 2026
digits: int = 4  # significant ones
work: float = 2e8  # operations that a measured run takes at least, or else the longest run
fewest: int = 8  # steps of a measured run
most: int = 150
