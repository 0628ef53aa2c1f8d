"""The chapter "Sample efficiency": its experiment, figures, claims and stored results."""
