"""The chapter "Real tasks": its experiment, figures, claims and stored results."""
