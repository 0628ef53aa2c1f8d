"""The settings of the chapter; claims, captions and experiments take them from here."""

from mtlbook_lib._settings import Sizes

shapes: tuple[tuple[int, int], ...] = ((50, 200), (50, 100), (100, 100), (200, 100))  # rows and columns
n_seeds: Sizes = Sizes(10, 40, 4000)
squares: tuple[int, ...] = (50, 100, 200, 400)  # rows of square noise
n_rows_in_all: Sizes = Sizes(10_000, 170_000, 4_000_000)
n_bidiagonal_rows: Sizes = Sizes(20_000, 600_000, 6_000_000)
n_shuffles: Sizes = Sizes(100, 800, 20_000)  # of the digits' labels
n_random: Sizes = Sizes(100, 1600, 20_000)
n_gaussian: Sizes = Sizes(500, 2000, 100_000)
n_heavy: Sizes = Sizes(8, 40, 4000)
# For texts: how many of the largest and of the smallest squares there are; the same of bidiagonal matrices.
n_matrices = Sizes(*(tuple(rows // n for n in squares[::-1]) for rows in n_rows_in_all))
n_bidiagonal = Sizes(*(tuple(rows // n for n in squares[::-1]) for rows in n_bidiagonal_rows))
