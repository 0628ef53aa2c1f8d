"""The chapter "Four theories, one picture": its experiment, figures, claims, stored results."""
