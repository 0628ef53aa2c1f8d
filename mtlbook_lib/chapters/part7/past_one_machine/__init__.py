"""The chapter "Past one machine": its experiment, figures, claims and stored results."""
