"""The chapter "What multi-task training minimises": its experiment, figures, claims and stored results."""
