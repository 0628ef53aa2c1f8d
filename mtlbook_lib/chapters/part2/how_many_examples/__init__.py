"""The chapter "How many examples": its experiment, figures, claims and stored results."""
