"""The chapter "Sharing solved": its experiment, figures, claims, stored results."""
