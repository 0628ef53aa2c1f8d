"""The chapter "Angles and bounds": its experiment, figures, claims, stored results."""
