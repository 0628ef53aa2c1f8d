"""The chapter "Stopping early, more layers, noisy steps": its experiment, figures, claims and stored results."""
