"""The chapter "The logistic loss": its experiment, figures, claims and stored results."""
