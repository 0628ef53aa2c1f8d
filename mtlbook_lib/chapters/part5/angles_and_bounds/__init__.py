"""The chapter "Angles and bounds": its experiment, figures, claims and stored results."""
