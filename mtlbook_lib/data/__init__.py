"""Teachers, synthetic tasks and real data sets."""
