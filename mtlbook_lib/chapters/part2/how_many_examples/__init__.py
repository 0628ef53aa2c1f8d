"""The chapter "How many examples": its experiment, figures, claims, stored results."""
