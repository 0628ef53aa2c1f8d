"""The chapter "The exact generalization loss": its experiment, figures, claims, stored results."""
