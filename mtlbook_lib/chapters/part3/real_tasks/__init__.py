"""The chapter "Real tasks": its experiment, figures, claims, stored results."""
