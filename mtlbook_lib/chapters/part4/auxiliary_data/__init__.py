"""The chapter "More auxiliary data, deeper students": its experiment, figures, claims, stored results."""
