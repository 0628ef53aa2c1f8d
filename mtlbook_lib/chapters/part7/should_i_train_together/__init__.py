"""The chapter "Should I train these tasks together?": its experiment, figures, claims, stored results."""
