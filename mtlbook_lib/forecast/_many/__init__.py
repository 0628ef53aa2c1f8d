"""More than two tasks: all pairs, and which tasks to train together."""
