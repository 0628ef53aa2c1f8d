"""The chapter "Generalisation curves": its experiment, figures, claims and stored results."""
