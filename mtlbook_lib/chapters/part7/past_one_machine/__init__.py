"""The chapter "Past one machine": its experiment, figures, claims, stored results."""
