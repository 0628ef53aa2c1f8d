"""The chapter "Generalization curves": its experiment, figures, claims, stored results."""
