"""The chapter "Nonlinear networks transfer alike": its experiment, figures, claims and stored results."""
