"""Prior of the joint model: every number that it assumes of tasks before it sees their labels."""

import numpy as np

# How probable each correlation of two tasks' functions is, of labels in any units and in the same ones: many tasks are
# unrelated; related ones mostly go the same way, and closely.
CORRELATIONS = {
    0.0: 0.4,
    **dict.fromkeys((-0.97, -0.8, -0.3), 0.01),
    **{0.3: 0.0027, 0.6: 0.0081, 0.8: 0.0162, 0.9: 0.027, 0.97: 0.054, 0.995: 0.162},
}
SAME_UNITS = dict.fromkeys((0.8, 0.97, 0.995), 0.1)
POOLED = 0.3  # how probable it is that some of several partners are one task
NOISES = np.logspace(-4, 2, 13)  # noise variance over the mean prior variance of the function; all alike
INTERCEPT = 1.0  # variance of a task's level, in the same unit
# Pseudo-counts: rows that speak for a guess before those of the target do.
UNIT_ROWS = 5.0  # for the spread of a column within all tasks, as that within the target
PSEUDO_ROWS = 60.0  # for the joint average, as what moves predictions of the target
