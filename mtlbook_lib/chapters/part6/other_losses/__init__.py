"""The chapter "The logistic loss": its experiment, figures, claims, stored results."""
