"""The chapter "The exact mean Jacobian": its experiment, figures, claims, stored results."""
