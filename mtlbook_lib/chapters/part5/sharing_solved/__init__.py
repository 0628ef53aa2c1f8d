"""The chapter "Sharing solved": its experiment, figures, claims and stored results."""
