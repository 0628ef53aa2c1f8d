"""The chapter "The exact generalisation loss": its experiment, figures, claims and stored results."""
