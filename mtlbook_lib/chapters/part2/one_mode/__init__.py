"""The chapter "Learning one mode at a time": its experiment, figures, claims and stored results."""
