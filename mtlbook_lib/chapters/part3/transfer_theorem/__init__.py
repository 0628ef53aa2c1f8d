"""The chapter "The transfer theorem": its experiment, figures, claims, stored results."""
