"""The chapter "The exact generalization loss": its experiment, figures, claims and stored results."""
