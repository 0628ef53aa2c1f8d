"""The chapter "The transfer theorem": its experiment, figures, claims and stored results."""
