"""The chapter "Two tasks without data": its experiment, figures, claims, stored results."""
