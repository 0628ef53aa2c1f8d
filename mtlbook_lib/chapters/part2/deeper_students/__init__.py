"""The chapter "Deeper students": its experiment, figures, claims and stored results."""
