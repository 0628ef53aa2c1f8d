"""The chapter "Multi-task training and the group norm": its experiment, figures, claims and stored results."""
