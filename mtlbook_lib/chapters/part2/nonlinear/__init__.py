"""The chapter "Nonlinear networks": its experiment, figures, claims, stored results."""
