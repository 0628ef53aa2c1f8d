"""The chapter "The exact mean Jacobian": its experiment, figures, claims and stored results."""
