"""The chapter "Nested feature learning": its experiment, figures, claims and stored results."""
