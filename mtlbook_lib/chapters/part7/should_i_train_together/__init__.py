"""The chapter "Should I train these tasks together?": its experiment, figures, claims and stored results."""
