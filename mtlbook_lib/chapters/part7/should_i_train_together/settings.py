"""The settings of the chapter; claims, captions and experiments take them from here."""

seed: int = 2128
per_cell: int = 100
n_forecasts: int = 4  # the first seeds
n_permuted: int = 2
n_model: int = 8
n_resampled: int = 200
held_a: float = 0.25  # shares of a task's rows that decide when to stop
held_b: float = 0.2
fewest_held: int = 4
n_steps: int = 300
most_rows: int = 16_000  # of all networks that are trained together
