"""The chapter "What multi-task training minimises": its experiment, figures, claims, stored results."""
