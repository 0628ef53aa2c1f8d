"""The chapter "Nested feature learning": its experiment, figures, claims, stored results."""
