"""The chapter "Four theories, one picture": its experiment, figures, claims and stored results."""
