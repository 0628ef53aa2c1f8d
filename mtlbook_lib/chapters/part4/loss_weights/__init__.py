"""The chapter "Loss weights and gradient similarity": its experiment, figures, claims, stored results."""
