"""The chapter "Sample efficiency": its experiment, figures, claims, stored results."""
