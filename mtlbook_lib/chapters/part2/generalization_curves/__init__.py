"""The chapter "Generalization curves": its experiment, figures, claims and stored results."""
