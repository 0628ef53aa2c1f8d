"""The chapter "Nonlinear networks": its experiment, figures, claims and stored results."""
