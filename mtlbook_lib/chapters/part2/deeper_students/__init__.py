"""The chapter "Deeper students": its experiment, figures, claims, stored results."""
