"""When an auxiliary task helps a classifier: pairs of tasks, the grid of Fig. 2, sizes, losses, rectifiers."""
