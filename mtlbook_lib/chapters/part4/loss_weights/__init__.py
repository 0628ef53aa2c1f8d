"""The chapter "Loss weights and gradient similarity": its experiment, figures, claims and stored results."""
