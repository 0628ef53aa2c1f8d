"""The chapter "Two tasks without data": its experiment, figures, claims and stored results."""
