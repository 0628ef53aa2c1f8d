"""The chapter "More auxiliary data, deeper students": its experiment, figures, claims and stored results."""
